// Which dtypes a computation may convert to unasked.
#pragma once
#include "garner/dtype.h"

namespace garner::stablehlo {

/// The same kind of number, at least as wide.
bool is_promotable(DType from, DType to);

}  // namespace garner::stablehlo
