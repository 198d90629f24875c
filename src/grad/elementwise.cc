#include "grad/elementwise.h"

#include <cmath>

#include "grad/offers.h"
#include "index/runs.h"

namespace garner::grad::plain {
namespace {

using index::Effort;
using index::for_each_run;
using index::Run;

/// Integers as unsigned ones of at least 32 bits, which wrap without undefined behaviour; everything else as it is.
template <class C>
auto wrapping(C value) {
  if constexpr (std::is_integral_v<C>)
    return static_cast<std::conditional_t<sizeof(C) < 8, std::uint32_t, std::uint64_t>>(value);
  else return value;
}

// ---- what each operation does with one element, in the type arithmetic is done in ----

struct Add : Numbers {
  static constexpr const char* kName = "add";
  template <class C> C operator()(C a, C b) const { return static_cast<C>(wrapping(a) + wrapping(b)); }
};
struct Sub : Numbers {
  static constexpr const char* kName = "sub";
  template <class C> C operator()(C a, C b) const { return static_cast<C>(wrapping(a) - wrapping(b)); }
};
struct Mul : Numbers {
  static constexpr const char* kName = "mul";
  template <class C> C operator()(C a, C b) const { return static_cast<C>(wrapping(a) * wrapping(b)); }
};
struct Div : FloatsAndComplex {
  static constexpr const char* kName = "div";
  template <class C> C operator()(C a, C b) const { return a / b; }
};
struct Pow : Floats {
  static constexpr const char* kName = "pow";
  template <class C> C operator()(C a, C b) const { return std::pow(a, b); }
};
struct BothZero : Floats {
  static constexpr const char* kName = "pow";
  template <class C> C operator()(C a, C b) const { return a == 0 && b == 0 ? C(1) : C(0); }
};
struct ZeroBase : Floats {
  static constexpr const char* kName = "pow";
  template <class C> C operator()(C a, C b) const { return a == 0 && b >= 0 ? C(1) : C(0); }
};

struct Neg : Numbers {
  static constexpr const char* kName = "neg";
  template <class C> C operator()(C a) const { return static_cast<C>(-wrapping(a)); }
};
struct Conj : Numbers {
  static constexpr const char* kName = "conj";
  template <class C> C operator()(C a) const {
    if constexpr (is_complex_v<C>) return std::conj(a);
    else return a;
  }
};
struct Exp : FloatsAndComplex {
  static constexpr const char* kName = "exp";
  template <class C> C operator()(C a) const { return std::exp(a); }
};
struct Log : Floats {
  static constexpr const char* kName = "log";
  template <class C> C operator()(C a) const { return std::log(a); }
};
struct Sqrt : Floats {
  static constexpr const char* kName = "sqrt";
  template <class C> C operator()(C a) const { return std::sqrt(a); }
};
struct Tanh : Floats {
  static constexpr const char* kName = "tanh";
  template <class C> C operator()(C a) const { return std::tanh(a); }
};
struct Sigmoid : Floats {
  static constexpr const char* kName = "sigmoid";
  template <class C> C operator()(C a) const { return C(1) / (C(1) + std::exp(-a)); }
};
struct Relu : Floats {
  static constexpr const char* kName = "relu";
  template <class C> C operator()(C a) const { return a <= 0 ? C(0) : a; }  // NaN stays
};
struct AboveZero : Floats {
  static constexpr const char* kName = "relu";
  template <class C> Bool operator()(C a) const { return Bool(!(a <= 0)); }
};
struct Scale : FloatsAndComplex {
  static constexpr const char* kName = "scale";
  double factor;
  template <class C> C operator()(C a) const {
    if constexpr (is_complex_v<C>) return a * static_cast<typename C::value_type>(factor);
    else return a * static_cast<C>(factor);
  }
};
struct Power : Floats {
  static constexpr const char* kName = "pow";
  double exponent;
  template <class C> C operator()(C a) const { return std::pow(a, static_cast<C>(exponent)); }
};
struct Square : Floats {
  static constexpr const char* kName = "pow";
  template <class C> C operator()(C a) const { return a * a; }
};

// ---- rows ----

/// f over a row of two operands. The steps that matter are constants in loops of their own, which then vectorise.
template <class T, class F>
void row(const Run& run, const T* a, const T* b, T* __restrict out, const F& f) {
  const Index s = run.step[0], t = run.step[1], n = run.count;
  a += run.start[0], b += run.start[1], out += run.first;
  if (s == 1 && t == 1)
    for (Index j = 0; j < n; ++j) out[j] = static_cast<T>(f(to_compute(a[j]), to_compute(b[j])));
  else if (s == 1 && t == 0)
    for (Index j = 0; j < n; ++j) out[j] = static_cast<T>(f(to_compute(a[j]), to_compute(b[0])));
  else if (s == 0 && t == 1)
    for (Index j = 0; j < n; ++j) out[j] = static_cast<T>(f(to_compute(a[0]), to_compute(b[j])));
  else
    for (Index j = 0; j < n; ++j) out[j] = static_cast<T>(f(to_compute(a[j * s]), to_compute(b[j * t])));
}

/// Bytes an operation is worth when threads are shared out: a function of libm takes as long as some ten additions.
template <class F>
Index effort(const Tensor& out) {
  constexpr bool kCheap = std::is_base_of_v<Numbers, F> || std::is_same_v<F, Div> || std::is_same_v<F, Relu>;
  return out.bytes() * (kCheap ? 2 : 16);
}

template <class F>
Result<Tensor> binary(const Tensor& a, const Tensor& b, const F& f = {}) {
  GARNER_TRY(check_same_dtype(F::kName, a.dtype(), b.dtype()));
  GARNER_ASSIGN(const Axes shape, common_shape(F::kName, a.shape(), b.shape()));
  GARNER_ASSIGN(const View x, broadcast_to(a, shape));
  GARNER_ASSIGN(const View y, broadcast_to(b, shape));
  return dispatch_offered<F>(F::kName, a.dtype(), [&]<class T>() -> Result<Tensor> {
    GARNER_ASSIGN(Tensor out, Tensor::empty(a.dtype(), shape));
    T* to = out.as<T>();
    for_each_run(shape, {x.stride(), y.stride()}, Effort{0, effort<F>(out)},
                 [&](const Run& run) { row(run, a.as<T>(), b.as<T>(), to, f); });
    return out;
  });
}

template <class To, class T, class F>
void map_into(const Tensor& a, Tensor& out, const F& f) {
  const T* from = a.as<T>();
  To* to = out.as<To>();
  for_each_run(a.shape(), {row_major(a.shape())}, Effort{0, effort<F>(out)}, [&](const Run& run) {
    const T* x = from + run.first;
    To* __restrict y = to + run.first;
    for (Index j = 0; j < run.count; ++j) y[j] = static_cast<To>(f(to_compute(x[j])));
  });
}

template <class F>
Result<Tensor> unary(const Tensor& a, const F& f = {}) {
  return dispatch_offered<F>(F::kName, a.dtype(), [&]<class T>() -> Result<Tensor> {
    GARNER_ASSIGN(Tensor out, Tensor::empty(a.dtype(), a.shape()));
    map_into<T, T>(a, out, f);
    return out;
  });
}

template <class T>
void keep_row(const Run& run, const Bool* mask, const T* a, T* __restrict out) {
  mask += run.start[0], a += run.start[1], out += run.first;
  for (Index j = 0; j < run.count; ++j) out[j] = mask[j * run.step[0]] ? a[j * run.step[1]] : T{};
}

}  // namespace

Status check_same_dtype(const char* op, DType a, DType b) {
  if (a == b) return {};
  return fail(Code::kType, "G6", "{}: dtypes are {} and {}, allowed one and the same", op, name(a), name(b));
}

Result<Axes> common_shape(const char* op, const Axes& a, const Axes& b) {
  if (a == b) return a;
  if (auto common = broadcast_shapes(std::vector<Axes>{a, b})) return *std::move(common);
  return fail(Code::kInvalidArgument, "G5", "{}: shapes are {} and {}, allowed shapes that broadcast together", op,
              list(a), list(b));
}

Result<Tensor> add(const Tensor& a, const Tensor& b) { return binary<Add>(a, b); }
Result<Tensor> sub(const Tensor& a, const Tensor& b) { return binary<Sub>(a, b); }
Result<Tensor> mul(const Tensor& a, const Tensor& b) { return binary<Mul>(a, b); }
Result<Tensor> div(const Tensor& a, const Tensor& b) { return binary<Div>(a, b); }
Result<Tensor> pow(const Tensor& a, const Tensor& b) { return binary<Pow>(a, b); }
Result<Tensor> both_zero(const Tensor& a, const Tensor& b) { return binary<BothZero>(a, b); }
Result<Tensor> zero_base(const Tensor& a, const Tensor& b) { return binary<ZeroBase>(a, b); }

Result<Tensor> neg(const Tensor& a) { return unary<Neg>(a); }
Result<Tensor> conj(const Tensor& a) { return unary<Conj>(a); }
Result<Tensor> exp(const Tensor& a) { return unary<Exp>(a); }
Result<Tensor> log(const Tensor& a) { return unary<Log>(a); }
Result<Tensor> sqrt(const Tensor& a) { return unary<Sqrt>(a); }
Result<Tensor> tanh(const Tensor& a) { return unary<Tanh>(a); }
Result<Tensor> sigmoid(const Tensor& a) { return unary<Sigmoid>(a); }
Result<Tensor> relu(const Tensor& a) { return unary<Relu>(a); }
Result<Tensor> scale(const Tensor& a, double factor) { return unary(a, Scale{{}, factor}); }
Result<Tensor> power(const Tensor& a, double exponent) {
  return exponent == 2 ? unary<Square>(a) : unary(a, Power{{}, exponent});
}

Result<Tensor> above_zero(const Tensor& a) {
  return dispatch_offered<AboveZero>(AboveZero::kName, a.dtype(), [&]<class T>() -> Result<Tensor> {
    GARNER_ASSIGN(Tensor out, Tensor::empty(DType::kBool, a.shape()));
    map_into<Bool, T>(a, out, AboveZero{});
    return out;
  });
}

Result<Tensor> keep(const Tensor& mask, const Tensor& a) {
  if (mask.dtype() != DType::kBool)
    return fail(Code::kType, "G6", "keep: dtype of mask is {}, allowed bool", name(mask.dtype()));
  const auto wide = broadcast_to(mask, a.shape());
  if (!wide.ok())
    return fail(Code::kInvalidArgument, "G5", "keep: shape of mask is {}, allowed one that broadcasts to {}",
                list(mask.shape()), list(a.shape()));
  GARNER_ASSIGN(Tensor out, Tensor::empty(a.dtype(), a.shape()));
  dispatch(a.dtype(), [&]<class T>() {
    T* to = out.as<T>();
    for_each_run(a.shape(), {wide->stride(), row_major(a.shape())}, Effort{0, 2 * out.bytes()},
                 [&](const Run& run) { keep_row(run, mask.as<Bool>(), a.as<T>(), to); });
  });
  return out;
}

Result<Tensor> filled(double value, DType dtype, const Axes& shape) {
  if (value == 0 && !std::signbit(value)) return Tensor::zeros(dtype, shape);
  GARNER_ASSIGN(Tensor out, Tensor::empty(dtype, shape));
  dispatch(dtype, [&]<class T>() { std::fill_n(out.as<T>(), out.elements(), convert<T>(value)); });
  return out;
}

}  // namespace garner::grad::plain
