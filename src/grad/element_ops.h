// What each operation does with one element, in the type arithmetic is done in; the same on every device. Where a
// function of the mathematical library is in it, a device computes it in double and rounds: its last bit may differ
// from the CPU's.
#pragma once
#include "kernel/common/combine_ops.h"

namespace garner::grad::plain {

// ---- which types an operation takes, and how that is said ----

struct Anything {
  template <class C> static constexpr bool kTakes = true;
  static constexpr const char* kAllowed = "any";
};
struct Numbers {
  template <class C> static constexpr bool kTakes = !std::is_same_v<C, Bool>;
  static constexpr const char* kAllowed = "any but bool";
};
struct OrderedNumbers {
  template <class C> static constexpr bool kTakes = Numbers::kTakes<C> && !combine_ops::is_complex<C>;
  static constexpr const char* kAllowed = "an integer or float dtype";
};
struct Floats {
  template <class C> static constexpr bool kTakes = std::is_floating_point_v<C>;
  static constexpr const char* kAllowed = "a float dtype";
};
struct FloatsAndComplex {
  template <class C> static constexpr bool kTakes = Floats::kTakes<C> || combine_ops::is_complex<C>;
  static constexpr const char* kAllowed = "a float or complex dtype";
};

// ---- functions ----

/// f of a float or double. On a device by way of double, which leaves one rounding.
template <class C, class F>
GARNER_HD C by_library(C a, const F& f) {
#ifdef __CUDA_ARCH__
  return static_cast<C>(f(static_cast<double>(a)));
#else
  return f(a);
#endif
}

template <class C>
GARNER_HD C exp_of(C a) {
  if constexpr (combine_ops::is_complex<C>) {
#ifdef __CUDA_ARCH__
    using R = typename C::value_type;
    const double size = ::exp(static_cast<double>(a.real())), angle = static_cast<double>(a.imag());
    if (angle == 0) return C(static_cast<R>(size), a.imag());
    return C(static_cast<R>(size * ::cos(angle)), static_cast<R>(size * ::sin(angle)));
#else
    return std::exp(a);
#endif
  } else {
    return by_library(a, [](auto v) { return std::exp(v); });
  }
}

template <class C>
GARNER_HD C pow_of(C a, C b) {
#ifdef __CUDA_ARCH__
  return static_cast<C>(::pow(static_cast<double>(a), static_cast<double>(b)));
#else
  return std::pow(a, b);
#endif
}

/// Of complex numbers by Smith's method on a device; there the last bits may differ from the CPU's.
template <class C>
GARNER_HD C quotient(C a, C b) {
#ifdef __CUDA_ARCH__
  if constexpr (combine_ops::is_complex<C>) {
    using R = typename C::value_type;
    const double x = a.real(), y = a.imag(), u = b.real(), v = b.imag();
    if (fabs(u) >= fabs(v)) {
      const double ratio = u == 0 ? v : v / u, scale = u + v * ratio;
      return C(static_cast<R>((x + y * ratio) / scale), static_cast<R>((y - x * ratio) / scale));
    }
    const double ratio = u / v, scale = u * ratio + v;
    return C(static_cast<R>((x * ratio + y) / scale), static_cast<R>((y * ratio - x) / scale));
  }
#endif
  return a / b;
}

// ---- operations ----

/// What a device is told to do; each is one of the classes below.
enum class Two { kAdd, kSub, kMul, kDiv, kPow, kBothZero, kZeroBase };
enum class One { kNeg, kConj, kExp, kLog, kSqrt, kTanh, kSigmoid, kRelu, kScale, kPower, kSquare };

/// Integers as unsigned ones of at least 32 bits, which wrap without undefined behaviour; everything else as it is.
template <class C>
GARNER_HD auto wrapping(C value) {
  return static_cast<typename combine_ops::Wrapping<C>::type>(value);
}

struct Add : Numbers {
  static constexpr const char* kName = "add";
  static constexpr Two kOp = Two::kAdd;
  template <class C> GARNER_HD C operator()(C a, C b) const { return combine_ops::Add::apply(a, b); }
};
struct Sub : Numbers {
  static constexpr const char* kName = "sub";
  static constexpr Two kOp = Two::kSub;
  template <class C> GARNER_HD C operator()(C a, C b) const {
    if constexpr (combine_ops::is_complex<C>) return C(a.real() - b.real(), a.imag() - b.imag());
    else return static_cast<C>(wrapping(a) - wrapping(b));
  }
};
struct Mul : Numbers {
  static constexpr const char* kName = "mul";
  static constexpr Two kOp = Two::kMul;
  template <class C> GARNER_HD C operator()(C a, C b) const { return combine_ops::Mul::apply(a, b); }
};
struct Div : FloatsAndComplex {
  static constexpr const char* kName = "div";
  static constexpr Two kOp = Two::kDiv;
  template <class C> GARNER_HD C operator()(C a, C b) const { return quotient(a, b); }
};
struct Pow : Floats {
  static constexpr const char* kName = "pow";
  static constexpr Two kOp = Two::kPow;
  template <class C> GARNER_HD C operator()(C a, C b) const { return pow_of(a, b); }
};
struct BothZero : Floats {
  static constexpr const char* kName = "pow";
  static constexpr Two kOp = Two::kBothZero;
  template <class C> GARNER_HD C operator()(C a, C b) const { return a == 0 && b == 0 ? C(1) : C(0); }
};
struct ZeroBase : Floats {
  static constexpr const char* kName = "pow";
  static constexpr Two kOp = Two::kZeroBase;
  template <class C> GARNER_HD C operator()(C a, C b) const { return a == 0 && b >= 0 ? C(1) : C(0); }
};

struct Neg : Numbers {
  static constexpr const char* kName = "neg";
  static constexpr One kOp = One::kNeg;
  template <class C> GARNER_HD C operator()(C a) const {
    if constexpr (combine_ops::is_complex<C>) return C(-a.real(), -a.imag());
    else return static_cast<C>(-wrapping(a));
  }
};
struct Conj : Numbers {
  static constexpr const char* kName = "conj";
  static constexpr One kOp = One::kConj;
  template <class C> GARNER_HD C operator()(C a) const {
    if constexpr (combine_ops::is_complex<C>) return C(a.real(), -a.imag());
    else return a;
  }
};
struct Exp : FloatsAndComplex {
  static constexpr const char* kName = "exp";
  static constexpr One kOp = One::kExp;
  template <class C> GARNER_HD C operator()(C a) const { return exp_of(a); }
};
struct Log : Floats {
  static constexpr const char* kName = "log";
  static constexpr One kOp = One::kLog;
  template <class C> GARNER_HD C operator()(C a) const {
    return by_library(a, [](auto v) { return std::log(v); });
  }
};
struct Sqrt : Floats {
  static constexpr const char* kName = "sqrt";
  static constexpr One kOp = One::kSqrt;
  template <class C> GARNER_HD C operator()(C a) const { return std::sqrt(a); }
};
struct Tanh : Floats {
  static constexpr const char* kName = "tanh";
  static constexpr One kOp = One::kTanh;
  template <class C> GARNER_HD C operator()(C a) const {
    return by_library(a, [](auto v) { return std::tanh(v); });
  }
};
struct Sigmoid : Floats {
  static constexpr const char* kName = "sigmoid";
  static constexpr One kOp = One::kSigmoid;
  template <class C> GARNER_HD C operator()(C a) const { return C(1) / (C(1) + exp_of(-a)); }
};
struct Relu : Floats {
  static constexpr const char* kName = "relu";
  static constexpr One kOp = One::kRelu;
  template <class C> GARNER_HD C operator()(C a) const { return a <= 0 ? C(0) : a; }  // NaN stays
};
/// A number that is not rounded to the dtype first.
struct Scale : FloatsAndComplex {
  static constexpr const char* kName = "scale";
  static constexpr One kOp = One::kScale;
  double number;
  template <class C> GARNER_HD C operator()(C a) const {
    if constexpr (combine_ops::is_complex<C>) {
      const auto factor = static_cast<typename C::value_type>(number);
      return C(a.real() * factor, a.imag() * factor);
    } else {
      return a * static_cast<C>(number);
    }
  }
};
struct Power : Floats {
  static constexpr const char* kName = "pow";
  static constexpr One kOp = One::kPower;
  double number;
  template <class C> GARNER_HD C operator()(C a) const { return pow_of(a, static_cast<C>(number)); }
};
struct Square : Floats {
  static constexpr const char* kName = "pow";
  static constexpr One kOp = One::kSquare;
  template <class C> GARNER_HD C operator()(C a) const { return a * a; }
};

// ---- what is asked of elements ----

struct AboveZero : Floats {
  static constexpr const char* kName = "relu";
  template <class C> GARNER_HD bool operator()(C a) const { return !(a <= 0); }
};
struct IsZero : Anything {
  template <class C> GARNER_HD bool operator()(C a) const {
    if constexpr (combine_ops::is_complex<C>) return a.real() == 0 && a.imag() == 0;
    else return a == C(0);
  }
};
/// Equal, or both NaN.
struct IsSame : Anything {
  template <class C> GARNER_HD static bool is_nan(C v) {
    if constexpr (combine_ops::is_complex<C>) return v.real() != v.real() || v.imag() != v.imag();
    else return v != v;
  }
  template <class C> GARNER_HD bool operator()(C a, C b) const {
    if constexpr (combine_ops::is_complex<C>)
      return (a.real() == b.real() && a.imag() == b.imag()) || (is_nan(a) && is_nan(b));
    else return a == b || (is_nan(a) && is_nan(b));
  }
};

}  // namespace garner::grad::plain
