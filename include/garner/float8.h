// The two 8-bit floats of OCP's OFP8: e4m3fn (no infinity, one NaN pattern, largest 448) and e5m2 (IEEE-like, largest
// 57344). Arithmetic is done in float; these types only store. Rounding is to nearest, ties to even.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

#include "garner/host_device.h"

namespace garner {
namespace float8 {

struct Format {
  int mantissa_bits, bias, max_exponent;
  bool has_infinity;
};
inline constexpr Format kE4M3{3, 7, 15, false};
inline constexpr Format kE5M2{2, 15, 31, true};

GARNER_HD constexpr std::uint8_t nan_bits(Format f) { return f.has_infinity ? 0x7e : 0x7f; }
GARNER_HD constexpr std::uint8_t infinity_bits(Format f) { return f.has_infinity ? 0x7c : 0x7f; }
GARNER_HD constexpr std::uint8_t largest_bits(Format f) { return f.has_infinity ? 0x7b : 0x7e; }

GARNER_HD inline float decode(std::uint8_t bits, Format f) {
  const int magnitude = bits & 0x7f, exponent = magnitude >> f.mantissa_bits;
  const int mantissa = magnitude & ((1 << f.mantissa_bits) - 1);
  const float sign = (bits & 0x80) != 0 ? -1.0F : 1.0F;
  if (f.has_infinity && exponent == f.max_exponent) return mantissa != 0 ? std::nanf("") : sign * INFINITY;
  if (!f.has_infinity && magnitude == 0x7f) return std::nanf("");
  const int implicit = exponent == 0 ? 0 : 1 << f.mantissa_bits;
  return sign *
         std::ldexp(static_cast<float>(mantissa + implicit), (exponent == 0 ? 1 : exponent) - f.bias - f.mantissa_bits);
}

/// Values that round past the largest finite one become infinity (e5m2) or NaN (e4m3fn), as in ml_dtypes.
GARNER_HD inline std::uint8_t encode(float value, Format f) {
  const auto sign = static_cast<std::uint8_t>(std::signbit(value) ? 0x80 : 0);
  if (std::isnan(value)) return sign | nan_bits(f);
  if (std::isinf(value)) return sign | infinity_bits(f);
  const float magnitude = std::fabs(value);
  int exponent = magnitude == 0 ? 1 - f.bias : std::ilogb(magnitude);
  if (exponent < 1 - f.bias) exponent = 1 - f.bias;
  // In units of the last place of this binade; nearbyint rounds ties to even.
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, f.mantissa_bits - exponent)));
  // A subnormal has units below the implicit one; adding lets a carry move into the exponent by itself.
  const int bits = ((exponent + f.bias - 1) << f.mantissa_bits) + units;
  return sign | (bits > largest_bits(f) ? infinity_bits(f) : static_cast<std::uint8_t>(bits));
}

template <int Which>
struct Value {
  static constexpr Format kFormat = Which == 0 ? kE4M3 : kE5M2;
  std::uint8_t bits = 0;

  Value() = default;
  GARNER_HD explicit Value(float value) : bits(encode(value, kFormat)) {}
  GARNER_HD explicit operator float() const { return decode(bits, kFormat); }
};

}  // namespace float8

using Float8E4M3 = float8::Value<0>;
using Float8E5M2 = float8::Value<1>;

}  // namespace garner
