// One index value against its bounds, exactly, in 128 bits: for the reference kernel and for error reports. The
// kernels' fast form is resolve.h, which is compared with this one.
#pragma once
#include <optional>

#include "dtype/dispatch.h"
#include "garner/plan.h"

namespace garner {

using Wide = __int128;  // holds every i64 and every u64

inline Wide load_index(DType t, const void* data, Index at) {
  return dispatch_index(t, [&]<class T>() -> Wide { return static_cast<const T*>(data)[at]; },
                        []() -> Wide { return 0; });
}

inline Wide clamp_to(Wide v, const Bounds& b) { return v < b.lo ? b.lo : v >= b.hi ? Wide{b.hi} - 1 : v; }

inline Wide modulo_to(Wide v, const Bounds& b) {
  const Wide n = Wide{b.hi} - b.lo, rest = (v - b.lo) % n;
  return b.lo + (rest < 0 ? rest + n : rest);
}

/// The value to use, or nothing when it is out of range and the policy says trap, fill or drop.
/// `window` is what the axis adds to the value; it counts only for bounds at position.
inline std::optional<Index> resolve_index(Wide raw, const Bounds& b, Index window) {
  Wide v = raw < 0 ? raw + b.wrap : raw;
  const Wide checked = b.scope == Scope::kPosition ? v + window : v;
  const bool inside = checked >= b.lo && checked < b.hi;
  switch (b.policy) {
    case OutOfRange::kPromise: break;
    case OutOfRange::kClamp: v = clamp_to(v, b); break;
    case OutOfRange::kModulo: v = modulo_to(v, b); break;
    case OutOfRange::kTrap:
    case OutOfRange::kFill:
    case OutOfRange::kDrop:
      if (!inside) return std::nullopt;
  }
  return static_cast<Index>(v);
}

}  // namespace garner
