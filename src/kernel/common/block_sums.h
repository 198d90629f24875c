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
  void count_lines(const Launch& launch, Index piece, Index pieces, std::vector<Index>& counts) const;
  void count_segments(const Launch& launch, Index piece, Index pieces, std::vector<Index>& counts) const;

  Index run_;
  bool any_ = false;
  std::vector<std::uint32_t> hot_;  // bits, not counts: they stay in L1
  HotSlots slots_;
};

/// The sums of one thread that has some of the places (and some columns of them) for itself.
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

 private:
  static constexpr Index kNone = -1;
  struct Sum {
    Index offset = kNone;
    Index left = 0;       // contributions until the next block starts
    Index block = kNone;  // the one that is being summed, in blocks_; none while the place itself is
  };

  /// The sum of a place. Open addressing: this is looked up for every second update of a skewed scatter, and
  /// std::unordered_map took twice the time.
  Sum& find(Index offset);
  void grow();
  std::size_t home(Index offset) const;

  void* place(Index offset) const;
  void* block(const Sum& sum) { return blocks_.data() + sum.block * block_bytes(); }
  Index block_bytes() const { return count_ * launch_.buffers.widths[0]; }
  /// Starts a block, having added the last one to its place.
  void start(Sum& sum);
  void add_to(void* to, const void* update) const;

  const Launch& launch_;
  const Combiner& combiner_;
  Index from_, count_;
  std::vector<Sum> sums_{256};
  std::size_t used_ = 0;
  std::vector<std::byte> blocks_;
};

}  // namespace garner
