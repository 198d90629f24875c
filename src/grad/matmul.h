// Matrix products of tensors, through Eigen; on a device by a kernel of our own, whose last bits may be others.
#pragma once
#include "garner/tensor.h"

namespace garner::grad::plain {

enum class Turn { kNone, kTransposed };

/// The last two axes of a tensor, as they are or transposed.
struct Factor {
  const Tensor& tensor;
  Turn turn = Turn::kNone;
};

/// (…, m, k) · (…, k, n); leading axes broadcast. Of all dtypes but bool: 8- and 16-bit floats are multiplied and added
/// in f32 and rounded once, integers wrap. The result does not depend on the number of threads. Rules G5, G6.
Result<Tensor> matmul(const Factor& a, const Factor& b);

}  // namespace garner::grad::plain
