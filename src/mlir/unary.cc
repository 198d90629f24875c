// abs, floor, … on one operand. Small floats are computed in float and rounded once.
#include <bit>
#include <cmath>

#include "mlir/elementwise.h"

namespace garner::mlir {
namespace {

template <class T> T negated(T value) { return static_cast<T>(0 - static_cast<std::uint64_t>(value)); }

struct Abs {
  static constexpr unsigned kKinds = bit(Kind::kInt) | kFloats | kComplexes;
  template <class T> static auto of(T a) {
    if constexpr (is_index_v<T>) return is_negative(a) ? negated(a) : a;
    else if constexpr (is_complex_v<T>) return std::abs(a);
    else return static_cast<T>(std::fabs(to_compute(a)));
  }
};

struct Negate {
  static constexpr unsigned kKinds = kNumbers;
  template <class T> static T of(T a) {
    if constexpr (is_index_v<T>) return negated(a);
    else return static_cast<T>(-to_compute(a));
  }
};

/// 0, -0 and NaN are their own.
struct Sign {
  static constexpr unsigned kKinds = kNumbers;
  template <class T> static T of(T a) {
    if constexpr (is_complex_v<T>) return a == T{0} ? T{0} : a / std::abs(a);
    else if constexpr (is_index_v<T>) return static_cast<T>(is_negative(a) ? -1 : a != 0 ? 1 : 0);
    else return to_compute(a) > 0 ? static_cast<T>(1.0F) : to_compute(a) < 0 ? static_cast<T>(-1.0F) : a;
  }
};

struct Not {
  static constexpr unsigned kKinds = kTruth | kIntegers;
  template <class T> static T of(T a) {
    if constexpr (std::is_same_v<T, Bool>) return !a;
    else return static_cast<T>(~a);
  }
};

struct Popcnt {
  static constexpr unsigned kKinds = kIntegers;
  template <class T> static T of(T a) { return static_cast<T>(std::popcount(static_cast<std::make_unsigned_t<T>>(a))); }
};

struct CountLeadingZeros {
  static constexpr unsigned kKinds = kIntegers;
  template <class T> static T of(T a) {
    return static_cast<T>(std::countl_zero(static_cast<std::make_unsigned_t<T>>(a)));
  }
};

struct IsFinite {
  static constexpr unsigned kKinds = kFloats;
  template <class T> static Bool of(T a) { return std::isfinite(to_compute(a)); }
};

struct Real {
  static constexpr unsigned kKinds = kFloats | kComplexes;
  template <class T> static typename RealOf<T>::type of(T a) {
    if constexpr (is_complex_v<T>) return a.real();
    else return a;
  }
};

struct Imag {
  static constexpr unsigned kKinds = kFloats | kComplexes;
  template <class T> static typename RealOf<T>::type of(T a) {
    if constexpr (is_complex_v<T>) return a.imag();
    else return static_cast<T>(0.0F);
  }
};

/// A function of the standard library, on floats and perhaps on complex numbers.
#define GARNER_MLIR_FUNCTION(Name, kinds, expression) \
  struct Name {                                       \
    static constexpr unsigned kKinds = kinds;         \
    template <class T> static T of(T a) {             \
      const auto x = to_compute(a);                   \
      return static_cast<T>(expression);              \
    }                                                 \
  }
GARNER_MLIR_FUNCTION(Floor, kFloats, std::floor(x));
GARNER_MLIR_FUNCTION(Ceil, kFloats, std::ceil(x));
GARNER_MLIR_FUNCTION(RoundAway, kFloats, std::round(x));
GARNER_MLIR_FUNCTION(RoundEven, kFloats, std::nearbyint(x));
GARNER_MLIR_FUNCTION(Cbrt, kFloats, std::cbrt(x));
GARNER_MLIR_FUNCTION(ExponentialMinusOne, kFloats, std::expm1(x));
GARNER_MLIR_FUNCTION(LogPlusOne, kFloats, std::log1p(x));
GARNER_MLIR_FUNCTION(Exponential, kFloats | kComplexes, std::exp(x));
GARNER_MLIR_FUNCTION(Log, kFloats | kComplexes, std::log(x));
GARNER_MLIR_FUNCTION(Sqrt, kFloats | kComplexes, std::sqrt(x));
GARNER_MLIR_FUNCTION(Rsqrt, kFloats | kComplexes, decltype(x)(1) / std::sqrt(x));
GARNER_MLIR_FUNCTION(Tanh, kFloats | kComplexes, std::tanh(x));
GARNER_MLIR_FUNCTION(Logistic, kFloats | kComplexes, decltype(x)(1) / (decltype(x)(1) + std::exp(-x)));
GARNER_MLIR_FUNCTION(Sine, kFloats | kComplexes, std::sin(x));
GARNER_MLIR_FUNCTION(Cosine, kFloats | kComplexes, std::cos(x));
GARNER_MLIR_FUNCTION(Tan, kFloats | kComplexes, std::tan(x));
#undef GARNER_MLIR_FUNCTION

}  // namespace

GARNER_MLIR_DEFINE(abs, &unary<Abs>);
GARNER_MLIR_DEFINE(negate, &unary<Negate>);
GARNER_MLIR_DEFINE(sign, &unary<Sign>);
GARNER_MLIR_DEFINE(not, &unary<Not>);
GARNER_MLIR_DEFINE(popcnt, &unary<Popcnt>);
GARNER_MLIR_DEFINE(count_leading_zeros, &unary<CountLeadingZeros>);
GARNER_MLIR_DEFINE(is_finite, &unary<IsFinite>);
GARNER_MLIR_DEFINE(real, &unary<Real>);
GARNER_MLIR_DEFINE(imag, &unary<Imag>);
GARNER_MLIR_DEFINE(floor, &unary<Floor>);
GARNER_MLIR_DEFINE(ceil, &unary<Ceil>);
GARNER_MLIR_DEFINE(round_nearest_afz, &unary<RoundAway>);
GARNER_MLIR_DEFINE(round_nearest_even, &unary<RoundEven>);
GARNER_MLIR_DEFINE(cbrt, &unary<Cbrt>);
GARNER_MLIR_DEFINE(exponential, &unary<Exponential>);
GARNER_MLIR_DEFINE(exponential_minus_one, &unary<ExponentialMinusOne>);
GARNER_MLIR_DEFINE(log, &unary<Log>);
GARNER_MLIR_DEFINE(log_plus_one, &unary<LogPlusOne>);
GARNER_MLIR_DEFINE(sqrt, &unary<Sqrt>);
GARNER_MLIR_DEFINE(rsqrt, &unary<Rsqrt>);
GARNER_MLIR_DEFINE(tanh, &unary<Tanh>);
GARNER_MLIR_DEFINE(logistic, &unary<Logistic>);
GARNER_MLIR_DEFINE(sine, &unary<Sine>);
GARNER_MLIR_DEFINE(cosine, &unary<Cosine>);
GARNER_MLIR_DEFINE(tan, &unary<Tan>);

}  // namespace garner::mlir
