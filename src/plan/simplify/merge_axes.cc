#include "plan/simplify/simplify.h"

namespace garner {
namespace {

/// Does one step on axis k equal a whole turn of axis k+1, everywhere?
bool can_merge(const IndexPlan& plan, std::size_t k) {
  bool fits = true;
  for_each_stride(plan, [&](const Axes& axes) { fits = fits && axes[k] == axes[k + 1] * plan.domain[k + 1]; });
  return fits;
}

void merge(IndexPlan& plan, std::size_t k) {
  const auto at = static_cast<std::ptrdiff_t>(k);
  plan.domain[k + 1] *= plan.domain[k];
  plan.domain.erase(plan.domain.begin() + at);
  for_each_stride(plan, [&](Axes& axes) { axes.erase(axes.begin() + at); });
}

}  // namespace

/// N5: no two neighbouring domain axes are one longer axis in disguise.
/// Row-major order over (k, k+1) visits the same offsets in the same order as the merged axis.
bool merge_axes(IndexPlan& plan) {
  bool changed = false;
  for (std::size_t k = plan.domain.size(); k-- > 1;) {
    if (!can_merge(plan, k - 1)) continue;
    merge(plan, k - 1);
    changed = true;
  }
  return changed;
}

}  // namespace garner
