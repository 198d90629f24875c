#include "grad/masks.h"

#include "device/cpu/threads.h"
#include "dtype/convert.h"
#include "garner/error.h"
#include "grad/cuda/elementwise.h"
#include "grad/place.h"

namespace garner::grad {
namespace {

namespace there = plain::on_device;

/// Memory where `device` is, and what fills it there.
template <class F>
Tensor made(Device device, DType dtype, const Axes& shape, F&& fill) {
  Tensor out = value_or_throw(plain::empty_at(device, dtype, shape));
  value_or_throw(fill(out));
  return out;
}

/// out[i] = f(i), on all threads.
template <class T, class F>
Status fill_here(Tensor& out, F&& f) {
  T* to = out.as<T>();
  parallel_ranges(thread_count(0, out.bytes()), out.elements(), kBytesPerThread, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) to[i] = f(i);
  });
  return {};
}

Tensor packed(const View& view) { return value_or_throw(contiguous(view)); }

/// One question about every element of a (and b).
template <class Asked>
Tensor ask(there::Question question, const Tensor& a, const Tensor& other) {
  const Tensor b = value_or_throw(plain::brought("vjp", other, a.device()));
  return made(a.device(), DType::kBool, a.shape(), [&](Tensor& out) {
    if (!a.device().is_cpu()) return there::ask(question, a, b, out.view());
    return dispatch(a.dtype(), [&]<class T>() {
      const T *v = a.as<T>(), *w = b.as<T>();
      return fill_here<Bool>(out, [=](Index i) {  // some questions ask of one alone
        if constexpr (std::is_same_v<Asked, plain::IsSame>) return Bool(Asked{}(to_compute(v[i]), to_compute(w[i])));
        else return Bool(Asked{}(to_compute(v[i])));
      });
    });
  });
}

}  // namespace

Tensor is_zero(const View& a) {
  const Tensor v = packed(a);
  return ask<plain::IsZero>(there::Question::kIsZero, v, v);
}

Tensor is_same(const View& a, const View& b) {
  return ask<plain::IsSame>(there::Question::kIsSame, packed(a), packed(b));
}

Tensor is_equal(const View& integers, Index value) {
  const Tensor a = packed(integers);
  return made(a.device(), DType::kBool, a.shape(), [&](Tensor& out) {
    if (!a.device().is_cpu()) return there::is_equal(a, value, out.view());
    return fill_here<Bool>(out, [v = a.as<Index>(), value](Index i) { return Bool(v[i] == value); });
  });
}

Tensor both(const View& a, const View& b) {
  const Tensor left = packed(a), right = value_or_throw(plain::brought("vjp", packed(b), left.device()));
  return made(left.device(), DType::kBool, left.shape(), [&](Tensor& out) {
    if (!left.device().is_cpu()) return there::both(left, right, out.view());
    return fill_here<Bool>(out, [v = left.as<Bool>(), w = right.as<Bool>()](Index i) { return Bool(v[i] && w[i]); });
  });
}

Tensor negated(const View& mask) {
  const Tensor a = packed(mask);
  return made(a.device(), DType::kBool, a.shape(), [&](Tensor& out) {
    if (!a.device().is_cpu()) return there::negate(a, out.view());
    return fill_here<Bool>(out, [v = a.as<Bool>()](Index i) { return Bool(!v[i]); });
  });
}

Tensor ids(const Axes& shape, Device device) {
  return made(device, DType::kI64, shape, [&](Tensor& out) {
    if (!device.is_cpu()) return there::number(nullptr, {1, 1, 0}, out.view());
    return fill_here<Index>(out, [](Index i) { return i + 1; });
  });
}

namespace {

/// mask ? first + number * step : otherwise
Tensor numbered(const View& view, const there::Numbering& n) {
  const Tensor mask = packed(view);
  return made(mask.device(), DType::kI64, mask.shape(), [&](Tensor& out) {
    if (!mask.device().is_cpu()) return there::number(&mask, n, out.view());
    return fill_here<Index>(out,
                            [m = mask.as<Bool>(), n](Index i) { return m[i] ? n.first + i * n.step : n.otherwise; });
  });
}

}  // namespace

Tensor ids_where(const View& mask, Index otherwise) { return numbered(mask, {1, 1, otherwise}); }
Tensor choose(const View& mask, Index a, Index b) { return numbered(mask, {a, 0, b}); }

}  // namespace garner::grad
