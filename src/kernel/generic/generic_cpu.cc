// Any plan, element by element, on all threads. Slower than the others by the price of resolving every element's
// indices even where a row shares them; it is chosen only when no other kernel accepts.
#include "kernel/common/combine.h"
#include "kernel/common/owners.h"
#include "kernel/common/segments.h"
#include "kernel/common/width.h"

namespace garner {
namespace {

constexpr Index kGrain = 8 * SegmentWalker::kCapacity;

template <class U>
void gather_segment(const Launch& l, const Segment& s) {
  const auto* from = static_cast<const U*>(l.buffers.indexed[0]);
  const auto* fill = static_cast<const U*>(l.buffers.fill);
  auto* to = static_cast<U*>(l.buffers.dense[0]) + s.dense;
  for (Index j = 0; j < s.count; ++j) {
    if (s.valid == nullptr || s.valid[j] != 0) to[j * s.dense_step] = from[s.offset[j]];
    else to[j * s.dense_step] = fill == nullptr ? U{} : fill[s.fill + j * s.fill_step];
  }
}

void gather(const Launch& l) {
  const std::size_t axes = l.plan.domain.size();
  parallel_ranges(l.threads, l.facts.elements, kGrain, [&](Index begin, Index end) {
    dispatch_width(l.buffers.widths[0], [&]<class U>() {
      SegmentWalker(l, axes).walk(begin, end, [&](const Segment& s) { gather_segment<U>(l, s); });
    });
  });
}

void fetch(const Launch& l, const Segment& s, Index j, const void* value) {
  if (l.plan.fetch_stride)
    copy_or_zero(element_at(l.buffers.fetched, s.fetch + j * s.fetch_step, l.buffers.widths[0]), value,
                 l.buffers.widths[0]);
}

void scatter_segment(const Launch& l, const Segment& s, const Owner& owner, ElementCombiner& combine) {
  const int bytes = l.buffers.widths[0];
  for (Index j = 0; j < s.count; ++j) {
    const void* fill = l.plan.fill_stride ? element_at(l.buffers.fill, s.fill + j * s.fill_step, bytes) : nullptr;
    if (s.valid != nullptr && s.valid[j] == 0) {
      if (owner.first) fetch(l, s, j, fill);
    } else if (s.offset[j] >= owner.lo && s.offset[j] < owner.hi) {
      fetch(l, s, j, element_at(l.buffers.indexed[0], s.offset[j], bytes));
      combine(s.offset[j], s.dense + j * s.dense_step, fill);
    }
  }
}

void scatter(const Launch& l) {
  for_each_owner(l, [&](const Owner& owner) {
    ElementCombiner combine(l);
    SegmentWalker(l, l.plan.domain.size()).walk(0, l.facts.elements, [&](const Segment& s) {
      scatter_segment(l, s, owner, combine);
    });
  });
}

void run(const Launch& l) {
  if (l.plan.direction == Direction::kGather) gather(l);
  else scatter(l);
}

double cost_ns(const IndexPlan& plan, const PlanFacts& f) {
  return 200 + 4.0 * static_cast<double>(f.elements) + segments_ns(plan, f.elements);
}

}  // namespace

namespace kernel {
extern const Kernel generic;
const Kernel generic{
    .name = "generic",
    .device = DeviceKind::kCpu,
    .refuses = [](const IndexPlan&, const PlanFacts&) -> const char* { return nullptr; },
    .cost_ns = cost_ns,
    .run = run,
};
}  // namespace kernel
}  // namespace garner
