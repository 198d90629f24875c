// Rows straight from their index values: no offsets are kept in between, so that rows are asked for without a gap.
#pragma once
#include "garner/plan.h"

namespace garner {

/// Row j of the result is the `bytes` at value j * pitch behind `from`.
struct StraightRows {
  DType dtype;
  const void* index;  // one value after another
  const Bounds* bounds;
  const std::byte* from;  // where the value 0 leads
  Index pitch, bytes;     // in bytes; rows are whole cache lines
  std::byte* to;          // at the beginning of one
};

/// Rows [0, count) past the caches, up to the first few of which not all values are in range, or which are too few for
/// a vector; returns how many there are. The caller ends its last such call with finish_stream().
Index stream_straight_rows(const StraightRows& rows, Index count);

/// May a plan's rows be had so? One index tensor whose values follow each other and that alone says where a row is, no
/// mask, and bounds that speak of values; of the result one row behind another.
bool has_straight_rows(const IndexPlan& plan, Index run);

}  // namespace garner
