#include "run/report.h"

#include "base/fail.h"
#include "kernel/common/scalar_resolve.h"
#include "run/bound_plan.h"
#include "tensor/walk.h"

namespace garner {
namespace {

/// Axes along which no index, window or mask changes: an offender shows at their position 0 first.
Axes scan_domain(const IndexPlan& plan) {
  Axes domain = plan.domain;
  for (std::size_t k = 0; k < domain.size(); ++k) {
    bool moves = plan.mask_stride && (*plan.mask_stride)[k] != 0;
    for (const IndexTerm& term : plan.terms) moves = moves || term.stride[k] != 0;
    for (const AxisMap& map : plan.indexed) moves = moves || (map.term >= 0 && map.step[k] != 0);
    if (!moves) domain[k] = 1;
  }
  return domain;
}

/// Coordinates in the user's index tensor of what the plan reads at d.
Axes coordinates(const TermLabel& label, const Axes& d) {
  Axes at;
  for (std::size_t j = 0; j < label.domain_axis.size(); ++j)
    at.push_back(label.domain_axis[j] < 0 ? label.fixed[j] : d[static_cast<std::size_t>(label.domain_axis[j])]);
  return at;
}

std::string decimal(Wide v) {
  return v < 0 ? std::to_string(static_cast<std::int64_t>(v)) : std::to_string(static_cast<std::uint64_t>(v));
}

/// What the user may write: a wrapped range begins at lo - wrap. Bounds at position leave out the window's part.
std::string allowed(const Bounds& b, Index window) {
  if (b.scope == Scope::kPosition) return fmt::format("[{}, {})", b.lo - window, b.hi - window);
  return fmt::format("[{}, {})", b.wrap > 0 ? b.lo - b.wrap : b.lo, b.hi);
}

struct Offender {
  std::size_t axis;
  Wide value;
  Index window;
};

std::optional<Offender> offender_at(const IndexPlan& plan, const Buffers& buffers, const Axes& d) {
  for (std::size_t a = 0; a < plan.indexed.size(); ++a) {
    const AxisMap& map = plan.indexed[a];
    if (map.term < 0) continue;
    const auto t = static_cast<std::size_t>(map.term);
    const IndexTerm& term = plan.terms[t];
    const Wide value = load_index(term.dtype, buffers.indices[t], dot(d, term.stride));
    const Index window = map.offset + dot(d, map.step);
    if (term.bounds.policy == OutOfRange::kTrap && !resolve_index(value, term.bounds, window))
      return Offender{a, value, window};
  }
  return std::nullopt;
}

Status describe(const std::string& op, const std::vector<TermLabel>& labels, const IndexPlan& plan,
                const Offender& found, const Axes& d) {
  const auto t = static_cast<std::size_t>(plan.indexed[found.axis].term);
  const TermLabel label = t < labels.size() ? labels[t] : TermLabel{};
  Axes shape;
  for (const AxisMap& map : plan.indexed) shape.push_back(map.extent);
  return fail(Code::kIndex, label.rule, "{}: {}{} is {}, allowed {} on axis {} of operand {}", op, label.name,
              list(coordinates(label, d)), decimal(found.value), allowed(plan.terms[t].bounds, found.window),
              found.axis, list(shape));
}

bool masked(const IndexPlan& plan, const Buffers& buffers, const Axes& d) {
  return plan.mask_stride && static_cast<const std::uint8_t*>(buffers.mask)[dot(d, *plan.mask_stride)] == 0;
}

}  // namespace

Status first_fault(const Job& job, const IndexPlan& plan, const Buffers& buffers) {
  const Axes domain = scan_domain(plan);
  Axes d(domain.size(), 0);
  do {
    if (masked(plan, buffers, d)) continue;
    if (const auto found = offender_at(plan, buffers, d)) return describe(job.op, job.labels, plan, *found, d);
  } while (next_position(d, domain));
  return {};
}

Status first_fault(const Job& job) {
  return first_fault(job, bound_plan(job, row_major(job.result_shape)), buffers_of(job));
}

std::vector<int> term_order(const IndexPlan& plan) {
  std::vector<int> order;
  for (const AxisMap& map : plan.indexed)
    if (map.term >= 0) order.push_back(map.term);
  return order;
}

Status fault_at(const FaultWords& words, std::uint64_t key, std::uint64_t value) {
  const IndexPlan& plan = words.plan;
  const std::vector<int> order = term_order(plan);
  const auto place = static_cast<std::size_t>(key % order.size());
  Axes d(plan.domain.size(), 0);
  for (auto [k, rest] = std::pair(d.size(), static_cast<Index>(key / order.size())); k-- > 0; rest /= plan.domain[k])
    d[k] = rest % plan.domain[k];
  std::size_t axis = 0;
  for (std::size_t seen = 0; plan.indexed[axis].term < 0 || seen++ < place;) ++axis;
  const AxisMap& map = plan.indexed[axis];
  const bool is_signed = kind(plan.terms[static_cast<std::size_t>(map.term)].dtype) == Kind::kInt;
  const Wide wide = is_signed ? Wide{static_cast<std::int64_t>(value)} : Wide{value};
  return describe(words.op, words.labels, plan, {axis, wide, map.offset + dot(d, map.step)}, d);
}

}  // namespace garner
