#include "plan/range.h"
#include "plan/simplify/simplify.h"

namespace garner {
namespace {

bool at_position(const IndexPlan& plan, const AxisMap& map) {
  return map.term >= 0 && plan.terms[static_cast<std::size_t>(map.term)].bounds.scope == Scope::kPosition;
}

/// Moves the affine part of one axis into `linear`, which counts in elements.
void move_affine(AxisMap& map, AxisMap& linear) {
  for (std::size_t k = 0; k < map.step.size(); ++k) linear.step[k] += map.stride * map.step[k];
  linear.offset += map.stride * map.offset;
  map.step.assign(map.step.size(), 0);
  map.offset = 0;
}

/// Starts the linear axis at its lowest element, so that its positions are 0 … extent-1.
void settle(AxisMap& linear, IndexPlan& plan) {
  const Range range = *affine_range(linear.offset, plan.domain, linear.step);  // verify proved that it fits
  plan.indexed_base += range.lo;
  linear.offset -= range.lo;
  linear.extent = range.hi - range.lo + 1;
}

}  // namespace

/// N2: every indexed axis is a bare term, or an axis with bounds at position, or the last one, which has stride 1 and
/// no term. An affine position was proved to lie inside its axis, so only the element offset it adds matters, and
/// offsets add up. A bare term's extent is the end of its bounds: the window that was moved out needed the rest.
bool fold_affine_axes(IndexPlan& plan) {
  const IndexPlan before = plan;
  AxisMap linear{.extent = 1, .stride = 1, .offset = 0, .step = Axes(plan.domain.size(), 0), .term = -1};
  for (AxisMap& map : plan.indexed) {
    if (map.extent <= 1) map.stride = 0;  // its only position adds nothing, whatever the stride says
    if (at_position(plan, map)) continue;
    move_affine(map, linear);
    if (map.term >= 0) map.extent = plan.terms[static_cast<std::size_t>(map.term)].bounds.hi;
  }
  std::erase_if(plan.indexed, [](const AxisMap& map) { return map.term < 0; });
  settle(linear, plan);
  if (linear.extent > 1) plan.indexed.push_back(std::move(linear));
  return plan != before;
}

}  // namespace garner
