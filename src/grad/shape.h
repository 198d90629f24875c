// Tensors of other shapes: copies, each on all threads.
#pragma once
#include "garner/tensor.h"

namespace garner::grad::plain {

/// Axis a of the result is axis order[a]; order is a permutation.
Result<Tensor> transpose(const Tensor& a, const Axes& order);
/// Rule G5.
Result<Tensor> broadcast(const Tensor& a, const Axes& shape);
/// Places begin, …, begin + count - 1 of an axis, which has them.
Result<Tensor> slice(const Tensor& a, Index axis, Index begin, Index count);
/// Rules G5 shapes that differ along the axis only, G6 one dtype. There is at least one part, and it has the axis.
Result<Tensor> concatenate(const std::vector<Tensor>& parts, Index axis);

/// The shape with its -1 replaced by what is left; rule G5.
Result<Axes> resolved(const Axes& shape, Index elements);

}  // namespace garner::grad::plain
