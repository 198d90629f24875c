// The byte model, and how fast this machine moves bytes.
#pragma once
#include "garner/explain.h"

namespace garner {

/// Of a job whose inputs have been checked.
Traffic traffic_of(const Job& job);

/// Bytes read and written per second by a copy of memory on all threads: measured once, for some 50 ms. 0 when there
/// is no memory for it.
double copy_rate();

}  // namespace garner
