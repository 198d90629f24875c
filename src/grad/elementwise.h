// Arithmetic on tensors, element by element. Two operands broadcast (G5) and have one dtype (G6); a dtype that an
// operation does not offer is refused (G6). 8- and 16-bit floats are computed in float and rounded once; integers wrap.
// On the device the operands lie on; a single number may come from the CPU (P23).
#pragma once
#include "garner/tensor.h"

namespace garner::grad::plain {

Result<Tensor> add(const Tensor& a, const Tensor& b);
Result<Tensor> sub(const Tensor& a, const Tensor& b);
Result<Tensor> mul(const Tensor& a, const Tensor& b);
Result<Tensor> div(const Tensor& a, const Tensor& b);
Result<Tensor> pow(const Tensor& a, const Tensor& b);

Result<Tensor> neg(const Tensor& a);
Result<Tensor> conj(const Tensor& a);
Result<Tensor> exp(const Tensor& a);
Result<Tensor> log(const Tensor& a);
Result<Tensor> sqrt(const Tensor& a);
Result<Tensor> tanh(const Tensor& a);
Result<Tensor> sigmoid(const Tensor& a);
Result<Tensor> relu(const Tensor& a);

/// The number is not rounded to the dtype first.
Result<Tensor> scale(const Tensor& a, double factor);
Result<Tensor> power(const Tensor& a, double exponent);

/// 1 and 0 of the operands' dtype: 1 where a and b are 0; where a is 0 and b >= 0. For pow's rule, which steps round
/// the places where a formula has no value though the derivative has.
Result<Tensor> both_zero(const Tensor& a, const Tensor& b);
Result<Tensor> zero_base(const Tensor& a, const Tensor& b);

/// bool: not (a <= 0), so NaN counts as above.
Result<Tensor> above_zero(const Tensor& a);

/// mask ? a : 0, of any dtype. Rules G5 the mask broadcasts to a, G6 it is bool.
Result<Tensor> keep(const Tensor& mask, const Tensor& a);

/// Every element the number.
Result<Tensor> filled(double value, DType dtype, const Axes& shape, Device device = {});

/// The shape of both together; rule G5.
Result<Axes> common_shape(const char* op, const Axes& a, const Axes& b);

/// Rule G6.
Status check_same_dtype(const char* op, DType a, DType b);

}  // namespace garner::grad::plain
