// Keys for loops that do not know dtypes: order.h's key of an element from its bits, with numbers instead of types. A
// device compiles one loop per width and not one per dtype.
#pragma once
#include <cstdint>

#include "garner/dtype.h"
#include "garner/host_device.h"

namespace garner::index {

struct KeyRule;

/// An element of up to 4 bytes is looked at in the top bits of 32, one of 8 bytes in 64; a complex number in two
/// halves.
struct KeyCode {
  enum class Fast { kNo, kF32, kF16, kBF16 };  // floats that hardware compares as they are
  int width = 0;         // bytes of an element; 0: there is no code for the dtype
  bool complex = false;  // what follows speaks of a half
  bool has_nan = false;
  std::uint64_t cap = 0;        // bool: anything above is true
  std::uint64_t sign = 0;       // the sign bit of a float; 0 for all others
  std::uint64_t largest = 0;    // the largest magnitude that is a number
  std::uint64_t middle = 0;     // the place of zero
  std::uint64_t flip = 0;       // all ones: the smallest element has the largest key
  std::uint64_t nan = 0;        // its key
  Fast fast = Fast::kNo;
};

/// The keys that Keys<T>(rule) gives, in the same order. No code for a dtype that is compared as another one.
KeyCode key_code(DType dtype, const KeyRule& rule);

/// The key of one number, K of 32 or 64 bits.
template <class K>
struct NumberKey {
  K cap, sign, largest, flip, nan;

  GARNER_HD static NumberKey of(const KeyCode& code) {
    return {static_cast<K>(code.cap), static_cast<K>(code.sign), static_cast<K>(code.largest),
            static_cast<K>(code.middle ^ (code.complex ? 0 : code.flip)), static_cast<K>(code.nan)};
  }
  GARNER_HD K magnitude(K bits) const { return bits & static_cast<K>(~sign); }
  GARNER_HD bool is_nan(K bits) const { return magnitude(bits) > largest; }
  /// Sign and magnitude become an offset from the middle; whole numbers have no sign here.
  GARNER_HD K number(K bits) const {
    const K capped = bits < cap ? bits : cap, below = (bits & sign) != 0 ? static_cast<K>(~K{0}) : K{0};
    return static_cast<K>((magnitude(capped) ^ below) - below) ^ flip;
  }
  GARNER_HD K operator()(K bits) const { return is_nan(bits) ? nan : number(bits); }
};

}  // namespace garner::index
