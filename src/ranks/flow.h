// Rows from every rank to every rank, in messages of bounded size: while one wave of messages is under way the next is
// packed, the last one is unpacked, and what needs no message is done. So the memory for it does not grow with the
// number of rows, and what is packed is sent while it is still in the cache.
#pragma once
#include "ranks/group.h"

namespace garner {

/// Memory for two waves each way.
class FlowBuffers {
 public:
  /// Of one message. 4 ranks on 2 busy cores, 256 MB each way, least and median of 14: 128 KiB 765 and 1208 ms, 256 KiB
  /// 868 and 1005, 1 MiB 840 and 1088, 4 MiB 794 and 946, 16 MiB 829 and 964.
  static constexpr Index kMessageBytes = 4 << 20;
  /// Rule V6.
  static Result<FlowBuffers> make(Index row_bytes, int ranks, Index message_bytes = kMessageBytes);
  Index row_bytes() const { return row_bytes_; }
  Index rows() const { return rows_; }  // of a message, at most: the same on all ranks
  std::byte* send(Index wave, int rank) const { return at(2 * (wave % 2), rank); }
  std::byte* receive(Index wave, int rank) const { return at(2 * (wave % 2) + 1, rank); }
  const std::shared_ptr<std::byte[]>& memory() const { return memory_; }

 private:
  std::byte* at(Index part, int rank) const { return memory_.get() + (part * ranks_ + rank) * rows_ * row_bytes_; }

  Index row_bytes_ = 0, rows_ = 0;
  int ranks_ = 0;
  std::shared_ptr<std::byte[]> memory_;
};

/// One way of rows: how many go where, and what is done with them.
class RowFlow {
 public:
  virtual ~RowFlow() = default;
  virtual Index sends(int rank) const = 0;
  virtual Index receives(int rank) const = 0;
  /// Rows [begin, end) of those for a rank, to `to`.
  virtual void pack(int rank, Index begin, Index end, std::byte* to) = 0;
  /// Where row `begin` of those from a rank, and what follows, is wanted; null: take() them from a buffer.
  virtual std::byte* room(int rank, Index begin) = 0;
  virtual void take(int rank, Index begin, Index end, const std::byte* rows) = 0;
  /// A part of what stays on this rank.
  virtual void stay(Index part, Index parts) = 0;
  /// Holds the memory that room() gives.
  virtual std::shared_ptr<const void> keep() const { return {}; }
};

/// Rule RK6.
Status run_flow(Group& group, const FlowBuffers& buffers, RowFlow& flow);

}  // namespace garner
