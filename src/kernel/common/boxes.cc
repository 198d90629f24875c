#include "kernel/common/boxes.h"

namespace garner {
namespace {

constexpr Index kPanelBytes = 1 << 20;  // half of an L2 of 2 MiB
constexpr Index kLine = 64;

}  // namespace

Lines::Lines(const Launch& l)
    : plan_(l.plan),
      index_(l.buffers.indices[0]),
      affine_(l.plan),
      inner_(l.plan.domain.back()),
      lines_(l.facts.elements / l.plan.domain.back()) {
  for (const AxisMap& map : l.plan.indexed)
    if (map.term >= 0) scale_ = map.stride;
}

Index Lines::panel() const {
  const Bounds& b = plan_.terms[0].bounds;
  const Index bytes = width(plan_.dtype), step = std::abs(affine_.step.back()) * bytes, values = b.hi - b.lo;
  // Neighbours on the line share cache lines, the values lie apart, and every line goes over the same ones again.
  const bool comes_back = std::all_of(affine_.step.begin(), affine_.step.end() - 1, [](Index s) { return s == 0; });
  const bool worth = comes_back && lines_ > 1 && step > 0 && step < kLine && std::abs(scale_) * bytes >= kLine;
  if (!worth || values * inner_ * step <= kPanelBytes || values * kLine > 4 * kPanelBytes) return inner_;
  const Index whole_lines = std::max<Index>(1, kPanelBytes / (values * kLine));
  return std::min(inner_, whole_lines * kLine / step);
}

}  // namespace garner
