// Copies between memories of one device.
#pragma once
#include "garner/run.h"

namespace garner {

/// to = from, of one dtype and shape, with any strides; they do not overlap. Stride 0 in `from` repeats.
Status copy_into(const View& from, const MutableView& to, const RunOptions& options);

}  // namespace garner
