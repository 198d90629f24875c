// So few updates that one kernel does all of it: a call with few updates is as long as it takes to start kernels.
#pragma once
#include "kernel/kernel.h"

namespace garner {

/// Is that quicker than to sort them? Asked where places and offsets of updates fit 32 bits.
bool has_few_updates(const Launch& l);
void scatter_few(const Launch& l);

}  // namespace garner
