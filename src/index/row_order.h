// Rows of a table in rising order.
#pragma once
#include "garner/run.h"

namespace garner::index {

/// Where each row was read, row by row; a stable sort keeps the positions of one row in the order they came. Keys of 32
/// bits sort three times as fast as those of 64. A number outside [0, extent) may be cut to the key of a row.
Result<Tensor> order_of_rows(const Axes& rows, Index extent, const RunOptions& run);

}  // namespace garner::index
