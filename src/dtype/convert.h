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

/// Complex to real keeps the real part; real to bool is != 0. Float to integer is the caller's range to check.
template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<To, From>) return value;
  else if constexpr (is_complex_v<From> && is_complex_v<To>) return To(value);
  else if constexpr (is_complex_v<From>) return convert<To>(value.real());
  else if constexpr (is_complex_v<To>) return To(static_cast<typename To::value_type>(to_compute(value)));
  else if constexpr (std::is_same_v<To, Bool>) return Bool(to_compute(value) != 0);
  else return static_cast<To>(static_cast<Compute<To>>(to_compute(value)));
}

}  // namespace garner
