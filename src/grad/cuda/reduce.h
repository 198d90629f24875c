// Sums on a device in the order of the CPU (grad/reduce.cc), and what finds the positions of extremes. On the thread's
// default stream; dtypes and shapes have been checked.
#pragma once
#include "garner/tensor.h"

namespace garner::grad::plain::on_device {

/// Axes of an array: extents, strides in it, and strides in the result.
struct Line {
  const Axes &shape, &stride, &result;
};

/// The CPU's order: pieces of a row, columns side by side (index::RunSpace::kPiece, grad/reduce.cc).
inline constexpr Index kRowPiece = 1 << 14, kColumnsAtOnce = 256;

/// The dtype that sums are held in: f64, c128 or u64.
DType sum_dtype(DType dtype);

/// sums[r] for the kept places of a box, over all reduced places of it. `first`: the box's first element in a; `sums`:
/// where its first result goes.
Status sum_box(const Tensor& a, Index first, const Line& kept, const Line& reduced, void* sums);

/// out[r] = (sums[0][r] + sums[1][r] + …) / divisor, rounded once.
Status finish_sums(const Tensor& sums, Index pieces, double divisor, const MutableView& out);

/// From positions among the reduced places of each kept place to positions in the tensor, in place.
Status to_positions(const Line& kept, const Line& reduced, const MutableView& positions);

/// out[i] = a[positions[i]] and out[positions[i]] = true, counted through all elements.
Status take(const Tensor& a, const Tensor& positions, const MutableView& out);
Status mark(const Tensor& positions, const MutableView& out);

}  // namespace garner::grad::plain::on_device
