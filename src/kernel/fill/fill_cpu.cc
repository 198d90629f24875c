// One element into every place of a stretch: a new result of zeros, a number that is broadcast.
#include "device/cpu/stream.h"
#include "device/cpu/threads.h"
#include "kernel/common/odometer.h"
#include "kernel/common/width.h"
#include "kernel/kernel.h"

namespace garner {
namespace {

constexpr Index kGrainBytes = 256 << 10;

void run(const Launch& l) {
  const int bytes = l.buffers.widths[0];
  const void* element = element_at(l.buffers.indexed[0], Affine(l.plan).base, bytes);
  const bool past_caches = l.facts.elements * bytes >= tuning().stream_bytes;
  parallel_ranges(l.threads, l.facts.elements, kGrainBytes / bytes, [&](Index begin, Index end) {
    fill_elements(element_at(l.buffers.dense[0], begin, bytes), element, bytes, end - begin, past_caches);
    if (past_caches) finish_stream();
  });
}

const char* refuses(const IndexPlan& plan, const PlanFacts&) {
  const bool stretch = plan.domain.size() == 1 && plan.dense_stride[0] == 1;
  const bool one_element = plan.terms.empty() && !plan.mask_stride && stretch && Affine(plan).step[0] == 0;
  if (plan.direction == Direction::kGather && one_element) return nullptr;
  return "it puts one element into every place of a stretch";
}

}  // namespace

namespace kernel {
extern const Kernel fill;
const Kernel fill{
    .name = "fill",
    .device = DeviceKind::kCpu,
    .refuses = refuses,
    .cost_ns = [](const IndexPlan& p,
                  const PlanFacts& f) { return 100 + 0.05 * static_cast<double>(f.elements * width(p.dtype)); },
    .run = run,
};
}  // namespace kernel
}  // namespace garner
