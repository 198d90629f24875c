// The order of a float sum at level exact: what meets in one place is added in index order; of more than kSumBlock
// contributions the later ones in blocks of so many, each summed from +0 by itself and then added to the place. Short
// sums are so the plain index order, and the sum of a place that half of all updates go to can still be shared out
// between thousands of threads, on a device that has them, without another result.
#pragma once
#include <vector>

#include "kernel/common/combine.h"
#include "kernel/common/keep.h"
#include "kernel/common/spread.h"

namespace garner {

/// Contributions in a block of a sum: 0 where the plan's sums are not in blocks.
Index sum_block(const IndexPlan& plan, Determinism level);

/// How often each place may be updated at most: counts by a hash of the lower 32 bits of its offset.
class HotPlaces {
 public:
  /// Counts the positions of all axes but the plan's run, on the launch's threads. `run` is 1 or the plan's.
  HotPlaces(const Launch& launch, Index run);

  bool any() const { return any_; }
  bool may_be(Index offset) const { return slots_.may_be(static_cast<std::uint32_t>(offset)); }
  const HotSlots& slots() const { return slots_; }
  HotPlaces(const HotPlaces&) = delete;
  HotPlaces& operator=(const HotPlaces&) = delete;

 private:
  using Counts = std::vector<std::uint32_t>;  // of a piece, which is no longer: half as much to keep in the cache
  void count_lines(const Launch& launch, Index piece, Index pieces, Counts& counts) const;
  void count_segments(const Launch& launch, Index piece, Index pieces, Counts& counts) const;

  Index run_;
  bool any_ = false;
  std::vector<std::uint32_t> hot_;  // bits, not counts: they stay in L1
  HotSlots slots_;
};

/// The sums of one thread that has some of the places (and some columns of them) for itself. Single elements are kept
/// side by side from the beginning, the first block starting with what is there; rows, which would take much memory,
/// from their second block on.
class BlockSums {
 public:
  /// Columns [from, from + count) of the places.
  BlockSums(const Launch& launch, const Combiner& combiner, Index from, Index count)
      : launch_(launch), combiner_(combiner), from_(from), count_(count) {}
  ~BlockSums();
  BlockSums(const BlockSums&) = delete;
  BlockSums& operator=(const BlockSums&) = delete;

  /// The next contribution to the place at `offset`.
  void add(Index offset, const void* update);
  /// Those of a list, of single elements: the place is `to` and the offset, the update the source's of `updates`.
  void add_all(const PositionList& list, Index count, Index to, const void* updates);

 private:
  static constexpr Index kNone = INT64_MIN;  // no block, no place: those before the data pointer are places, too
  struct Sum {
    Index offset;
    Index left;    // contributions until the next block starts
    Index block;   // the one that is being summed, in blocks_; none while the place itself is
    bool is_first;  // block: it takes the place of what is there
  };
  struct Entry {
    Index offset = kNone;
    std::int32_t sum = 0;
  };

  /// The number of a place's sum. Open addressing, three quarters empty: this is looked up for every second update of a
  /// skewed scatter, and std::unordered_map took twice the time.
  std::int32_t find(Index offset);
  std::int32_t insert(Index offset);
  void grow();
  /// The one of a place, or the empty one where it belongs.
  Entry& entry(Index offset);

  void* place(Index offset) const;
  std::byte* block(const Sum& sum) { return blocks_.data() + sum.block * block_bytes(); }
  Index block_bytes() const { return count_ * launch_.buffers.widths[0]; }
  /// The number of one more, all zero.
  Index new_block();
  /// Brings a block to its place.
  void settle(const Sum& sum);
  /// The next block.
  void start(Sum& sum);

  const Launch& launch_;
  const Combiner& combiner_;
  Index from_, count_;
  std::vector<Entry> table_{256};
  std::vector<Sum> sums_;
  std::vector<std::byte> blocks_;
  std::vector<std::int32_t> numbers_;  // of the sums of a list
};

}  // namespace garner
