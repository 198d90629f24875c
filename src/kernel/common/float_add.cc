#include "kernel/common/float_add.h"

#include <bit>

#include "dtype/convert.h"

#include "base/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/common/float_add.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner {
namespace HWY_NAMESPACE {

template <class T>
HWY_INLINE void add_plain(void* dst, const void* src, Index n) {
  auto* d = static_cast<T*>(dst);
  const auto* s = static_cast<const T*>(src);
  for (Index i = 0; i < n; ++i) d[i] = d[i] + s[i];
}
void AddF32(void* dst, const void* src, Index n) { add_plain<float>(dst, src, n); }
void AddF64(void* dst, const void* src, Index n) { add_plain<double>(dst, src, n); }

// ---- bf16: the upper half of a float ----

HWY_INLINE float widened(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

/// To the nearest, ties to even; NaN without its payload.
HWY_INLINE std::uint16_t rounded(float value) {
  const std::uint32_t u = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t nan = 0x7fc0u | (u >> 16 & 0x8000u), near = (u + 0x7fffu + (u >> 16 & 1u)) >> 16;
  return static_cast<std::uint16_t>((u & 0x7fffffffu) > 0x7f800000u ? nan : near);
}

void AddBF16(void* dst, const void* src, Index n) {
  auto* d = static_cast<std::uint16_t*>(dst);
  const auto* s = static_cast<const std::uint16_t*>(src);
  for (Index i = 0; i < n; ++i) d[i] = rounded(widened(d[i]) + widened(s[i]));
}

// ---- f16: the machine converts ----

void add_halves_one_by_one(void* dst, const void* src, Index n) {
  auto* d = static_cast<Eigen::half*>(dst);
  const auto* s = static_cast<const Eigen::half*>(src);
  for (Index i = 0; i < n; ++i) d[i] = convert<Eigen::half>(to_compute(d[i]) + to_compute(s[i]));
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
namespace hn = hwy::HWY_NAMESPACE;

void AddF16(void* dst, const void* src, Index n) {
  const hn::ScalableTag<float> df;
  const hn::Rebind<hwy::float16_t, decltype(df)> dh;
  const hn::RebindToUnsigned<decltype(dh)> du;
  const Index lanes = static_cast<Index>(hn::Lanes(df));
  auto* d = static_cast<std::uint16_t*>(dst);
  const auto* s = static_cast<const std::uint16_t*>(src);
  const auto load = [&](const std::uint16_t* p) { return hn::PromoteTo(df, hn::BitCast(dh, hn::LoadU(du, p))); };
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto sum = hn::Add(load(d + i), load(s + i));
    if (!hn::AllFalse(df, hn::IsNaN(sum))) add_halves_one_by_one(d + i, s + i, lanes);  // NaN without its payload
    else hn::StoreU(hn::BitCast(du, hn::DemoteTo(dh, sum)), du, d + i);
  }
  add_halves_one_by_one(d + i, s + i, n - i);
}
#else
void AddF16(void* dst, const void* src, Index n) { add_halves_one_by_one(dst, src, n); }
#endif

}  // namespace HWY_NAMESPACE
}  // namespace garner
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner {
HWY_EXPORT(AddF32);
HWY_EXPORT(AddF64);
HWY_EXPORT(AddBF16);
HWY_EXPORT(AddF16);

namespace {
void add_f32(void* dst, const void* src, Index n) { HWY_DYNAMIC_DISPATCH(AddF32)(dst, src, n); }
void add_f64(void* dst, const void* src, Index n) { HWY_DYNAMIC_DISPATCH(AddF64)(dst, src, n); }
void add_bf16(void* dst, const void* src, Index n) { HWY_DYNAMIC_DISPATCH(AddBF16)(dst, src, n); }
void add_f16(void* dst, const void* src, Index n) { HWY_DYNAMIC_DISPATCH(AddF16)(dst, src, n); }
}  // namespace

void (*float_add(DType dtype))(void*, const void*, Index) {
  return dispatch(dtype, []<class T>() -> void (*)(void*, const void*, Index) {
    if constexpr (std::is_same_v<T, float>) return add_f32;
    else if constexpr (std::is_same_v<T, double>) return add_f64;
    else if constexpr (std::is_same_v<T, Eigen::bfloat16>) return add_bf16;
    else if constexpr (std::is_same_v<T, Eigen::half>) return add_f16;
    else return nullptr;
  });
}
}  // namespace garner
#endif
