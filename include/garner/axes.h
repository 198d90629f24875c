// The one integer type for extents, strides and positions, and lists of it.
#pragma once
#include <cstdint>
#include <vector>

namespace garner {

using Index = std::int64_t;       // every extent, stride and position; never int
using Axes = std::vector<Index>;  // one entry per axis

}  // namespace garner
