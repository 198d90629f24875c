// The widest pieces in which a launch's rows can be moved.
#pragma once
#include "kernel/kernel.h"

namespace garner {

/// 16, 8, 4, 2 or 1 bytes: every row begins at a multiple of it on both sides, and is a multiple of it long. At least
/// an element, or what a c128 is aligned to.
int piece_bytes(const Launch& launch);

}  // namespace garner
