// What can be said of shapes and strides without looking at memory.
#pragma once
#include "garner/view.h"

namespace garner {

/// How many elements it has. Rules V1 (negative extent), V2 (extents overflow).
Result<Index> elements_of(DType dtype, const Axes& shape, const std::string& name);

/// Row-major but for axes of extent 1, whose stride never counts.
bool is_row_major(const View& view);

}  // namespace garner
