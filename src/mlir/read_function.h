// A function's operations: names become slots, spellings of an operation become one.
#pragma once
#include "mlir/read_attribute.h"

namespace garner::mlir {

/// From the region behind a function's signature. Arguments may also stand in the region's own label. Rules M1–M4.
Result<Function> read_function(const Node& region, Signature signature, const Aliases& aliases);

}  // namespace garner::mlir
