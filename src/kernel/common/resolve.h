// Index values to element offsets, a segment at a time. The one place where a kernel's inner loop sees an index dtype.
#pragma once
#include "garner/plan.h"

namespace garner {

/// `count` values of one term: index[j * index_step].
struct TermSegment {
  DType dtype;
  const void* index;
  Index index_step, count;
  const Bounds* bounds;
  Index scale;                // element stride of the axis the values address
  Index window, window_step;  // what the axis adds to value j: window + j * window_step (for bounds at position)
  Index* offset;              // in/out: offset[j] += value * scale
  std::uint8_t* valid;        // in/out: cleared where a value is out of range; may be null when nothing can be
};

/// Returns how many positions were valid before and are not now. Values under trap, fill and drop that are out of range
/// leave their offset alone. Compiled once per SIMD target and picked at run time.
Index resolve_segment(const TermSegment& segment);

/// The SIMD target in use, for `garner info`.
const char* simd_target();

}  // namespace garner
