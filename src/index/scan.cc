#include "index/scan.h"

// Baseline, SSE4, AVX2 and AVX-512: the ones in between gain nothing here and cost build time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/scan.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner::index {
namespace HWY_NAMESPACE {

// Elements whose keys are compared before any position is looked for: still in L1 when one is.
constexpr Index kBlock = 2048;

template <class T>
HWY_INLINE KeyOf<T> block_best(const T* data, Index n, const Keys<T> key) {
  KeyOf<T> best = 0;
  for (Index i = 0; i < n; ++i) {
    const auto k = key(data[i]);
    best = best < k ? k : best;
  }
  return best;
}

template <class T>
HWY_INLINE bool block_has(const T* data, Index n, const Keys<T> key, KeyOf<T> wanted) {
  KeyOf<T> hits = 0;  // of the key's width, so that a lane of keys is a lane of hits
  for (Index i = 0; i < n; ++i) hits = static_cast<KeyOf<T>>(hits | (key(data[i]) == wanted ? 1 : 0));
  return hits != 0;
}

/// Vectors first, single elements only in the step that has it.
constexpr Index kStep = 64;

template <class T>
HWY_INLINE Index locate(const T* data, Index n, const Keys<T> key, KeyOf<T> wanted, Tie tie) {
  const bool first = tie == Tie::kFirst;
  for (Index done = 0; done < n; done += kStep) {
    const Index size = HWY_MIN(kStep, n - done), from = first ? done : n - done - size;
    if (!block_has(data + from, size, key, wanted)) continue;
    Index at = first ? from : from + size - 1;
    while (key(data[at]) != wanted) at += first ? 1 : -1;
    return at;
  }
  return -1;
}

/// Block maxima first; a position is looked for once, in the block that won.
template <class T>
Best lane_best(const Lane& lane, Tie tie) {
  const auto* data = static_cast<const T*>(lane.data);
  const Keys<T> key(lane.rule);
  KeyOf<T> best = 0;
  Index winner = 0;
  for (Index at = 0; at < lane.count; at += kBlock) {
    const auto k = block_best(data + at, HWY_MIN(kBlock, lane.count - at), key);
    if (k > best || (k == best && tie == Tie::kLast)) best = k, winner = at;
  }
  const Index found = locate(data + winner, HWY_MIN(kBlock, lane.count - winner), key, best, tie);
  return {best, found < 0 ? 0 : winner + found};
}

template <class T>
Index lane_find(const Lane& lane, WideKey wanted) {
  const auto* data = static_cast<const T*>(lane.data);
  const Keys<T> key(lane.rule);
  const auto w = static_cast<KeyOf<T>>(wanted);
  for (Index at = 0; at < lane.count; at += kBlock) {
    const Index n = HWY_MIN(kBlock, lane.count - at);
    if (block_has(data + at, n, key, w)) return at + locate(data + at, n, key, w, Tie::kFirst);
  }
  return -1;
}

/// Positions run beside keys of the same width where that is wide enough, so that both fill whole vectors.
template <class K> using PositionFor = std::conditional_t<sizeof(K) <= 4, std::uint32_t, std::uint64_t>;

/// Rows [0, n) of a block, n within what P counts; `base` is the position of row 0.
template <class T, Tie kTie, class P>
HWY_INLINE void column_rows(const Columns& block, KeyOf<T>* HWY_RESTRICT best, P* HWY_RESTRICT position) {
  const Keys<T> key(block.rule);
  const Index columns = block.columns;
  for (Index i = 0; i < block.count; ++i) {
    const T* HWY_RESTRICT row = static_cast<const T*>(block.data) + i * block.stride;
    const P here = static_cast<P>(i);
    for (Index j = 0; j < columns; ++j) {
      const auto k = key(row[j]);
      const bool better = kTie == Tie::kFirst ? k > best[j] : k >= best[j];
      position[j] = better ? here : position[j];
      best[j] = better ? k : best[j];
    }
  }
}

template <class T, Tie kTie, class P>
HWY_INLINE void columns_best(const Columns& block, const ColumnTarget& target) {
  KeyOf<T> best[kMaxColumns] = {};
  P position[kMaxColumns] = {};
  column_rows<T, kTie, P>(block, best, position);
  for (Index j = 0; j < block.columns; ++j) {
    const bool nothing = has_nan_v<T> && best[j] == 0;
    target.position[j] = nothing ? target.nothing : static_cast<Index>(position[j]);
  }
}

template <class T, Tie kTie>
HWY_INLINE void columns_best_any(const Columns& block, const ColumnTarget& target) {
  if (block.count <= INT32_MAX) columns_best<T, kTie, PositionFor<KeyOf<T>>>(block, target);
  else columns_best<T, kTie, std::uint64_t>(block, target);
}

/// From the last row to the first, so that the first one to match is what stays.
template <class T>
HWY_INLINE void columns_find(const Columns& block, WideKey wanted, const ColumnTarget& target) {
  const Keys<T> key(block.rule);
  const auto w = static_cast<KeyOf<T>>(wanted);
  for (Index j = 0; j < block.columns; ++j) target.position[j] = target.nothing;
  for (Index i = block.count; i-- > 0;) {
    const T* HWY_RESTRICT row = static_cast<const T*>(block.data) + i * block.stride;
    for (Index j = 0; j < block.columns; ++j) target.position[j] = key(row[j]) == w ? i : target.position[j];
  }
}

Best BestInLane(const Lane& lane, Tie tie) {
  return dispatch(lane.dtype, [&]<class T>() { return lane_best<T>(lane, tie); });
}

Index FindInLane(const Lane& lane, WideKey wanted) {
  return dispatch(lane.dtype, [&]<class T>() { return lane_find<T>(lane, wanted); });
}

void BestInColumns(const Columns& block, Tie tie, const ColumnTarget& target) {
  dispatch(block.dtype, [&]<class T>() {
    if (tie == Tie::kFirst) columns_best_any<T, Tie::kFirst>(block, target);
    else columns_best_any<T, Tie::kLast>(block, target);
  });
}

void FindInColumns(const Columns& block, WideKey wanted, const ColumnTarget& target) {
  dispatch(block.dtype, [&]<class T>() { columns_find<T>(block, wanted, target); });
}

}  // namespace HWY_NAMESPACE
}  // namespace garner::index
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner::index {
HWY_EXPORT(BestInLane);
HWY_EXPORT(FindInLane);
HWY_EXPORT(BestInColumns);
HWY_EXPORT(FindInColumns);

Best best_in_lane(const Lane& lane, Tie tie) { return HWY_DYNAMIC_DISPATCH(BestInLane)(lane, tie); }
Index find_in_lane(const Lane& lane, WideKey wanted) { return HWY_DYNAMIC_DISPATCH(FindInLane)(lane, wanted); }
void best_in_columns(const Columns& block, Tie tie, const ColumnTarget& target) {
  HWY_DYNAMIC_DISPATCH(BestInColumns)(block, tie, target);
}
void find_in_columns(const Columns& block, WideKey wanted, const ColumnTarget& target) {
  HWY_DYNAMIC_DISPATCH(FindInColumns)(block, wanted, target);
}
}  // namespace garner::index
#endif
