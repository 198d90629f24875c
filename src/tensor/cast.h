// Values of another dtype.
#pragma once
#include "garner/tensor.h"

namespace garner {

/// A row-major copy with every value converted (dtype/convert.h).
Result<Tensor> cast(const View& view, DType to);

}  // namespace garner
