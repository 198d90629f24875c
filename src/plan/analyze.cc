#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "plan/facts.h"

namespace garner {
namespace {

/// Does the last domain axis move only the two sides, both by one element a step?
bool last_axis_is_run(const IndexPlan& plan) {
  if (plan.domain.empty() || plan.dense_stride.back() != 1) return false;
  const auto still = [](const std::optional<Axes>& stride) { return !stride || stride->back() == 0; };
  const bool extras_still = still(plan.mask_stride) && still(plan.fill_stride) && !plan.fetch_stride;
  const bool terms_still = std::ranges::all_of(plan.terms, [](const IndexTerm& t) { return t.stride.back() == 0; });
  Index step = 0;
  for (const AxisMap& map : plan.indexed) {
    if (map.term >= 0 && map.step.back() != 0) return false;
    step += map.stride * map.step.back();
  }
  return extras_still && terms_still && step == 1;
}

/// Offsets on the indexed side when every index keeps to its bounds.
Range indexed_span(const IndexPlan& plan) {
  Range span{plan.indexed_base, plan.indexed_base};
  for (const AxisMap& map : plan.indexed) {
    if (map.extent == 0) return {0, -1};
    (map.stride < 0 ? span.lo : span.hi) += map.stride * (map.extent - 1);
  }
  return span;
}

/// Without terms the targets are affine: distinct when sorted strides each outreach the ones below.
bool affine_targets_distinct(const IndexPlan& plan) {
  if (!plan.terms.empty()) return false;
  std::vector<std::pair<Index, Index>> axes;
  for (std::size_t k = 0; k < plan.domain.size(); ++k) {
    Index step = 0;
    for (const AxisMap& map : plan.indexed) step += map.stride * map.step[k];
    axes.emplace_back(std::abs(step), plan.domain[k]);
  }
  std::ranges::sort(axes);
  Index reach = 0;
  for (const auto& [step, extent] : axes) {
    if (step <= reach && extent > 1) return false;
    reach += step * (extent - 1);
  }
  return true;
}

/// What an axis of the domain, or the values of an index, add to the element offset: stride * [0, last].
struct Reach {
  Index stride, last;
};

/// Of all axes but `axis`, and of the indices; nothing when an index is checked only at the position it leads to.
std::optional<std::vector<Reach>> other_reaches(const IndexPlan& plan, const Axes& step, std::size_t axis) {
  std::vector<Reach> out;
  for (std::size_t k = 0; k < step.size(); ++k)
    if (k != axis && step[k] != 0 && plan.domain[k] > 1) out.push_back({std::abs(step[k]), plan.domain[k] - 1});
  for (const AxisMap& map : plan.indexed) {
    if (map.term < 0) continue;
    const Bounds& b = plan.terms[static_cast<std::size_t>(map.term)].bounds;
    if (b.scope == Scope::kPosition) return std::nullopt;
    if (map.stride != 0 && b.hi - b.lo > 1) out.push_back({std::abs(map.stride), b.hi - b.lo - 1});
  }
  return out;
}

/// One step of the axis goes beyond all the others together, or all its steps stay inside one of theirs.
bool keeps_apart(Reach axis, const std::vector<Reach>& others) {
  Index all = 0, common = 0;
  for (const Reach& r : others) {
    all += r.stride * r.last;
    common = std::gcd(common, r.stride);
  }
  return axis.stride > all || (axis.stride > 0 && axis.stride * axis.last < common);
}

int axis_apart(const IndexPlan& plan) {
  Axes step(plan.domain.size(), 0);
  for (const AxisMap& map : plan.indexed)
    for (std::size_t k = 0; k < step.size(); ++k) step[k] += map.stride * map.step[k];
  for (std::size_t k = 0; k < step.size(); ++k) {
    const auto others = other_reaches(plan, step, k);
    if (plan.domain[k] > 1 && others && keeps_apart({std::abs(step[k]), plan.domain[k] - 1}, *others))
      return static_cast<int>(k);
  }
  return -1;
}

Index index_bytes(const IndexPlan& plan, Index rows) {
  Index bytes = 0;
  for (const IndexTerm& term : plan.terms) bytes += rows * width(term.dtype);
  return bytes;
}

}  // namespace

PlanFacts analyze(const IndexPlan& plan) {
  PlanFacts f;
  f.elements = checked_product(plan.domain).value_or(0);
  if (f.elements == 0) return f;
  f.run = last_axis_is_run(plan) ? plan.domain.back() : 1;
  f.rows = f.elements / f.run;
  f.terms = static_cast<int>(plan.terms.size());
  const Index passes = plan.combine == Combine::kAssign ? 2 : 3;
  f.bytes = passes * f.elements * width(plan.dtype) + index_bytes(plan, f.rows);
  f.span = indexed_span(plan);
  f.can_skip =
      plan.mask_stride || std::ranges::any_of(plan.terms, [](const auto& t) { return is_checked(t.bounds.policy); });
  f.at_position = std::ranges::any_of(plan.terms, [](const auto& t) { return t.bounds.scope == Scope::kPosition; });
  f.unique_targets = affine_targets_distinct(plan);
  f.apart = axis_apart(plan);
  f.any_order = plan.combine == Combine::kAdd && is_integer(plan.dtype);
  constexpr Index kMax32 = std::numeric_limits<std::int32_t>::max();
  f.fits_32bit = f.span.lo >= -kMax32 && f.span.hi <= kMax32 && f.span.hi - f.span.lo <= kMax32;
  return f;
}

std::string print(const PlanFacts& f) {
  return fmt::format(
      "elements {}\nrun {}\nrows {}\nbytes {}\nspan [{}, {}]\nterms {}\ncan skip {}\nat position {}\n"
      "unique targets {}\napart {}\nany order {}\nfits 32 bits {}\n",
      f.elements, f.run, f.rows, f.bytes, f.span.lo, f.span.hi, f.terms, f.can_skip, f.at_position, f.unique_targets,
      f.apart, f.any_order, f.fits_32bit);
}

}  // namespace garner
