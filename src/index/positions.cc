// Bytes to the positions of those that are not zero: compress in a register, store at full width.
#include "index/truth.h"

// Baseline, SSE4, AVX2 and AVX-512: the ones in between gain nothing here and cost build time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/positions.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner::index {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

Index PositionsInBlock(const std::uint8_t* bytes, Index n, std::uint32_t* out) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  std::size_t count = 0;
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto mask = hn::Ne(hn::PromoteTo(d, hn::LoadU(d8, bytes + i)), hn::Zero(d));
    count += hn::CompressStore(hn::Iota(d, static_cast<std::uint32_t>(i)), mask, d, out + count);
  }
  for (; i < n; ++i) {
    out[count] = static_cast<std::uint32_t>(i);
    count += bytes[i] != 0 ? 1 : 0;
  }
  return static_cast<Index>(count);
}

}  // namespace HWY_NAMESPACE
}  // namespace garner::index
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner::index {
HWY_EXPORT(PositionsInBlock);
Index positions_in_block(const std::uint8_t* bytes, Index n, std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(PositionsInBlock)(bytes, n, out);
}
}  // namespace garner::index
#endif
