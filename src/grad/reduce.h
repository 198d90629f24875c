// Sums, and where the largest or smallest element stands, over some axes of a tensor.
#pragma once
#include "garner/tensor.h"

namespace garner::grad::plain {

/// Which axes go, in order, each once; and the shape that is left, with and without an extent of 1 for each.
struct Reduction {
  Axes axes, kept, with_ones;
  Index count = 1;  // elements that become one
};

/// Rule G5: axes lie in [-rank, rank), none twice. No list: all.
Result<Reduction> reduction(const char* op, const Axes& shape, const std::optional<Axes>& axes);

/// Added in double (complex<double>, or integers that wrap), divided, and rounded once. The order depends on the shape
/// alone, not on threads. The result has the shape `kept`.
Result<Tensor> sum(const Tensor& a, const Reduction& over);
Result<Tensor> mean(const Tensor& a, const Reduction& over);

/// The chosen elements, of shape `kept`, and where each stands in the tensor, row-major: i64.
struct Extremes {
  Tensor values, positions;
};
enum class Which { kMax, kMin };
/// The first of equal elements; the first NaN if there is one. Rule G5: there is something to choose from.
Result<Extremes> extremes(Which which, const Tensor& a, const Reduction& over);

/// bool, of the given shape: true at the positions.
Result<Tensor> mask_at(const Tensor& positions, const Axes& shape);

}  // namespace garner::grad::plain
