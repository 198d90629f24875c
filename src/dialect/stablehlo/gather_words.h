// What gather and dynamic_gather share besides the addressing: they are one operation.
#pragma once
#include "dialect/op.h"
#include "dialect/stablehlo/addressing.h"

namespace garner::stablehlo {

GatherWords gather_words(const char* op);
Addressing addressing(const GatherDims& dims);
GatherDims read_gather_dims(Arguments& a);

}  // namespace garner::stablehlo
