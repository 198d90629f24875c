#include "kernel/common/straight_rows.h"

#include <algorithm>
#include <cstdint>

#include "dtype/dispatch.h"
#include "kernel/common/lines.h"

#include "base/simd_targets.h"
#include "device/cpu/prefetch.h"
#include "device/cpu/stream.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/common/straight_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "device/cpu/sink-inl.h"
#include "kernel/common/inside-inl.h"

HWY_BEFORE_NAMESPACE();
namespace garner {
namespace HWY_NAMESPACE {
constexpr Index kGroup = 64;  // values that are looked at together

/// Nobody has looked at the value yet; asking for memory that is not there does nothing.
template <class T, class Bytes>
HWY_INLINE void ask_for_row(const StraightRows& r, T value, Bytes bytes) {
  const auto from = reinterpret_cast<std::uintptr_t>(r.from);
  const auto row = static_cast<std::uintptr_t>(value) * static_cast<std::uintptr_t>(r.pitch);
  ask_for(reinterpret_cast<const void*>(from + row), bytes);
}

template <class T, class Bytes>
HWY_INLINE Index stream_rows(const StraightRows& r, Index count, Bytes bytes) {
  const T* index = static_cast<const T*>(r.index);
  const Inside<T> inside(*r.bounds);
  const Index ahead = std::min(rows_ahead(bytes), count);
  for (Index j = 0; j < ahead; ++j) ask_for_row(r, index[j], bytes);
  Index j = 0;
  for (; j + kGroup <= count && inside.template all<kGroup>(index + j); j += kGroup) {
    ask_for(reinterpret_cast<const char*>(index + j) + kPageAhead, kGroup * static_cast<Index>(sizeof(T)));
    for (Index i = j; i < j + kGroup; ++i) {
      if (i + ahead < count) ask_for_row(r, index[i + ahead], bytes);
      stream_lines(r.to + i * bytes, r.from + static_cast<Index>(index[i]) * r.pitch, bytes);
    }
  }
  return j;
}

Index StreamStraightRows(const StraightRows& r, Index count) {
  return dispatch_index(r.dtype, [&]<class T>() HWY_ATTR -> Index {
    Index done = 0;
    with_size(r.bytes, [&](auto bytes) HWY_ATTR { done = stream_rows<T>(r, count, bytes); });
    return done;
  }, []() -> Index { return 0; });
}

}  // namespace HWY_NAMESPACE
}  // namespace garner
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner {
HWY_EXPORT(StreamStraightRows);

Index stream_straight_rows(const StraightRows& rows, Index count) {
  return HWY_DYNAMIC_DISPATCH(StreamStraightRows)(rows, count);
}

bool has_straight_rows(const IndexPlan& plan, Index run) {
  if (plan.terms.size() != 1 || plan.mask_stride || plan.fill_stride || plan.fetch_stride || plan.domain.size() != 2)
    return false;
  const IndexTerm& term = plan.terms[0];
  const auto follows_rows = [](const AxisMap& map) { return map.step[0] != 0; };
  return term.stride[0] == 1 && leads_on(term.bounds) && plan.dense_stride[0] == run &&
         std::ranges::none_of(plan.indexed, follows_rows) &&
         std::ranges::count_if(plan.indexed, [](const AxisMap& map) { return map.term >= 0; }) == 1;
}
}  // namespace garner
#endif
