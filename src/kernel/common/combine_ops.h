// What each Combine does with two values, in the type they are computed in; the same on every device.
// Integers wrap around; bool adds as or, multiplies as and; min and max give NaN where either is NaN, as NumPy does,
// and of equal values the first.
#pragma once
#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "garner/bool.h"
#include "garner/host_device.h"

namespace garner::combine_ops {

template <class C> inline constexpr bool is_complex = false;
template <class R> inline constexpr bool is_complex<std::complex<R>> = true;
template <class C> inline constexpr bool is_integer = std::is_integral_v<C> && !std::is_same_v<C, bool>;

/// Signed overflow is undefined, unsigned wraps; small types go through unsigned so that promotion to int cannot
/// overflow.
template <class C> struct Wrapping {
  using type = C;
};
template <class C>
  requires is_integer<C>
struct Wrapping<C> {
  using type = std::conditional_t<sizeof(C) == 8, std::uint64_t, std::uint32_t>;
};

template <class C>
GARNER_HD bool is_nan(C v) {
  if constexpr (std::is_floating_point_v<C>) return v != v;
  else return false;
}

/// As C's Annex G has it, which the CPU's compilers follow: a product with an infinite factor is infinite.
template <class R>
GARNER_HD std::complex<R> product(std::complex<R> x, std::complex<R> y) {
#ifdef __CUDA_ARCH__
  R a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
  const R ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  const R re = ac - bd, im = ad + bc;
  if (!(isnan(re) && isnan(im))) return {re, im};
  const auto boxed = [](R v) { return copysign(isinf(v) ? R{1} : R{0}, v); };
  const auto unless_nan = [](R v) { return isnan(v) ? copysign(R{0}, v) : v; };
  bool again = false;
  if (isinf(a) || isinf(b)) {
    a = boxed(a), b = boxed(b), c = unless_nan(c), d = unless_nan(d);
    again = true;
  }
  if (isinf(c) || isinf(d)) {
    c = boxed(c), d = boxed(d), a = unless_nan(a), b = unless_nan(b);
    again = true;
  }
  if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {
    a = unless_nan(a), b = unless_nan(b), c = unless_nan(c), d = unless_nan(d);
    again = true;
  }
  if (!again) return {re, im};
  const R infinite = static_cast<R>(INFINITY);
  return {infinite * (a * c - b * d), infinite * (a * d + b * c)};
#else
  return x * y;
#endif
}

struct Assign {
  template <class C> GARNER_HD static C apply(C, C b) { return b; }
};
struct Add {
  template <class C> GARNER_HD static C apply(C a, C b) {
    using W = typename Wrapping<C>::type;
    if constexpr (std::is_same_v<C, Bool>) return Bool(a || b);
    else if constexpr (is_complex<C>) return C(a.real() + b.real(), a.imag() + b.imag());
    else return static_cast<C>(static_cast<W>(a) + static_cast<W>(b));
  }
};
struct Mul {
  template <class C> GARNER_HD static C apply(C a, C b) {
    using W = typename Wrapping<C>::type;
    if constexpr (std::is_same_v<C, Bool>) return Bool(a && b);
    else if constexpr (is_complex<C>) return product(a, b);
    else return static_cast<C>(static_cast<W>(a) * static_cast<W>(b));
  }
};
struct Min {
  template <class C> GARNER_HD static C apply(C a, C b) {
    if constexpr (is_complex<C>) return a;  // verify refuses it (P9)
    else return is_nan(a) || a < b ? a : is_nan(b) || b < a ? b : a;
  }
};
struct Max {
  template <class C> GARNER_HD static C apply(C a, C b) {
    if constexpr (is_complex<C>) return a;
    else return is_nan(a) || b < a ? a : is_nan(b) || a < b ? b : a;
  }
};

template <class C> inline constexpr bool has_bits = is_integer<C> || std::is_same_v<C, Bool>;
template <class C>
GARNER_HD auto bits(C v) {
  if constexpr (std::is_same_v<C, Bool>) return v ? 1 : 0;
  else return v;
}
struct And {
  template <class C> GARNER_HD static C apply(C a, C b) {
    if constexpr (has_bits<C>) return static_cast<C>(bits(a) & bits(b));
    else return a;
  }
};
struct Or {
  template <class C> GARNER_HD static C apply(C a, C b) {
    if constexpr (has_bits<C>) return static_cast<C>(bits(a) | bits(b));
    else return a;
  }
};
struct Xor {
  template <class C> GARNER_HD static C apply(C a, C b) {
    if constexpr (has_bits<C>) return static_cast<C>(bits(a) ^ bits(b));
    else return a;
  }
};

}  // namespace garner::combine_ops
