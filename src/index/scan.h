// The loops that look at every element once: the best key of a lane, the first equal one, and both for many lanes side
// by side. Compiled once per SIMD target and picked at run time.
#pragma once
#include <span>

#include "garner/index.h"
#include "index/order.h"

namespace garner::index {

/// `count` elements behind one another.
struct Lane {
  DType dtype;
  const void* data;
  Index count;
  KeyRule rule;
};

/// Where the largest key stands; position 0 and key 0 when there is none above 0.
struct Best {
  WideKey key = 0;
  Index position = 0;
};
Best best_in_lane(const Lane& lane, Tie tie);

/// The first position whose key is `wanted`, or -1.
Index find_in_lane(const Lane& lane, WideKey wanted);

/// Positions from `from` on whose key is below `limit`, ascending, as long as there is room for kAtOnce more: how many,
/// and where to go on. `out` has room for at least kAtOnce.
inline constexpr Index kAtOnce = 128;
struct Below {
  Index count, next;
};
Below collect_below(const Lane& lane, Index from, WideKey limit, std::span<Index> out);

/// A key that at least k elements do not exceed, k > 0, and in random lanes few others; a dtype's largest key says
/// nothing.
WideKey bound_of_first(const Lane& lane, Index k);

/// `columns` lanes side by side, at most kMaxColumns: element i of lane j is data[i * stride + j].
inline constexpr Index kMaxColumns = 2048;  // keys and rows of f32 then fill half of a 32-KiB L1
struct Columns {
  DType dtype;
  const void* data;
  Index count, stride, columns;
  KeyRule rule;
};

/// As Best, for each lane.
struct ColumnBest {
  WideKey* key;
  Index* position;
};
void best_in_columns(const Columns& block, Tie tie, const ColumnBest& target);

/// position[j], and `nothing` where no key is the one wanted.
struct ColumnTarget {
  Index* position;
  Index nothing;
};
void find_in_columns(const Columns& block, WideKey wanted, const ColumnTarget& target);

}  // namespace garner::index
