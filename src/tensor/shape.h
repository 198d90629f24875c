// What a shape must be before there is memory for it.
#pragma once
#include "garner/view.h"

namespace garner {

/// How many elements it has. Rules V1 (negative extent), V2 (extents overflow).
Result<Index> elements_of(DType dtype, const Axes& shape, const std::string& name);

}  // namespace garner
