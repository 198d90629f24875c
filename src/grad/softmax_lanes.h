// Softmax of tensors along an axis, and the loss that goes with it. Floats only (G6). Added up in double, rounded once.
#pragma once
#include "garner/tensor.h"

namespace garner::grad::plain {

Result<Tensor> softmax(const Tensor& a, Index axis);
Result<Tensor> log_softmax(const Tensor& a, Index axis);

/// The mean over rows of log(sum exp(row)) - row[target], of rank 0. Rules G5 shapes, G6 dtypes, G9 targets.
Result<Tensor> cross_entropy(const Tensor& logits, const Tensor& target);

/// The rows' targets as 1 among 0, of logits' dtype and shape; they have passed cross_entropy.
Result<Tensor> one_hot_like(const Tensor& logits, const Tensor& target);

}  // namespace garner::grad::plain
