// The loops that look at every element once: the best key of a lane, the first equal one, and both for many lanes side
// by side. Compiled once per SIMD target and picked at run time.
#pragma once
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

/// `columns` lanes side by side, at most kMaxColumns: element i of lane j is data[i * stride + j].
inline constexpr Index kMaxColumns = 256;
struct Columns {
  DType dtype;
  const void* data;
  Index count, stride, columns;
  KeyRule rule;
};

/// position[j], and `nothing` where no key is above 0.
struct ColumnTarget {
  Index* position;
  Index nothing;
};
void best_in_columns(const Columns& block, Tie tie, const ColumnTarget& target);
void find_in_columns(const Columns& block, WideKey wanted, const ColumnTarget& target);

}  // namespace garner::index
