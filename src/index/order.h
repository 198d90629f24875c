// One order for every dtype: each element becomes an unsigned key, and comparing keys compares elements. Searching,
// sorting and finding know keys only, so they are written once per key width and not once per dtype.
//   -0 and 0 have one key; complex numbers compare by real part, then by imaginary part, as in NumPy;
//   no number has the key 0 or the largest key of a float: those two are free for NaN.
#pragma once
#include <bit>
#include <cstdint>

#include "dtype/dispatch.h"

namespace garner::index {

__extension__ using WideKey = unsigned __int128;

template <std::size_t kBytes> struct UIntOf;
template <> struct UIntOf<1> {
  using type = std::uint8_t;
};
template <> struct UIntOf<2> {
  using type = std::uint16_t;
};
template <> struct UIntOf<4> {
  using type = std::uint32_t;
};
template <> struct UIntOf<8> {
  using type = std::uint64_t;
};
template <> struct UIntOf<16> {
  using type = WideKey;
};

template <class K> inline constexpr K kTopBit = static_cast<K>(K{1} << (8 * sizeof(K) - 1));

/// The bits of the largest magnitude that is a number: infinity, where there is one. Above it lies NaN.
template <class T> inline constexpr std::uint64_t kLargestMagnitude = 0;
template <> inline constexpr std::uint64_t kLargestMagnitude<float> = 0x7f800000U;
template <> inline constexpr std::uint64_t kLargestMagnitude<double> = 0x7ff0000000000000U;
template <> inline constexpr std::uint64_t kLargestMagnitude<Eigen::half> = 0x7c00U;
template <> inline constexpr std::uint64_t kLargestMagnitude<Eigen::bfloat16> = 0x7f80U;
template <> inline constexpr std::uint64_t kLargestMagnitude<Float8E4M3> = 0x7eU;
template <> inline constexpr std::uint64_t kLargestMagnitude<Float8E5M2> = 0x7cU;

/// What is compared: a small float that is not in the list above as float.
template <class T> using Ordered = std::conditional_t<is_float8_v<T> && kLargestMagnitude<T> == 0, float, T>;

template <class T>
Ordered<T> ordered(T value) {
  if constexpr (std::is_same_v<Ordered<T>, T>) return value;
  else return static_cast<float>(value);
}

template <class T> using KeyOf = typename UIntOf<sizeof(Ordered<T>)>::type;

template <class T> inline constexpr bool has_nan_v = is_complex_v<T> || kLargestMagnitude<Ordered<T>> != 0;

inline bool has_nan(DType dtype) { return kind(dtype) == Kind::kFloat || kind(dtype) == Kind::kComplex; }

template <class T>
inline bool is_nan(T value) {
  if constexpr (is_complex_v<T>) {
    return is_nan(value.real()) || is_nan(value.imag());
  } else if constexpr (has_nan_v<T>) {
    using K = KeyOf<T>;
    return static_cast<K>(std::bit_cast<K>(ordered(value)) & static_cast<K>(~kTopBit<K>)) >
           kLargestMagnitude<Ordered<T>>;
  } else {
    return false;
  }
}

/// The key of anything but NaN.
template <class T>
inline KeyOf<T> number_key(T value) {
  using K = KeyOf<T>;
  if constexpr (std::is_same_v<T, Bool>) {
    return value.byte != 0 ? 1 : 0;
  } else if constexpr (is_complex_v<T>) {
    return static_cast<K>(static_cast<K>(number_key(value.real())) << (4 * sizeof(T)) | number_key(value.imag()));
  } else if constexpr (has_nan_v<T>) {
    // Sign and magnitude to an offset from the middle, which is the place of both zeros.
    const K bits = std::bit_cast<K>(ordered(value)), magnitude = static_cast<K>(bits & static_cast<K>(~kTopBit<K>));
    return static_cast<K>(bits == magnitude ? kTopBit<K> + magnitude : kTopBit<K> - magnitude);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<K>(static_cast<K>(value) ^ kTopBit<K>);
  } else {
    return value;
  }
}

/// Which way keys grow and where NaN stands. Held wide; a loop narrows it once.
struct KeyRule {
  WideKey flip = 0;  // all ones: the smallest element has the largest key
  WideKey nan = ~WideKey{0};
};

inline constexpr WideKey kAllOnes = ~WideKey{0};

/// NaN counts as larger than every number, whichever way keys grow.
inline constexpr KeyRule kAscending{0, kAllOnes};
inline constexpr KeyRule kSortDescending{kAllOnes, 0};

template <class T>
struct Keys {
  using K = KeyOf<T>;
  explicit Keys(const KeyRule& rule) : flip(static_cast<K>(rule.flip)), nan(static_cast<K>(rule.nan)) {}
  K operator()(T value) const {
    const K key = static_cast<K>(number_key(value) ^ flip);
    if constexpr (has_nan_v<T>) return is_nan(value) ? nan : key;
    else return key;
  }
  K flip, nan;
};

}  // namespace garner::index
