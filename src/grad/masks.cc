#include "grad/masks.h"

#include "device/cpu/threads.h"
#include "dtype/convert.h"
#include "garner/error.h"

namespace garner::grad {
namespace {

/// out[i] = f(i), on all threads.
template <class T, class F>
Tensor filled(const Axes& shape, F&& f) {
  Tensor out = value_or_throw(Tensor::empty(dtype_of<T>, shape));
  T* to = out.as<T>();
  const int threads = thread_count(0, out.bytes());
  parallel_ranges(threads, out.elements(), kBytesPerThread, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) to[i] = f(i);
  });
  return out;
}

/// f<T>(elements of a row-major copy) -> Tensor
template <class F>
Tensor with_elements(const View& a, F&& f) {
  const Tensor packed = value_or_throw(contiguous(a));
  return dispatch(a.dtype(), [&]<class T>() { return f(packed.as<T>()); });
}

template <class T>
bool is_nan(T v) {
  if constexpr (is_complex_v<T>) return is_nan(v.real()) || is_nan(v.imag());
  else return to_compute(v) != to_compute(v);
}

template <class T>
bool same(T a, T b) {
  return to_compute(a) == to_compute(b) || (is_nan(a) && is_nan(b));
}

}  // namespace

Tensor is_zero(const View& a) {
  return with_elements(a, [&]<class T>(const T* v) {
    return filled<Bool>(a.shape(), [v](Index i) { return Bool(!convert<Bool>(v[i])); });
  });
}

Tensor is_same(const View& a, const View& b) {
  const Tensor other = value_or_throw(contiguous(b));
  return with_elements(a, [&]<class T>(const T* v) {
    const T* w = other.as<T>();
    return filled<Bool>(a.shape(), [v, w](Index i) { return Bool(same(v[i], w[i])); });
  });
}

Tensor is_equal(const View& integers, Index value) {
  const Tensor packed = value_or_throw(contiguous(integers));
  const Index* v = packed.as<Index>();
  return filled<Bool>(integers.shape(), [v, value](Index i) { return Bool(v[i] == value); });
}

Tensor both(const View& a, const View& b) {
  const Tensor left = value_or_throw(contiguous(a)), right = value_or_throw(contiguous(b));
  const Bool *v = left.as<Bool>(), *w = right.as<Bool>();
  return filled<Bool>(a.shape(), [v, w](Index i) { return Bool(v[i] && w[i]); });
}

Tensor negated(const View& a) {
  const Tensor packed = value_or_throw(contiguous(a));
  const Bool* v = packed.as<Bool>();
  return filled<Bool>(a.shape(), [v](Index i) { return Bool(!v[i]); });
}

Tensor ids(const Axes& shape) {
  return filled<Index>(shape, [](Index i) { return i + 1; });
}

Tensor ids_where(const View& mask, Index otherwise) {
  const Tensor packed = value_or_throw(contiguous(mask));
  const Bool* m = packed.as<Bool>();
  return filled<Index>(mask.shape(), [m, otherwise](Index i) { return m[i] ? i + 1 : otherwise; });
}

Tensor choose(const View& mask, Index a, Index b) {
  const Tensor packed = value_or_throw(contiguous(mask));
  const Bool* m = packed.as<Bool>();
  return filled<Index>(mask.shape(), [m, a, b](Index i) { return m[i] ? a : b; });
}

}  // namespace garner::grad
