// One index value against its bounds, in 64 bits: what all kernels do, on the CPU and on a device. The exact form, in
// 128 bits, is scalar_resolve.h.
#pragma once
#include <cstdint>
#include <type_traits>

#include "garner/host_device.h"
#include "garner/plan.h"

namespace garner {

#define GARNER_INLINE_HD GARNER_HD inline __attribute__((always_inline))

/// A u64 above the largest Index is out of every range; this keeps it so.
template <class T>
GARNER_INLINE_HD Index as_index(T v) {
  if constexpr (std::is_same_v<T, std::uint64_t>) return v >> 63 != 0 ? INT64_MAX : static_cast<Index>(v);
  else return static_cast<Index>(v);
}

/// Counted from the end where it is negative.
template <class T>
GARNER_INLINE_HD Index wrapped_index(T v, const Bounds& b) {
  const Index i = as_index(v);
  if constexpr (std::is_signed_v<T>) return i < 0 ? i + b.wrap : i;
  else return i;
}

/// One unsigned comparison: below lo wraps to a huge number.
GARNER_INLINE_HD bool is_inside(std::uint64_t v, std::uint64_t lo, std::uint64_t size) { return v - lo < size; }

template <class T>
GARNER_INLINE_HD Index modulo_index(T v, const Bounds& b) {
  const Index n = b.hi - b.lo;
  if constexpr (std::is_same_v<T, std::uint64_t>) {  // exact for values no Index can hold
    const auto un = static_cast<std::uint64_t>(n);
    return b.lo + static_cast<Index>((v % un + (un - static_cast<std::uint64_t>(b.lo) % un)) % un);
  } else {
    // |v| % n stays in range before lo is taken off, so nothing overflows.
    const Index rest = (wrapped_index(v, b) % n - b.lo % n) % n;
    return b.lo + (rest < 0 ? rest + n : rest);
  }
}

}  // namespace garner
