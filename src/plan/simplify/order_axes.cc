#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "plan/simplify/simplify.h"

namespace garner {

/// N4: a gather's domain axes stand in order of falling dense stride, so results are written front to back.
/// Positions of a gather do not depend on each other, so any order gives the same result. A scatter keeps its order:
/// that is what decides which write comes last and in which order numbers add up.
bool order_axes(IndexPlan& plan) {
  if (plan.direction == Direction::kScatter) return false;
  std::vector<std::size_t> order(plan.domain.size());
  std::iota(order.begin(), order.end(), 0);
  const Axes& dense = plan.dense_stride;
  // Ties keep their order, so that the normal form of a normal form is itself.
  std::ranges::sort(order, {}, [&](std::size_t k) { return std::pair(-std::abs(dense[k]), k); });
  if (std::is_sorted(order.begin(), order.end())) return false;
  const auto permute = [&](Axes& axes) {
    const Axes from = axes;
    for (std::size_t k = 0; k < order.size(); ++k) axes[k] = from[order[k]];
  };
  for_each_stride(plan, permute);
  permute(plan.domain);
  return true;
}

}  // namespace garner
