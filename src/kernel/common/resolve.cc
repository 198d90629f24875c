#include "kernel/common/resolve.h"

#include <cstdlib>
#include <string_view>

#include "dtype/dispatch.h"
#include "kernel/common/index_value.h"

#include "base/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/common/resolve.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner {
namespace HWY_NAMESPACE {

using U64 = std::uint64_t;

/// Values that always give a place to read or write.
template <class T, OutOfRange kPolicy>
HWY_INLINE void place_all(const TermSegment& s, Index step) {
  const auto* index = static_cast<const T*>(s.index);
  const Bounds b = *s.bounds;
  for (Index j = 0; j < s.count; ++j) {
    Index v;
    if constexpr (kPolicy == OutOfRange::kModulo) v = modulo_index(index[j * step], b);
    else v = wrapped_index(index[j * step], b);
    if constexpr (kPolicy == OutOfRange::kClamp) v = v < b.lo ? b.lo : v >= b.hi ? b.hi - 1 : v;
    s.offset[j] = static_cast<Index>(static_cast<U64>(s.offset[j]) + static_cast<U64>(v) * static_cast<U64>(s.scale));
  }
}

/// Values that are used only where they are in range.
template <class T>
HWY_INLINE Index place_inside(const TermSegment& s, Index step) {
  const auto* index = static_cast<const T*>(s.index);
  const Bounds b = *s.bounds;
  const U64 lo = static_cast<U64>(b.lo), size = b.hi > b.lo ? static_cast<U64>(b.hi) - lo : 0;
  const bool at_position = b.scope == Scope::kPosition;
  const U64 window = at_position ? static_cast<U64>(s.window) : 0,
            window_step = at_position ? static_cast<U64>(s.window_step) : 0;
  Index lost = 0;
  for (Index j = 0; j < s.count; ++j) {
    const U64 v = static_cast<U64>(wrapped_index(index[j * step], b));
    const bool ok = is_inside(v + window + window_step * static_cast<U64>(j), lo, size);
    lost += static_cast<Index>(s.valid[j] != 0 && !ok);
    s.valid[j] = static_cast<std::uint8_t>(s.valid[j] & (ok ? 1 : 0));
    s.offset[j] = static_cast<Index>(static_cast<U64>(s.offset[j]) + (ok ? v * static_cast<U64>(s.scale) : 0));
  }
  return lost;
}

template <class T>
Index resolve_step(const TermSegment& s, Index step) {
  switch (s.bounds->policy) {
    case OutOfRange::kPromise: place_all<T, OutOfRange::kPromise>(s, step); return 0;
    case OutOfRange::kClamp: place_all<T, OutOfRange::kClamp>(s, step); return 0;
    case OutOfRange::kModulo: place_all<T, OutOfRange::kModulo>(s, step); return 0;
    case OutOfRange::kTrap:
    case OutOfRange::kFill:
    case OutOfRange::kDrop: return place_inside<T>(s, step);
  }
  return 0;
}

Index Resolve(const TermSegment& s) {
  return dispatch_index(s.dtype, [&]<class T>() -> Index {
        // The literal 1 lets the compiler load whole vectors.
    return s.index_step == 1 ? resolve_step<T>(s, 1) : resolve_step<T>(s, s.index_step);
  }, []() -> Index { return 0; });
}

const char* Target() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace garner
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner {
namespace {
/// GARNER_SIMD=AVX2 leaves out what is better, to measure and to compare (docs/performance).
const bool kLimited = [] {
  const char* wanted = std::getenv("GARNER_SIMD");
  for (std::int64_t left = hwy::SupportedTargets(); wanted != nullptr && left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    if (std::string_view(hwy::TargetName(target)) == wanted) hwy::DisableTargets(target - 1);
  }
  return wanted != nullptr;
}();
}  // namespace

HWY_EXPORT(Resolve);
HWY_EXPORT(Target);
Index resolve_segment(const TermSegment& segment) { return HWY_DYNAMIC_DISPATCH(Resolve)(segment); }
const char* simd_target() { return HWY_DYNAMIC_DISPATCH(Target)(); }
}  // namespace garner
#endif
