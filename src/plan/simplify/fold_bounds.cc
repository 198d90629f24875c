#include <limits>

#include "plan/simplify/simplify.h"

namespace garner {
namespace {

struct Values {
  __int128 lo, hi;
};  // what the dtype can hold, both included

Values values_of(DType t) {
  const int bits = info(t).bits;
  const __int128 one = 1;
  if (kind(t) == Kind::kUInt) return {0, (one << bits) - 1};
  return {-(one << (bits - 1)), (one << (bits - 1)) - 1};
}

bool inside(__int128 v, const Bounds& b) { return v >= b.lo && v < b.hi; }

/// Can no value of the dtype break the bounds? Negative ones are seen after wrapping.
bool always_inside(DType t, const Bounds& b) {
  const Values v = values_of(t);
  if (b.scope == Scope::kPosition || !inside(v.hi, b)) return false;
  if (v.lo >= 0) return b.lo <= 0;
  const __int128 wrap = b.wrap;
  return inside(0, b) && inside(v.lo + wrap, b) && inside(wrap - 1, b);
}

}  // namespace

/// N3: a term is checked only where its dtype can break its bounds, and wraps only where it can be negative.
/// A u8 index into 256 entries needs no check, so it is run as a promise that holds by construction.
bool fold_bounds(IndexPlan& plan) {
  bool changed = false;
  for (IndexTerm& term : plan.terms) {
    Bounds after = term.bounds;
    if (always_inside(term.dtype, after)) after.policy = OutOfRange::kPromise;
    if (kind(term.dtype) == Kind::kUInt) after.wrap = 0;
    changed |= after != term.bounds;
    term.bounds = after;
  }
  return changed;
}

}  // namespace garner
