// The values an affine expression takes over a domain.
#pragma once
#include <optional>

#include "base/checked_math.h"
#include "tensor/walk.h"

namespace garner {

struct Range {
  Index lo, hi;
};  // both included

/// Of offset + sum step * d, over a domain without empty axes; nothing when it overflows.
inline std::optional<Range> affine_range(Index offset, const Axes& domain, const Axes& step) {
  Range r{offset, offset};
  for (std::size_t k = 0; k < domain.size(); ++k) {
    Index& end = step[k] < 0 ? r.lo : r.hi;
    const auto moved = checked_mul_add(domain[k] - 1, step[k], end);
    if (!moved) return std::nullopt;
    end = *moved;
  }
  return r;
}

}  // namespace garner
