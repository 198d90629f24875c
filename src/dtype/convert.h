// Value conversion between element types, through the widest type of the kind.
#pragma once
#include "dtype/dispatch.h"

namespace garner {

/// The type arithmetic on T is done in: float for the 8- and 16-bit floats, T itself otherwise.
template <class T>
using Compute = std::conditional_t<is_float8_v<T> || is_half_v<T>, float, T>;

template <class T>
Compute<T> to_compute(T value) {
  return static_cast<Compute<T>>(value);
}

/// A float to an integer, cut towards zero, whatever it holds: by way of i64, wrapped, and what i64 does not hold (NaN
/// too) as its least value, which is what x86-64 gives. u64 alone reaches past i64.
template <class To>
To truncated(double value) {
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  if (std::is_same_v<To, std::uint64_t> && value >= kEnd && value < 2 * kEnd) return static_cast<To>(value);
  const bool held = value >= -kEnd && value < kEnd;
  return static_cast<To>(held ? static_cast<std::int64_t>(value) : INT64_MIN);
}

/// Complex to real keeps the real part; to bool is != 0.
template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<To, From>) return value;
  else if constexpr (is_complex_v<From> && is_complex_v<To>) return To(value);
  else if constexpr (is_complex_v<From> && std::is_same_v<To, Bool>) return Bool(value != From(0));
  else if constexpr (is_complex_v<From>) return convert<To>(value.real());
  else if constexpr (is_complex_v<To>) return To(static_cast<typename To::value_type>(to_compute(value)));
  else if constexpr (std::is_same_v<To, Bool>) return Bool(to_compute(value) != 0);
  else if constexpr (is_index_v<To> && std::is_floating_point_v<Compute<From>>) return truncated<To>(to_compute(value));
  else return static_cast<To>(static_cast<Compute<To>>(to_compute(value)));
}

}  // namespace garner
