#include "index/stream.h"

// Baseline, SSE4, AVX2 and AVX-512: the ones in between gain nothing here and cost build time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/stream.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner::index {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Single entries up to the first whole vector of `to`, and behind the last.
void StreamOut(const Index* from, Index n, Index* to) {
  const hn::ScalableTag<Index> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const auto bytes = static_cast<std::uintptr_t>(lanes) * sizeof(Index);
  Index i = 0;
  for (; i < n && reinterpret_cast<std::uintptr_t>(to + i) % bytes != 0; ++i) to[i] = from[i];
  for (; i + lanes <= n; i += lanes) hn::Stream(hn::LoadU(d, from + i), d, to + i);
  for (; i < n; ++i) to[i] = from[i];
}

}  // namespace HWY_NAMESPACE
}  // namespace garner::index
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner::index {
HWY_EXPORT(StreamOut);
void stream_out(const Index* from, Index n, Index* to) { HWY_DYNAMIC_DISPATCH(StreamOut)(from, n, to); }
void flush_streams() { hwy::FlushStream(); }
}  // namespace garner::index
#endif
