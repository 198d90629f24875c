// NumPy's conversions: assignment takes any dtype, several arrays have a common one.
#pragma once
#include "dialect/op.h"
#include "garner/tensor.h"

namespace garner::numpy {

/// The view itself, or a converted copy that `kept` owns.
Result<View> as_dtype(const View& view, DType to, std::vector<Tensor>& kept);

/// NumPy's result_type of arrays; none where it has no rule (bf16 and the 8-bit floats go only with themselves and
/// bool).
std::optional<DType> promote(DType a, DType b);

/// The argument `name`, to be assigned to `dtype`. A bare number has no dtype of its own: it takes that of the array,
/// when that can hold it. Rule NP21.
Result<View> value_argument(Arguments& a, const std::string& name, DType dtype, std::vector<Tensor>& kept);

}  // namespace garner::numpy
