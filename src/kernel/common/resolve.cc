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

/// Is the value of position j in range?
struct Inside {
  explicit Inside(const TermSegment& s)
      : lo(static_cast<U64>(s.bounds->lo)),
        size(s.bounds->hi > s.bounds->lo ? static_cast<U64>(s.bounds->hi) - lo : 0),
        window(s.bounds->scope == Scope::kPosition ? static_cast<U64>(s.window) : 0),
        step(s.bounds->scope == Scope::kPosition ? static_cast<U64>(s.window_step) : 0) {}
  HWY_INLINE bool operator()(U64 value, Index j) const {
    return is_inside(value + window + step * static_cast<U64>(j), lo, size);
  }
  U64 lo, size, window, step;
};

/// Clears what is out of range in `valid`; returns how many that were.
template <class T>
Index mark_lost(const TermSegment& s, Index step) {
  const auto* index = static_cast<const T*>(s.index);
  const Bounds b = *s.bounds;
  const Inside inside(s);
  Index lost = 0;
  for (Index j = 0; j < s.count; ++j) {
    const bool ok = inside(static_cast<U64>(wrapped_index(index[j * step], b)), j);
    lost += static_cast<Index>(s.valid[j] != 0 && !ok);
    s.valid[j] = static_cast<std::uint8_t>(s.valid[j] & (ok ? 1 : 0));
  }
  return lost;
}

/// Values that are used only where they are in range. Nearly always all are, and a loop without `valid` is half as
/// long.
template <class T>
HWY_INLINE Index place_inside(const TermSegment& s, Index step) {
  const auto* index = static_cast<const T*>(s.index);
  const Bounds b = *s.bounds;
  const Inside inside(s);
  U64 outside = 0;
  for (Index j = 0; j < s.count; ++j) {
    const U64 v = static_cast<U64>(wrapped_index(index[j * step], b));
    const bool ok = inside(v, j);
    outside += ok ? 0 : 1;
    s.offset[j] = static_cast<Index>(static_cast<U64>(s.offset[j]) + (ok ? v * static_cast<U64>(s.scale) : 0));
  }
  return outside == 0 ? 0 : mark_lost<T>(s, step);
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
