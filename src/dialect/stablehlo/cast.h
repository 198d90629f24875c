// Values of one dtype as another, and which of them a dialect may convert unasked.
#pragma once
#include "garner/tensor.h"

namespace garner::stablehlo {

/// A row-major copy in another dtype.
Result<Tensor> cast(const View& view, DType to);

/// The same kind of number, at least as wide.
bool is_promotable(DType from, DType to);

}  // namespace garner::stablehlo
