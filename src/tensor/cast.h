// Values of another dtype.
#pragma once
#include "garner/tensor.h"

namespace garner {

/// A row-major copy with every value converted (dtype/convert.h). The caller has checked that the values fit.
Result<Tensor> cast(const View& view, DType to);

}  // namespace garner
