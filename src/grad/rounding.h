// From double to a float dtype in one rounding.
#pragma once
#include <bit>
#include <cfloat>
#include <cstdint>
#include <type_traits>

#include "garner/host_device.h"

namespace garner::grad::plain {

/// A float that rounds to a smaller one as the double would: where it is inexact, cut off with its last bit set.
GARNER_HD inline float for_rounding(double value) {
  const auto near = static_cast<float>(value);
  const auto size = [](double v) { return v < 0 ? -v : v; };
  if (static_cast<double>(near) == value || !(size(near) <= FLT_MAX)) return near;
  const auto bits = std::bit_cast<std::uint32_t>(near);  // one less is the next float towards zero
  return std::bit_cast<float>((size(near) > size(value) ? bits - 1 : bits) | 1U);
}

template <class T>
GARNER_HD T rounded_once(double value) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(value);
  else return static_cast<T>(for_rounding(value));
}

}  // namespace garner::grad::plain
