// Element types as kernels on a device hold and compute them. The bits are those of the CPU's types: 8- and 16-bit
// floats are computed in float and rounded to nearest, ties to even, after every step.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "garner/float8.h"
#include "kernel/common/combine_ops.h"
#include "kernel/common/locate.cuh"

namespace garner {

/// Stored as T, computed as Compute.
template <class Stored, class Computed, class Convert>
struct DeviceElement {
  using Storage = Stored;
  using Compute = Computed;
  __device__ static Computed load(Stored v) { return Convert::load(v); }
  __device__ static Stored store(Computed v) { return Convert::store(v); }
};

namespace device_convert {

template <class T>
struct Same {
  __device__ static T load(T v) { return v; }
  __device__ static T store(T v) { return v; }
};
struct Half {
  __device__ static float load(std::uint16_t v) { return __half2float(__ushort_as_half(v)); }
  __device__ static std::uint16_t store(float v) { return __half_as_ushort(__float2half_rn(v)); }
};
struct BFloat16 {
  __device__ static float load(std::uint16_t v) { return __uint_as_float(static_cast<unsigned>(v) << 16); }
  __device__ static std::uint16_t store(float v) { return __bfloat16_as_ushort(__float2bfloat16_rn(v)); }
};
template <class F>
struct Float8 {
  __device__ static float load(std::uint8_t v) { return float8::decode(v, F::kFormat); }
  __device__ static std::uint8_t store(float v) { return float8::encode(v, F::kFormat); }
};

/// A type that encodes and decodes by itself.
template <class F>
struct Stored8 {
  __device__ static float load(std::uint8_t v) { return F::decode(v); }
  __device__ static std::uint8_t store(float v) { return F::encode(v); }
};

}  // namespace device_convert

template <class T> using SameElement = DeviceElement<T, T, device_convert::Same<T>>;

/// The element of each dtype; by the names in dtypes.def.
struct DeviceElements {
  using Bool = SameElement<garner::Bool>;
  using I8 = SameElement<std::int8_t>;
  using I16 = SameElement<std::int16_t>;
  using I32 = SameElement<std::int32_t>;
  using I64 = SameElement<std::int64_t>;
  using U8 = SameElement<std::uint8_t>;
  using U16 = SameElement<std::uint16_t>;
  using U32 = SameElement<std::uint32_t>;
  using U64 = SameElement<std::uint64_t>;
  using F16 = DeviceElement<std::uint16_t, float, device_convert::Half>;
  using BF16 = DeviceElement<std::uint16_t, float, device_convert::BFloat16>;
  using F32 = SameElement<float>;
  using F64 = SameElement<double>;
  using C64 = SameElement<std::complex<float>>;
  using C128 = SameElement<std::complex<double>>;
  using F8E4M3 = DeviceElement<std::uint8_t, float, device_convert::Float8<Float8E4M3>>;
  using F8E5M2 = DeviceElement<std::uint8_t, float, device_convert::Float8<Float8E5M2>>;
};

/// f.template operator()<Element>() with the dtype's element.
template <class F>
void with_device_element(DType dtype, F&& f) {
  using Call = void (*)(F&);
  static constexpr Call kCalls[] = {
#define GARNER_DTYPE(name, ...) [](F& g) { g.template operator()<DeviceElements::name>(); },
#include "garner/dtypes.def"
#undef GARNER_DTYPE
  };
  kCalls[static_cast<std::size_t>(dtype)](f);
}

template <class C>
__device__ inline C combined(Combine combine, C a, C b) {
  using namespace combine_ops;
  switch (combine) {
    case Combine::kAdd: return Add::apply(a, b);
    case Combine::kMul: return Mul::apply(a, b);
    case Combine::kMin: return Min::apply(a, b);
    case Combine::kMax: return Max::apply(a, b);
    case Combine::kAnd: return And::apply(a, b);
    case Combine::kOr: return Or::apply(a, b);
    case Combine::kXor: return Xor::apply(a, b);
    case Combine::kAssign:
    case Combine::kCompareExchange:
    case Combine::kUser: break;
  }
  return b;
}

template <class S>
__device__ inline bool same_bytes(const S& a, const S& b) {
  const auto* left = reinterpret_cast<const unsigned char*>(&a);
  const auto* right = reinterpret_cast<const unsigned char*>(&b);
  bool same = true;
  for (std::size_t i = 0; i < sizeof(S); ++i) same = same && left[i] == right[i];
  return same;
}

/// What a lane of the warp has; every lane takes part.
template <class S>
__device__ inline S of_lane(const S& value, int lane) {
  unsigned word[(sizeof(S) + 3) / 4] = {};
  memcpy(word, &value, sizeof(S));
#pragma unroll
  for (unsigned& w : word) w = __shfl_sync(0xffffffffU, w, lane);
  S out;
  memcpy(&out, word, sizeof(S));
  return out;
}

/// The place's new value after one update.
template <class T>
__device__ inline typename T::Storage updated(Combine combine, typename T::Storage current, typename T::Storage update,
                                              typename T::Storage expected) {
  if (combine == Combine::kAssign) return update;
  if (combine == Combine::kCompareExchange) return same_bytes(current, expected) ? update : current;
  return T::store(combined(combine, T::load(current), T::load(update)));
}

/// A place's next value. Sums are compiled by themselves: asked at every step, which one it is takes longer than to
/// add.
template <class T>
struct AddStep {
  __device__ typename T::Storage operator()(typename T::Storage current, typename T::Storage update) const {
    return T::store(combine_ops::Add::apply(T::load(current), T::load(update)));
  }
};
template <class T>
struct AnyStep {
  Combine combine;
  __device__ typename T::Storage operator()(typename T::Storage current, typename T::Storage update) const {
    return updated<T>(combine, current, update, update);
  }
};

/// f(step); of a combine that needs no third value. Elements of one byte are not worth the compiler's time.
template <class T, class F>
__device__ inline void with_step(Combine combine, F&& f) {
  if constexpr (sizeof(typename T::Storage) > 1)
    if (combine == Combine::kAdd) return f(AddStep<T>{});
  f(AnyStep<T>{combine});
}

/// One position of a scatter: fetches, then updates.
template <class T, class Size>
__device__ inline void update_one(const DevicePlan<Size>& plan, const Spot& spot, Combine combine) {
  using S = typename T::Storage;
  S expected{};
  if (plan.fill != nullptr) expected = static_cast<const S*>(plan.fill)[spot.fill];
  S* place = static_cast<S*>(plan.indexed) + spot.indexed;
  const S before = spot.valid ? *place : expected;
  if (plan.fetched != nullptr) static_cast<S*>(plan.fetched)[spot.fetch] = before;
  if (spot.valid) *place = updated<T>(combine, before, static_cast<const S*>(plan.dense)[spot.dense], expected);
}

}  // namespace garner
