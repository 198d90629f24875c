// From R's numbering to the engine's.
#pragma once
#include <limits>

#include "garner/axes.h"

namespace garner::anvil {

/// The smallest number stays: it is no dimension in either numbering.
inline Index from_one(Index n) { return n == std::numeric_limits<Index>::min() ? n : n - 1; }

inline Axes from_one(Axes dims) {
  for (Index& d : dims) d = from_one(d);
  return dims;
}

}  // namespace garner::anvil
