// From double to a float dtype in one rounding.
#pragma once
#include <bit>
#include <cmath>

#include "dtype/convert.h"

namespace garner::grad::plain {

/// A float that rounds to a smaller one as the double would: where it is inexact, cut off with its last bit set.
inline float for_rounding(double value) {
  const auto near = static_cast<float>(value);
  if (static_cast<double>(near) == value || !std::isfinite(near)) return near;
  const float cut = std::fabs(static_cast<double>(near)) > std::fabs(value) ? std::nextafter(near, 0.0F) : near;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(cut) | 1U);
}

template <class T>
T rounded_once(double value) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(value);
  else return static_cast<T>(for_rounding(value));
}

}  // namespace garner::grad::plain
