#include "plan/simplify/simplify.h"

namespace garner {

/// N1: no domain axis has extent 1.
/// The only position on such an axis is 0, so its steps and strides never matter.
bool drop_unit_axes(IndexPlan& plan) {
  bool changed = false;
  for (std::size_t k = plan.domain.size(); k-- > 0;) {
    if (plan.domain[k] != 1) continue;
    const auto at = static_cast<std::ptrdiff_t>(k);
    plan.domain.erase(plan.domain.begin() + at);
    for_each_stride(plan, [&](Axes& axes) { axes.erase(axes.begin() + at); });
    changed = true;
  }
  return changed;
}

}  // namespace garner
