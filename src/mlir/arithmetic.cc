// add, multiply, … on two operands. Integers wrap; where the specification leaves a result open (division by zero, a
// shift by more than all bits), it is XLA's.
#include <cmath>

#include "mlir/elementwise.h"

namespace garner::mlir {
namespace {

/// Wide enough that no sum or product of two T overflows as int.
template <class T> using Wrapping = std::make_unsigned_t<std::common_type_t<T, int>>;

template <class T> Wrapping<T> wrapping(T value) { return static_cast<Wrapping<T>>(value); }

struct Add {
  static constexpr unsigned kKinds = kAnything;
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_same_v<T, Bool>) return a || b;
    else if constexpr (is_index_v<T>) return static_cast<T>(wrapping(a) + wrapping(b));
    else return static_cast<T>(to_compute(a) + to_compute(b));
  }
};

struct Subtract {
  static constexpr unsigned kKinds = kNumbers;
  template <class T> static T of(T a, T b) {
    if constexpr (is_index_v<T>) return static_cast<T>(wrapping(a) - wrapping(b));
    else return static_cast<T>(to_compute(a) - to_compute(b));
  }
};

struct Multiply {
  static constexpr unsigned kKinds = kAnything;
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_same_v<T, Bool>) return a && b;
    else if constexpr (is_index_v<T>) return static_cast<T>(wrapping(a) * wrapping(b));
    else return static_cast<T>(to_compute(a) * to_compute(b));
  }
};

/// The one quotient of integers that does not fit: the least number by -1.
template <class T> bool overflows(T a, T b) {
  return std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1);
}

struct Divide {
  static constexpr unsigned kKinds = kNumbers;
  template <class T> static T of(T a, T b) {
    if constexpr (is_index_v<T>) return b == 0 ? static_cast<T>(-1) : overflows(a, b) ? a : static_cast<T>(a / b);
    else return static_cast<T>(to_compute(a) / to_compute(b));
  }
};

struct Remainder {
  static constexpr unsigned kKinds = kIntegers | kFloats;
  template <class T> static T of(T a, T b) {
    if constexpr (is_index_v<T>) return b == 0 ? a : overflows(a, b) ? T{0} : static_cast<T>(a % b);
    else return static_cast<T>(std::fmod(to_compute(a), to_compute(b)));
  }
};

/// Which of two is taken: the greater (or, with Less, the smaller). NaN wins, and 0 counts as greater than -0.
template <bool kLess>
struct Extreme {
  static constexpr unsigned kKinds = kAnything;

  template <class T> static bool before(T a, T b) { return kLess ? a < b : b < a; }

  template <class T> static T of_floats(T a, T b) {
    const auto x = to_compute(a), y = to_compute(b);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) ? a : b;
    if (x == y) return std::signbit(x) == kLess ? a : b;
    return before(x, y) ? a : b;
  }

  template <class T> static std::complex<T> of_complex(std::complex<T> a, std::complex<T> b) {
    if (a.real() == b.real()) return before(a.imag(), b.imag()) ? a : b;
    return before(a.real(), b.real()) ? a : b;
  }

  template <class T> static T of(T a, T b) {
    if constexpr (std::is_same_v<T, Bool>) return kLess ? a && b : a || b;
    else if constexpr (is_index_v<T>) return before(a, b) ? a : b;
    else if constexpr (is_complex_v<T>) return of_complex(a, b);
    else return of_floats(a, b);
  }
};
using Maximum = Extreme<false>;
using Minimum = Extreme<true>;

struct Power {
  static constexpr unsigned kKinds = kNumbers;

  /// By squaring; a negative exponent leaves nothing but of 1 and -1.
  template <class T> static T of_integers(T base, T exponent) {
    if (is_negative(exponent))
      return base == T{1} ? base : base == static_cast<T>(-1) ? (exponent % 2 == 0 ? T{1} : base) : T{0};
    T out = 1;
    for (; exponent != 0; exponent = static_cast<T>(exponent / 2), base = Multiply::of(base, base))
      if (exponent % 2 != 0) out = Multiply::of(out, base);
    return out;
  }

  template <class T> static T of(T a, T b) {
    if constexpr (is_index_v<T>) return of_integers(a, b);
    else return static_cast<T>(std::pow(to_compute(a), to_compute(b)));
  }
};

struct Atan2 {
  static constexpr unsigned kKinds = kFloats;
  template <class T> static T of(T a, T b) { return static_cast<T>(std::atan2(to_compute(a), to_compute(b))); }
};

struct And {
  static constexpr unsigned kKinds = kTruth | kIntegers;
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_same_v<T, Bool>) return a && b;
    else return static_cast<T>(a & b);
  }
};

struct Or {
  static constexpr unsigned kKinds = kTruth | kIntegers;
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_same_v<T, Bool>) return a || b;
    else return static_cast<T>(a | b);
  }
};

struct Xor {
  static constexpr unsigned kKinds = kTruth | kIntegers;
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_same_v<T, Bool>) return static_cast<bool>(a) != static_cast<bool>(b);
    else return static_cast<T>(a ^ b);
  }
};

/// Is the number of places one that shifts nothing in or out of sight?
template <class T> bool in_width(T places) { return static_cast<std::make_unsigned_t<T>>(places) < 8 * sizeof(T); }

struct ShiftLeft {
  static constexpr unsigned kKinds = kIntegers;
  template <class T> static T of(T a, T b) { return in_width(b) ? static_cast<T>(wrapping(a) << b) : T{0}; }
};

struct ShiftRightLogical {
  static constexpr unsigned kKinds = kIntegers;
  template <class T> static T of(T a, T b) {
    return in_width(b) ? static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) >> b) : T{0};
  }
};

/// An unsigned number's highest bit counts as its sign, too.
struct ShiftRightArithmetic {
  static constexpr unsigned kKinds = kIntegers;
  template <class T> static T of(T a, T b) {
    const auto value = static_cast<std::make_signed_t<T>>(a);
    return in_width(b) ? static_cast<T>(value >> b) : static_cast<T>(value < 0 ? -1 : 0);
  }
};

struct MakeComplex {
  template <class T> static std::complex<T> of(T real, T imaginary) { return {real, imaginary}; }
};

Result<Elementwise> make_complex(const Operation& op, std::span<const DType> types) {
  GARNER_TRY(check_count(op, types.size(), 2, 2));
  GARNER_TRY(check_same(op, types));
  if (types[0] == DType::kF32) return Elementwise{&loop<MakeComplex, std::complex<float>, float, float>, DType::kC64};
  if (types[0] == DType::kF64)
    return Elementwise{&loop<MakeComplex, std::complex<double>, double, double>, DType::kC128};
  return not_taken(op, types[0]);
}

}  // namespace

GARNER_MLIR_DEFINE(add, &binary<Add>);
GARNER_MLIR_DEFINE(subtract, &binary<Subtract>);
GARNER_MLIR_DEFINE(multiply, &binary<Multiply>);
GARNER_MLIR_DEFINE(divide, &binary<Divide>);
GARNER_MLIR_DEFINE(remainder, &binary<Remainder>);
GARNER_MLIR_DEFINE(maximum, &binary<Maximum>);
GARNER_MLIR_DEFINE(minimum, &binary<Minimum>);
GARNER_MLIR_DEFINE(power, &binary<Power>);
GARNER_MLIR_DEFINE(atan2, &binary<Atan2>);
GARNER_MLIR_DEFINE(and, &binary<And>);
GARNER_MLIR_DEFINE(or, &binary<Or>);
GARNER_MLIR_DEFINE(xor, &binary<Xor>);
GARNER_MLIR_DEFINE(shift_left, &binary<ShiftLeft>);
GARNER_MLIR_DEFINE(shift_right_logical, &binary<ShiftRightLogical>);
GARNER_MLIR_DEFINE(shift_right_arithmetic, &binary<ShiftRightArithmetic>);
GARNER_MLIR_DEFINE(complex, &make_complex);

}  // namespace garner::mlir
