// Sums of float rows side by side, at the width of the machine's vectors. Bit for bit what combine.h's loops give.
#pragma once
#include "garner/axes.h"
#include "garner/dtype.h"

namespace garner {

/// dst[i] += src[i] for i in [0, n); null where there is none for the dtype.
void (*float_add(DType dtype))(void* dst, const void* src, Index n);

}  // namespace garner
