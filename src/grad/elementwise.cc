#include "grad/elementwise.h"

#include <cmath>
#include <cstring>

#include "grad/cuda/elementwise.h"
#include "grad/offers.h"
#include "grad/place.h"
#include "index/runs.h"

namespace garner::grad::plain {
namespace {

using index::Effort;
using index::for_each_run;
using index::Run;

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

/// The tensor, when its elements are on their way.
Result<Tensor> filled_by(const Status& status, const Tensor& out) {
  if (!status.ok()) return status;
  return out;
}

template <class F>
Result<Tensor> binary(const Tensor& left, const Tensor& right) {
  const Device device = place_of({left, right});
  GARNER_TRY(check_same_dtype(F::kName, left.dtype(), right.dtype()));
  GARNER_ASSIGN(const Axes shape, common_shape(F::kName, left.shape(), right.shape()));
  GARNER_ASSIGN(const Tensor a, brought(F::kName, left, device));
  GARNER_ASSIGN(const Tensor b, brought(F::kName, right, device));
  GARNER_ASSIGN(const View x, broadcast_to(a, shape));
  GARNER_ASSIGN(const View y, broadcast_to(b, shape));
  return dispatch_offered<F>(F::kName, a.dtype(), [&]<class T>() -> Result<Tensor> {
    GARNER_ASSIGN(Tensor out, empty_at(device, a.dtype(), shape));
    if (!device.is_cpu()) return filled_by(on_device::map(F::kOp, x, y, out.view()), out);
    T* to = out.as<T>();
    const F f;
    for_each_run(shape, {x.stride(), y.stride()}, Effort{0, effort<F>(out)},
                 [&](const Run& run) { row(run, a.as<T>(), b.as<T>(), to, f); });
    return out;
  });
}

/// The number of an operation that has one.
template <class F>
double number_of(const F& f) {
  if constexpr (requires { f.number; }) return f.number;
  else return 0;
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
    GARNER_ASSIGN(Tensor out, empty_at(a.device(), a.dtype(), a.shape()));
    if (!a.device().is_cpu()) return filled_by(on_device::map(F::kOp, number_of(f), a, out.view()), out);
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
    GARNER_ASSIGN(Tensor out, empty_at(a.device(), DType::kBool, a.shape()));
    if (!a.device().is_cpu()) return filled_by(on_device::ask(on_device::Question::kAboveZero, a, a, out.view()), out);
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
  if (mask.device() != a.device())
    return fail(Code::kInvalidArgument, "P23", "keep: the mask lies on {}, allowed {} as the others",
                name(mask.device()), name(a.device()));
  GARNER_ASSIGN(Tensor out, empty_at(a.device(), a.dtype(), a.shape()));
  if (!a.device().is_cpu()) return filled_by(on_device::keep(*wide, a, out.view()), out);
  dispatch(a.dtype(), [&]<class T>() {
    T* to = out.as<T>();
    for_each_run(a.shape(), {wide->stride(), row_major(a.shape())}, Effort{0, 2 * out.bytes()},
                 [&](const Run& run) { keep_row(run, mask.as<Bool>(), a.as<T>(), to); });
  });
  return out;
}

Result<Tensor> filled(double value, DType dtype, const Axes& shape, Device device) {
  if (value == 0 && !std::signbit(value)) return zeros_at(device, dtype, shape);
  GARNER_ASSIGN(Tensor out, empty_at(device, dtype, shape));
  on_device::Pattern pattern;
  dispatch(dtype, [&]<class T>() {
    const T number = convert<T>(value);
    if (device.is_cpu()) std::fill_n(out.as<T>(), out.elements(), number);
    else std::memcpy(pattern.byte, &number, sizeof number);
  });
  return device.is_cpu() ? Result<Tensor>(out) : filled_by(on_device::fill(out.view(), pattern), out);
}

}  // namespace garner::grad::plain
