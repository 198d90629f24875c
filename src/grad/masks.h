// Comparisons of tensors, for rules that follow the winner. All arguments have one shape and lie on one device; results
// are bool, and lie there, too.
#pragma once
#include "garner/tensor.h"

namespace garner::grad {

Tensor is_zero(const View& a);
/// Equal, or both NaN.
Tensor is_same(const View& a, const View& b);
Tensor is_equal(const View& integers, Index value);  // i64
Tensor both(const View& a, const View& b);
Tensor negated(const View& a);

/// 1, 2, 3, … in row-major order: i64. None is 0, which stands for nobody.
Tensor ids(const Axes& shape, Device device);
/// mask ? id : otherwise, in row-major order: i64.
Tensor ids_where(const View& mask, Index otherwise);
/// mask ? a : b as i64.
Tensor choose(const View& mask, Index a, Index b);

}  // namespace garner::grad
