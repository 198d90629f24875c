// Index values as their bounds read them.
#include <algorithm>
#include <functional>
#include <limits>

#include "base/fail.h"
#include "translate/views.h"
#include "translate/work.h"

namespace garner::translate_detail {
namespace {

/// A u64 past i64 is past every axis, too: the greatest i64 will do. Modulo alone asks for its value.
int read_unsigned(Work& w, int v, const Bounds& bounds) {
  if (bounds.policy == OutOfRange::kModulo)
    w.failed = w.context.refuse("T5", "an index of 2^63", "{}: indices of u64 modulo {}", w.target.name,
                                bounds.hi - bounds.lo);
  v = w.b.convert(v, DType::kI64);
  if (bounds.policy == OutOfRange::kTrap || bounds.policy == OutOfRange::kPromise) return v;
  return w.b.select(w.b.less(v, w.b.number(0)), w.b.number(std::numeric_limits<Index>::max()), v);
}

int read_index(Work& w, std::size_t t) {
  const IndexTerm& term = w.plan().terms[t];
  int v = w.along(w.placed->indices[t], w.plan().domain, term.stride);
  if (term.dtype == DType::kU64) return read_unsigned(w, v, term.bounds);
  v = w.b.convert(v, DType::kI64);
  if (term.bounds.wrap == 0 || kind(term.dtype) == Kind::kUInt) return v;
  return w.b.select(w.b.less(v, w.b.number(0)), w.b.add(v, w.b.number(term.bounds.wrap)), v);
}

int modulo(Builder& b, int v, const Bounds& bounds) {
  const Index n = bounds.hi - bounds.lo, shift = bounds.lo % n;
  if (bounds.lo == 0) return b.mod(v, n);
  return b.add(b.mod(b.add(b.mod(v, n), b.number(n - shift)), n), b.number(bounds.lo));
}

/// lo <= v + window < hi, without a sum that could overflow: the window goes to the other side.
int is_inside(Work& w, int v, const AxisMap& map, const Bounds& bounds) {
  Axes backwards(map.step.size(), 0);
  Index shift = 0;
  if (bounds.scope == Scope::kPosition) {
    std::ranges::transform(map.step, backwards.begin(), std::negate<>());
    shift = map.offset;
  }
  const int low = affine(w.b, {bounds.lo - shift, w.plan().domain, backwards}),
            high = affine(w.b, {bounds.hi - shift, w.plan().domain, backwards});
  return w.b.land(w.b.lnot(w.b.less(v, low)), w.b.less(v, high));
}

/// What the mask keeps from being read is not checked.
void check(Work& w, int inside, const Places& places, std::size_t t) {
  if (!w.target.can_check) return;
  const auto& labels = w.placed->job.labels;
  const Bounds& bounds = w.plan().terms[t].bounds;
  const int fine = places.valid ? w.b.lnot(w.b.land(*places.valid, w.b.lnot(inside))) : inside;
  if (w.b.truth_in(fine).value_or(false)) return;
  w.b.check(fine, fmt::format("{}: {} is out of range, allowed [{}, {})", w.subject.op,
                              t < labels.size() ? labels[t].name : "index", bounds.lo - bounds.wrap, bounds.hi));
}

void resolve(Work& w, const AxisMap& map, Places& places) {
  const auto t = static_cast<std::size_t>(map.term);
  const Bounds& bounds = w.plan().terms[t].bounds;
  int v = read_index(w, t);
  switch (bounds.policy) {
    case OutOfRange::kPromise: break;
    case OutOfRange::kClamp: v = w.b.clamp(v, bounds.lo, bounds.hi - 1); break;
    case OutOfRange::kModulo: v = modulo(w.b, v, bounds); break;
    case OutOfRange::kTrap: break;
    case OutOfRange::kFill:
    case OutOfRange::kDrop: {
      const int inside = is_inside(w, v, map, bounds);
      places.valid = places.valid ? w.b.land(*places.valid, inside) : inside;
    }
  }
  places.value[t] = v;
}

}  // namespace

Places places_of(Work& w) {
  Places places{std::vector<int>(w.plan().terms.size(), -1), std::nullopt};
  if (w.placed->mask) places.valid = w.along(*w.placed->mask, w.plan().domain, *w.plan().mask_stride);
  const Places masked = places;
  for (const AxisMap& map : w.plan().indexed)
    if (map.term >= 0) resolve(w, map, places);
  for (const AxisMap& map : w.plan().indexed) {
    const auto t = static_cast<std::size_t>(map.term);
    if (map.term < 0 || w.plan().terms[t].bounds.policy != OutOfRange::kTrap) continue;
    check(w, is_inside(w, places.value[t], map, w.plan().terms[t].bounds), masked, t);
  }
  if (places.valid && w.b.truth_in(*places.valid).value_or(false)) places.valid.reset();
  return places;
}

int flat_position(Work& w, const Places& places, const Axes& stride, Index base) {
  Walk walk{base, w.plan().domain, Axes(w.plan().domain.size(), 0)};
  for (std::size_t a = 0; a < stride.size(); ++a) {
    const AxisMap& map = w.plan().indexed[a];
    walk.offset += map.offset * stride[a];
    for (std::size_t k = 0; k < walk.stride.size(); ++k) walk.stride[k] += map.step[k] * stride[a];
  }
  int sum = affine(w.b, walk);
  for (std::size_t a = 0; a < stride.size(); ++a) {
    const int term = w.plan().indexed[a].term;
    if (term >= 0) sum = w.b.add(w.b.mul(places.value[static_cast<std::size_t>(term)], w.b.number(stride[a])), sum);
  }
  return sum;
}

}  // namespace garner::translate_detail
