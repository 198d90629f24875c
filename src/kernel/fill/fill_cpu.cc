// One element into every place of a stretch: a new result of zeros, a number that is broadcast.
#include "device/cpu/threads.h"
#include "kernel/common/odometer.h"
#include "kernel/common/stream.h"
#include "kernel/common/width.h"
#include "kernel/kernel.h"

namespace garner {
namespace {

constexpr Index kGrainBytes = 256 << 10;

void run(const Launch& l) {
  const int bytes = l.buffers.widths[0];
  const void* element = element_at(l.buffers.indexed[0], Affine(l.plan).base, bytes);
  const bool past_caches = l.facts.elements * bytes >= kStreamBytes;
  parallel_ranges(l.threads, l.facts.elements, kGrainBytes / bytes, [&](Index begin, Index end) {
    fill_elements(element_at(l.buffers.dense[0], begin, bytes), element, bytes, end - begin, past_caches);
    if (past_caches) finish_stream();
  });
}

bool accepts(const IndexPlan& plan, const PlanFacts&) {
  const bool stretch = plan.domain.size() == 1 && plan.dense_stride[0] == 1;
  return plan.direction == Direction::kGather && stretch && plan.terms.empty() && !plan.mask_stride &&
         Affine(plan).step[0] == 0;
}

}  // namespace

namespace kernel {
extern const Kernel fill;
const Kernel fill{
    .name = "fill",
    .device = Device::kCpu,
    .accepts = accepts,
    .cost_ns = [](const IndexPlan& p,
                  const PlanFacts& f) { return 100 + 0.05 * static_cast<double>(f.elements * width(p.dtype)); },
    .run = run,
};
}  // namespace kernel
}  // namespace garner
