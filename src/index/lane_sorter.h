// The positions of a lane in the order of its keys. Key and position are sorted as one number, so equal keys keep their
// order without a stable sort, and any correct sort gives the same answer. Which sort: docs/adr/0006-sorting.md.
#pragma once
#include <hwy/base.h>

#include <vector>

#include "garner/axes.h"
#include "index/order.h"

namespace garner::index {

/// `count` elements that lie `stride` elements apart.
struct SortLane {
  DType dtype;
  const void* data;
  Index count, stride;
  KeyRule rule;
};

/// Two words of 64 bits: the key above, the position below. VQSort's own type.
using Pair128 = hwy::uint128_t;
struct WidePair {
  WideKey key;
  Index position;
};

/// Real numbers of 2, 4 and 8 bytes.
bool dtype_sorts_alone(DType dtype);

/// Keeps its memory from lane to lane. One per thread.
class LaneSorter {
 public:
  /// out[0 … count) = the positions, smallest key first. More than one thread only pays for long lanes.
  void sort(const SortLane& lane, int threads, Index* out);
  /// The elements themselves, in that order, at out[i * stride], where dtype_sorts_alone(): keys are sorted without
  /// positions, half the bytes, and become elements again.
  void sort_values(const SortLane& lane, int threads, void* out);
  /// out[0 … k) = the first k of those; in order of position when `sorted` is false.
  void top(const SortLane& lane, Index k, bool sorted, Index* out);

 private:
  template <class F> void with_pairs(const SortLane& lane, F&& f);
  std::vector<std::uint16_t> keys16_;
  std::vector<std::uint32_t> keys32_;
  std::vector<std::uint64_t> narrow_;  // pairs, or keys of 8 bytes
  std::vector<Pair128> middle_;
  std::vector<WidePair> wide_;
};

}  // namespace garner::index
