#include "ranks/flow.h"

#include <algorithm>
#include <array>

#include "base/checked_math.h"
#include "base/fail.h"

namespace garner {
namespace {

/// Of all messages of a wave one way: many ranks have smaller messages, not more memory.
constexpr Index kWaveBytes = 32 << 20;

Index rows_per_message(Index row_bytes, int ranks, Index message_bytes) {
  const Index bytes = std::min(message_bytes, kWaveBytes / std::max(1, ranks - 1));
  return std::max<Index>(1, bytes / std::max<Index>(1, row_bytes));
}

/// Who holds what a wave's messages look at.
struct Kept {
  std::shared_ptr<const void> buffers, rooms;
};

class Waves {
 public:
  Waves(Group& group, const FlowBuffers& buffers, RowFlow& flow)
      : group_(group), buffers_(buffers), flow_(flow), keep_(std::make_shared<Kept>(buffers.memory(), flow.keep())) {}

  Index count() const {
    Index most = 0;
    for (int k = 0; k < group_.size(); ++k)
      if (k != group_.rank()) most = std::max({most, flow_.sends(k), flow_.receives(k)});
    return most == 0 ? 0 : (most - 1) / buffers_.rows() + 1;
  }

  Status start(Index wave) {
    Messages messages = no_messages(group_.size());
    messages.keep = keep_;
    for (int k = 0; k < group_.size(); ++k)
      if (k != group_.rank()) prepare(wave, k, messages);
    GARNER_ASSIGN(transfers_[static_cast<std::size_t>(wave % 2)], group_.start(std::move(messages)));
    return {};
  }

  Status finish(Index wave) {
    auto& transfer = transfers_[static_cast<std::size_t>(wave % 2)];
    GARNER_TRY(group_.wait(*transfer));
    transfer.reset();
    for (int k = 0; k < group_.size(); ++k)
      if (k != group_.rank()) unpack(wave, k);
    return {};
  }

 private:
  struct Piece {
    Index begin, end;
    Index count() const { return end - begin; }
  };
  Piece piece(Index wave, Index rows) const {
    return {std::min(wave * buffers_.rows(), rows), std::min((wave + 1) * buffers_.rows(), rows)};
  }
  std::byte* room(Index wave, int rank, Index begin) {
    std::byte* there = flow_.room(rank, begin);
    return there != nullptr ? there : buffers_.receive(wave, rank);
  }

  void prepare(Index wave, int rank, Messages& messages) {
    const auto k = static_cast<std::size_t>(rank);
    const Piece in = piece(wave, flow_.receives(rank)), out = piece(wave, flow_.sends(rank));
    if (in.count() > 0) messages.receives[k] = bytes_of(room(wave, rank, in.begin), in.count() * buffers_.row_bytes());
    if (out.count() <= 0) return;
    std::byte* packed = buffers_.send(wave, rank);
    flow_.pack(rank, out.begin, out.end, packed);
    messages.sends[k] = bytes_of(packed, out.count() * buffers_.row_bytes());
  }

  void unpack(Index wave, int rank) {
    const Piece in = piece(wave, flow_.receives(rank));
    if (in.count() > 0 && flow_.room(rank, in.begin) == nullptr)
      flow_.take(rank, in.begin, in.end, buffers_.receive(wave, rank));
  }

  Group& group_;
  const FlowBuffers& buffers_;
  RowFlow& flow_;
  std::shared_ptr<const Kept> keep_;
  std::array<std::unique_ptr<Transfer>, 2> transfers_;
};

}  // namespace

Result<FlowBuffers> FlowBuffers::make(Index row_bytes, int ranks, Index message_bytes) {
  FlowBuffers out;
  out.row_bytes_ = row_bytes;
  out.ranks_ = ranks;
  out.rows_ = rows_per_message(row_bytes, ranks, message_bytes);
  const auto bytes = checked_product({4, ranks, out.rows_, row_bytes});
  if (bytes && ranks > 1) out.memory_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(*bytes)]);
  if (ranks > 1 && !out.memory_)
    return fail(Code::kMemory, "V6",
                "ranks: messages of {} rows of {} bytes to {} ranks: the system refuses the memory", out.rows_,
                row_bytes, ranks);
  return out;
}

Status run_flow(Group& group, const FlowBuffers& buffers, RowFlow& flow) {
  Waves waves(group, buffers, flow);
  const Index count = waves.count();
  for (Index wave = 0; wave <= count; ++wave) {
    if (wave < count) GARNER_TRY(waves.start(wave));
    flow.stay(wave, count + 1);
    if (wave > 0) GARNER_TRY(waves.finish(wave - 1));
  }
  return {};
}

}  // namespace garner
