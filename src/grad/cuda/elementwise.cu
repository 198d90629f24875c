#include "grad/cuda/elementwise.h"

#include "grad/cuda/walk.cuh"

namespace garner::grad::plain::on_device {
namespace {

// ---- arithmetic ----

/// One operation by its number, where it takes the type: the whole grid goes one way.
template <class F, class C, class... More>
__device__ inline C applied(const F& f, C a, More... more) {
  if constexpr (F::template kTakes<C>) return f(a, more...);
  else return a;
}

template <class C>
__device__ inline C apply(Two op, C a, C b) {
  switch (op) {
    case Two::kAdd: return applied(Add{}, a, b);
    case Two::kSub: return applied(Sub{}, a, b);
    case Two::kMul: return applied(Mul{}, a, b);
    case Two::kDiv: return applied(Div{}, a, b);
    case Two::kPow: return applied(Pow{}, a, b);
    case Two::kBothZero: return applied(BothZero{}, a, b);
    case Two::kZeroBase: return applied(ZeroBase{}, a, b);
  }
  return a;
}

template <class C>
__device__ inline C apply(One op, double number, C a) {
  switch (op) {
    case One::kNeg: return applied(Neg{}, a);
    case One::kConj: return applied(Conj{}, a);
    case One::kExp: return applied(Exp{}, a);
    case One::kLog: return applied(Log{}, a);
    case One::kSqrt: return applied(Sqrt{}, a);
    case One::kTanh: return applied(Tanh{}, a);
    case One::kSigmoid: return applied(Sigmoid{}, a);
    case One::kRelu: return applied(Relu{}, a);
    case One::kScale: return applied(Scale{{}, number}, a);
    case One::kPower: return applied(Power{{}, number}, a);
    case One::kSquare: return applied(Square{}, a);
  }
  return a;
}

template <class T, class S = typename T::Storage>
__global__ void map_two(Two op, const __grid_constant__ Walk<2> walk, const S* a, const S* b, S* out) {
  for_each_element(walk.elements, [&](Index i) {
    Index at[2];
    walk.find(i, at);
    out[i] = T::store(apply(op, T::load(a[at[0]]), T::load(b[at[1]])));
  });
}

template <class T, class S = typename T::Storage>
__global__ void map_one(One op, double number, const S* a, S* out, Index elements) {
  for_each_element(elements, [&](Index i) { out[i] = T::store(apply(op, number, T::load(a[i]))); });
}

// ---- by width alone ----

template <class W>
__global__ void keep_some(const __grid_constant__ Walk<1> walk, const Bool* mask, const W* a, W* out) {
  for_each_element(walk.elements, [&](Index i) {
    Index at[1];
    walk.find(i, at);
    out[i] = mask[at[0]] ? a[i] : W{};
  });
}

template <class W>
__global__ void fill_all(W* out, W value, Index elements) {
  for_each_element(elements, [&](Index i) { out[i] = value; });
}

/// f(a value of the type that is so many bytes wide)
template <class F>
void with_width(int bytes, F&& f) {
  if (bytes == 1) f(std::uint8_t{});
  else if (bytes == 2) f(std::uint16_t{});
  else if (bytes == 4) f(std::uint32_t{});
  else if (bytes == 8) f(std::uint64_t{});
  else f(uint4{});
}

// ---- other dtypes ----

template <class T, class From, class S = typename T::Storage>
__global__ void convert_all(const From* from, S* to, Index elements) {
  using C = typename T::Compute;
  for_each_element(elements, [&](Index i) {
    if constexpr (combine_ops::is_complex<C>) to[i] = T::store(C(static_cast<typename C::value_type>(from[i])));
    else if constexpr (std::is_same_v<C, Bool>) to[i] = T::store(Bool(from[i] != 0));
    else to[i] = T::store(static_cast<C>(from[i]));
  });
}

/// What no i64 holds is its largest.
template <class S>
__global__ void to_index(const S* from, Index* to, Index elements) {
  for_each_element(elements, [&](Index i) {
    const auto value = static_cast<Index>(from[i]);
    to[i] = std::is_unsigned_v<S> && value < 0 ? INT64_MAX : value;
  });
}

template <class T, class S = typename T::Storage>
__global__ void ask_all(Question question, const S* a, const S* b, Bool* out, Index elements) {
  using C = typename T::Compute;
  for_each_element(elements, [&](Index i) {
    const C left = T::load(a[i]);
    bool answer = false;
    if (question == Question::kIsZero) answer = IsZero{}(left);
    else if (question == Question::kIsSame) answer = IsSame{}(left, T::load(b[i]));
    else if constexpr (AboveZero::kTakes<C>) answer = AboveZero{}(left);
    out[i] = Bool(answer);
  });
}

// ---- bools and numbers ----

__global__ void equal_all(const Index* a, Index number, Bool* out, Index elements) {
  for_each_element(elements, [&](Index i) { out[i] = Bool(a[i] == number); });
}

__global__ void both_all(const Bool* a, const Bool* b, Bool* out, Index elements) {
  for_each_element(elements, [&](Index i) { out[i] = Bool(a[i] && b[i]); });
}

__global__ void negate_all(const Bool* a, Bool* out, Index elements) {
  for_each_element(elements, [&](Index i) { out[i] = Bool(!a[i]); });
}

__global__ void number_all(const Bool* mask, Numbering n, Index* out, Index elements) {
  for_each_element(elements,
                   [&](Index i) { out[i] = mask == nullptr || mask[i] ? n.first + i * n.step : n.otherwise; });
}

template <class T> const T* from(const View& view) { return static_cast<const T*>(view.data()); }
template <class T> T* into(const MutableView& view) { return static_cast<T*>(view.mutable_data()); }

/// f(stream) on the result's device, unless there is nothing to do.
template <class F>
Status on(const MutableView& out, const char* what, const F& f) {
  if (out.elements() == 0) return {};
  const OnDevice device(out.device().number);
  f(current_stream());
  return launched(what);
}

}  // namespace

Status map(Two op, const View& a, const View& b, const MutableView& out) {
  Walk<2> walk;
  for (std::size_t axis = 0; axis < out.shape().size(); ++axis)
    if (!walk.add(out.shape()[axis], {a.stride()[axis], b.stride()[axis]})) return too_many_axes();
  return on(out, "map_two", [&](cudaStream_t stream) {
    with_device_element(out.dtype(), [&]<class T>() {
      using S = typename T::Storage;
      map_two<T><<<grid_for(walk.elements), kThreads, 0, stream>>>(op, walk, from<S>(a), from<S>(b), into<S>(out));
    });
  });
}

Status map(One op, double number, const Tensor& a, const MutableView& out) {
  return on(out, "map_one", [&](cudaStream_t stream) {
    with_device_element(out.dtype(), [&]<class T>() {
      using S = typename T::Storage;
      map_one<T>
          <<<grid_for(out.elements()), kThreads, 0, stream>>>(op, number, from<S>(a), into<S>(out), out.elements());
    });
  });
}

Status keep(const View& mask, const Tensor& a, const MutableView& out) {
  Walk<1> walk;
  for (std::size_t axis = 0; axis < out.shape().size(); ++axis)
    if (!walk.add(out.shape()[axis], {mask.stride()[axis]})) return too_many_axes();
  return on(out, "keep_some", [&](cudaStream_t stream) {
    with_width(width(out.dtype()), [&]<class W>(W) {
      keep_some<<<grid_for(walk.elements), kThreads, 0, stream>>>(walk, from<Bool>(mask), from<W>(a), into<W>(out));
    });
  });
}

Status fill(const MutableView& out, const Pattern& value) {
  return on(out, "fill_all", [&](cudaStream_t stream) {
    with_width(width(out.dtype()), [&]<class W>(W pattern) {
      __builtin_memcpy(&pattern, value.byte, sizeof pattern);
      fill_all<<<grid_for(out.elements()), kThreads, 0, stream>>>(into<W>(out), pattern, out.elements());
    });
  });
}

namespace {

Status from_integers(const Tensor& a, const MutableView& to) {
  return on(to, "to_index", [&](cudaStream_t stream) {
    with_device_element(a.dtype(), [&]<class T>() {
      using S = typename T::Storage;
      if constexpr (std::is_integral_v<typename T::Compute>)
        to_index<<<grid_for(to.elements()), kThreads, 0, stream>>>(from<S>(a), into<Index>(to), to.elements());
    });
  });
}

}  // namespace

Status convert(const Tensor& a, const MutableView& to) {
  if (a.dtype() != DType::kBool && a.dtype() != DType::kI64) return from_integers(a, to);
  return on(to, "convert_all", [&](cudaStream_t stream) {
    with_device_element(to.dtype(), [&]<class T>() {
      auto* out = into<typename T::Storage>(to);
      const unsigned grid = grid_for(to.elements());
      if (a.dtype() == DType::kBool) convert_all<T><<<grid, kThreads, 0, stream>>>(from<Bool>(a), out, to.elements());
      else convert_all<T><<<grid, kThreads, 0, stream>>>(from<Index>(a), out, to.elements());
    });
  });
}

Status ask(Question question, const Tensor& a, const Tensor& b, const MutableView& out) {
  return on(out, "ask_all", [&](cudaStream_t stream) {
    with_device_element(a.dtype(), [&]<class T>() {
      using S = typename T::Storage;
      ask_all<T><<<grid_for(out.elements()), kThreads, 0, stream>>>(question, from<S>(a), from<S>(b), into<Bool>(out),
                                                                    out.elements());
    });
  });
}

Status is_equal(const Tensor& a, Index number, const MutableView& out) {
  return on(out, "equal_all", [&](cudaStream_t stream) {
    equal_all<<<grid_for(out.elements()), kThreads, 0, stream>>>(from<Index>(a), number, into<Bool>(out),
                                                                 out.elements());
  });
}

Status both(const Tensor& a, const Tensor& b, const MutableView& out) {
  return on(out, "both_all", [&](cudaStream_t stream) {
    both_all<<<grid_for(out.elements()), kThreads, 0, stream>>>(from<Bool>(a), from<Bool>(b), into<Bool>(out),
                                                                out.elements());
  });
}

Status negate(const Tensor& a, const MutableView& out) {
  return on(out, "negate_all", [&](cudaStream_t stream) {
    negate_all<<<grid_for(out.elements()), kThreads, 0, stream>>>(from<Bool>(a), into<Bool>(out), out.elements());
  });
}

Status number(const Tensor* mask, const Numbering& numbering, const MutableView& out) {
  return on(out, "number_all", [&](cudaStream_t stream) {
    number_all<<<grid_for(out.elements()), kThreads, 0, stream>>>(mask == nullptr ? nullptr : from<Bool>(*mask),
                                                                  numbering, into<Index>(out), out.elements());
  });
}

}  // namespace garner::grad::plain::on_device
