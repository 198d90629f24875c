// Rules P1…P9: a plan that passes touches only memory inside its extents, whatever the index tensors hold.
#include <algorithm>

#include "base/checked_math.h"
#include "base/fail.h"
#include "plan/names.h"
#include "plan/range.h"

namespace garner {
namespace {

Status check_length(const char* what, const Axes& axes, const IndexPlan& plan) {
  if (axes.size() == plan.domain.size()) return {};
  return fail(Code::kInvalidArgument, "P1", "plan: {} has {} entries, the domain has {} axes", what, axes.size(),
              plan.domain.size());
}

Status check_lengths(const IndexPlan& plan) {
  GARNER_TRY(check_length("dense stride", plan.dense_stride, plan));
  for (const AxisMap& map : plan.indexed) GARNER_TRY(check_length("step", map.step, plan));
  for (const IndexTerm& term : plan.terms) GARNER_TRY(check_length("term stride", term.stride, plan));
  for (const auto* stride : {&plan.mask_stride, &plan.fill_stride, &plan.fetch_stride})
    if (*stride) GARNER_TRY(check_length("mask, fill or fetch stride", **stride, plan));
  return {};
}

Status check_extents(const IndexPlan& plan) {
  for (std::size_t k = 0; k < plan.domain.size(); ++k)
    if (plan.domain[k] < 0)
      return fail(Code::kInvalidArgument, "P2", "plan: extent is {}, allowed [0, 2^63) on domain axis {}",
                  plan.domain[k], k);
  for (std::size_t a = 0; a < plan.indexed.size(); ++a)
    if (plan.indexed[a].extent < 0)
      return fail(Code::kInvalidArgument, "P2", "plan: extent is {}, allowed [0, 2^63) on axis {}",
                  plan.indexed[a].extent, a);
  return {};
}

/// Every offset that can come up is below 2^59 in size, so offsets in bytes fit too.
constexpr Index kMaxReach = Index{1} << 59;

bool reaches_too_far(const Axes& extents, const Axes& strides) {
  const auto range = affine_range(0, extents, strides);
  return !range || range->lo < -kMaxReach || range->hi > kMaxReach;
}

Status check_overflow(const IndexPlan& plan) {
  if (!checked_product(plan.domain))
    return fail(Code::kInvalidArgument, "P3", "plan: domain {} has more than 2^63 positions", list(plan.domain));
  if (any_zero(plan.domain)) return {};
  Axes extents, strides;
  for (const AxisMap& map : plan.indexed) {
    extents.push_back(std::max<Index>(map.extent, 1));
    strides.push_back(map.stride);
  }
  bool far = plan.indexed_base < -kMaxReach || plan.indexed_base > kMaxReach || reaches_too_far(extents, strides) ||
             reaches_too_far(plan.domain, plan.dense_stride);
  for (const IndexTerm& term : plan.terms) far = far || reaches_too_far(plan.domain, term.stride);
  for (const AxisMap& map : plan.indexed)
    far = far || map.offset < -kMaxReach || map.offset > kMaxReach || reaches_too_far(plan.domain, map.step);
  for (const auto* stride : {&plan.mask_stride, &plan.fill_stride, &plan.fetch_stride})
    far = far || (*stride && reaches_too_far(plan.domain, **stride));
  if (far)
    return fail(Code::kInvalidArgument, "P3", "plan: an offset exceeds 2^59 elements, domain is {}", list(plan.domain));
  return {};
}

Status check_term(const IndexPlan& plan, std::size_t t) {
  const IndexTerm& term = plan.terms[t];
  const Bounds& b = term.bounds;
  if (!is_integer(term.dtype))
    return fail(Code::kType, "P6", "plan: index %{} is {}, allowed an integer dtype", t, name(term.dtype));
  if (b.wrap < 0 || b.lo < 0)
    return fail(Code::kInvalidArgument, "P7", "plan: bounds of %{} have wrap {} and lower end {}, allowed [0, 2^63)", t,
                b.wrap, b.lo);
  const bool needs_value = b.policy == OutOfRange::kClamp || b.policy == OutOfRange::kModulo;
  if (needs_value && b.hi <= b.lo && !any_zero(plan.domain))
    return fail(Code::kInvalidArgument, "P7", "plan: bounds of %{} are [{}, {}), which allow no value to {} to", t,
                b.lo, b.hi, name(b.policy));
  if (b.scope == Scope::kPosition && needs_value)
    return fail(Code::kInvalidArgument, "P7",
                "plan: policy of %{} is {} at position, allowed trap, fill, drop, promise", t, name(b.policy));
  const OutOfRange refused = plan.direction == Direction::kGather ? OutOfRange::kDrop : OutOfRange::kFill;
  if (b.policy == refused)
    return fail(Code::kInvalidArgument, "P8", "plan: policy of %{} is {}, which belongs to a {}", t, name(b.policy),
                plan.direction == Direction::kGather ? "scatter" : "gather");
  return {};
}

Status check_terms(const IndexPlan& plan) {
  std::vector<bool> used(plan.terms.size(), false);
  for (const AxisMap& map : plan.indexed) {
    if (map.term >= static_cast<int>(plan.terms.size()) || map.term < -1)
      return fail(Code::kInvalidArgument, "P5", "plan: an axis reads index %{}, allowed %0 to %{}", map.term,
                  plan.terms.size());
    if (map.term >= 0) used[static_cast<std::size_t>(map.term)] = true;
  }
  for (std::size_t t = 0; t < plan.terms.size(); ++t) {
    if (!used[t]) return fail(Code::kInvalidArgument, "P5", "plan: no axis reads index %{}", t);
    GARNER_TRY(check_term(plan, t));
  }
  return {};
}

/// The positions an axis can take when every index keeps to its bounds.
std::optional<Range> position_range(const IndexPlan& plan, const AxisMap& map) {
  auto range = affine_range(map.offset, plan.domain, map.step);
  if (!range || map.term < 0) return range;
  const Bounds& b = plan.terms[static_cast<std::size_t>(map.term)].bounds;
  if (b.hi <= b.lo) return Range{0, -1};  // no index passes, so no position is taken
  if (b.scope == Scope::kPosition) return Range{b.lo, b.hi - 1};
  const auto lo = checked_add(range->lo, b.lo), hi = checked_add(range->hi, b.hi - 1);
  return lo && hi ? std::optional(Range{*lo, *hi}) : std::nullopt;
}

Status check_positions(const IndexPlan& plan) {
  if (any_zero(plan.domain)) return {};
  for (std::size_t a = 0; a < plan.indexed.size(); ++a) {
    const AxisMap& map = plan.indexed[a];
    const auto range = position_range(plan, map);
    if (!range) return fail(Code::kInvalidArgument, "P3", "plan: a position overflows on axis {}", a);
    if (range->lo > range->hi) continue;
    if (range->lo < 0 || range->hi >= map.extent)
      return fail(Code::kInvalidArgument, "P4", "plan: positions are [{}, {}], allowed [0, {}) on axis {}", range->lo,
                  range->hi, map.extent, a);
  }
  return {};
}

bool combines(Combine combine, DType t) {
  switch (combine) {
    case Combine::kAnd:
    case Combine::kOr:
    case Combine::kXor: return is_integer(t) || t == DType::kBool;
    case Combine::kMin:
    case Combine::kMax: return kind(t) != Kind::kComplex;
    case Combine::kAssign:
    case Combine::kAdd:
    case Combine::kMul:
    case Combine::kCompareExchange:
    case Combine::kUser: return true;
  }
  return false;
}

Status check_combine(const IndexPlan& plan) {
  const bool gather = plan.direction == Direction::kGather;
  if (gather && (plan.combine != Combine::kAssign || plan.fetch_stride))
    return fail(Code::kInvalidArgument, "P9", "plan: combine is {}, allowed assign in a gather", name(plan.combine));
  if (!combines(plan.combine, plan.dtype))
    return fail(Code::kType, "P9", "plan: combine {} is not defined for {}", name(plan.combine), name(plan.dtype));
  if (plan.combine == Combine::kCompareExchange && !plan.fill_stride)
    return fail(Code::kInvalidArgument, "P9", "plan: compare_exchange has no fill, which is the expected value");
  return {};
}

}  // namespace

Status verify(const IndexPlan& plan) {
  GARNER_TRY(check_lengths(plan));
  GARNER_TRY(check_extents(plan));
  GARNER_TRY(check_overflow(plan));
  GARNER_TRY(check_terms(plan));
  GARNER_TRY(check_positions(plan));
  return check_combine(plan);
}

}  // namespace garner
