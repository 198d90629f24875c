// The formula, line by line, on one thread. Accepts every plan; every other kernel is compared with it.
//
//   position[a] = indexed[a].offset + sum_k indexed[a].step[k] * d[k] + value of its term at d
//   gather:   dense[d] = indexed[position], or fill[d] where the mask or an index says so
//   scatter:  indexed[position] = combine(indexed[position], dense[d]), for d in row-major order
#include "kernel/common/combine.h"
#include "kernel/common/scalar_resolve.h"
#include "kernel/common/width.h"
#include "tensor/walk.h"

namespace garner {
namespace {

/// Element offset on the indexed side at d; nothing where the mask or an index says no.
std::optional<Index> target(const Launch& l, const Axes& d) {
  const IndexPlan& plan = l.plan;
  if (plan.mask_stride && static_cast<const std::uint8_t*>(l.buffers.mask)[dot(d, *plan.mask_stride)] == 0) return {};
  Index offset = plan.indexed_base;
  bool inside = true;
  for (const AxisMap& map : plan.indexed) {
    Index position = map.offset + dot(d, map.step);
    if (map.term >= 0) {
      const auto t = static_cast<std::size_t>(map.term);
      const IndexTerm& term = plan.terms[t];
      const auto value =
          resolve_index(load_index(term.dtype, l.buffers.indices[t], dot(d, term.stride)), term.bounds, position);
      if (!value && term.bounds.policy == OutOfRange::kTrap) l.ledger.record();
      inside = inside && value;
      position += value.value_or(0);
    }
    if (inside) offset += position * map.stride;
  }
  return inside ? std::optional(offset) : std::nullopt;
}

const void* fill_at(const Launch& l, const Axes& d, int bytes) {
  return l.plan.fill_stride ? element_at(l.buffers.fill, dot(d, *l.plan.fill_stride), bytes) : nullptr;
}

void gather_at(const Launch& l, const Axes& d) {
  const int bytes = l.buffers.widths[0];
  const auto from = target(l, d);
  copy_or_zero(element_at(l.buffers.dense[0], dot(d, l.plan.dense_stride), bytes),
               from ? element_at(l.buffers.indexed[0], *from, bytes) : fill_at(l, d, bytes), bytes);
}

void scatter_at(const Launch& l, const Axes& d, ElementCombiner& combine) {
  const int bytes = l.buffers.widths[0];
  const auto to = target(l, d);
  const void* fill = fill_at(l, d, bytes);
  if (l.plan.fetch_stride)
    copy_or_zero(element_at(l.buffers.fetched, dot(d, *l.plan.fetch_stride), bytes),
                 to ? element_at(l.buffers.indexed[0], *to, bytes) : fill, bytes);
  if (to) combine(*to, dot(d, l.plan.dense_stride), fill);
}

void run(const Launch& l) {
  if (l.plan.direction == Direction::kGather)
    return walk_positions(l.plan.domain, [&](const Axes& d) { gather_at(l, d); });
  ElementCombiner combine(l);
  walk_positions(l.plan.domain, [&](const Axes& d) { scatter_at(l, d, combine); });
}

}  // namespace

namespace kernel {
extern const Kernel reference;
const Kernel reference{
    .name = "reference",
    .device = DeviceKind::kCpu,
    .refuses = [](const IndexPlan&, const PlanFacts&) -> const char* { return nullptr; },
    .cost_ns = [](const IndexPlan&, const PlanFacts& f) { return 1e6 + 100.0 * static_cast<double>(f.elements); },
    .run = run,
};
}  // namespace kernel
}  // namespace garner
