// Are index values in range, a vector at a time. Compiled once per SIMD target: include it behind <hwy/highway.h> in a
// file that goes through foreach_target.
#if defined(GARNER_INSIDE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GARNER_INSIDE_INL_H
#undef GARNER_INSIDE_INL_H
#else
#define GARNER_INSIDE_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

#include "garner/plan.h"

HWY_BEFORE_NAMESPACE();
namespace garner {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Values that lead on as they are (leads_on() in lines.h): in range without being wrapped, clamped or skipped.
template <class T>
class Inside {
  using V = std::make_unsigned_t<T>;

 public:
  explicit Inside(const Bounds& b) : lo_(static_cast<V>(b.lo)) {
    const auto end = std::min(static_cast<std::uint64_t>(b.hi), static_cast<std::uint64_t>(hwy::LimitsMax<T>()));
    size_ = end > static_cast<std::uint64_t>(b.lo) ? static_cast<V>(end - static_cast<std::uint64_t>(b.lo)) : V{0};
  }

  template <Index kCount>
  HWY_INLINE bool all(const T* index) const {
    const hn::CappedTag<V, kCount> d;
    const auto first = hn::Set(d, lo_), count = hn::Set(d, size_);
    auto in = hn::Eq(count, count);
    for (Index j = 0; j < kCount; j += static_cast<Index>(hn::Lanes(d)))
      in = hn::And(in, hn::Lt(hn::Sub(hn::LoadU(d, reinterpret_cast<const V*>(index) + j), first), count));
    return hn::AllTrue(d, in);
  }

 private:
  V lo_, size_;  // at most to the largest value of the type, which itself takes the longer way
};

}  // namespace HWY_NAMESPACE
}  // namespace garner
HWY_AFTER_NAMESPACE();
#endif
