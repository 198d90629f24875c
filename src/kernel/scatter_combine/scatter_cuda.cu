// Every scatter: few updates as they stand, others by scatter_sorted.cuh, with places in 32 bits where they fit.
#include "kernel/scatter_combine/few_updates.h"
#include "kernel/scatter_combine/scatter_sorted.cuh"

namespace garner {
namespace {

/// Do places, the one that is none, and offsets of updates fit 32 bits?
bool fits_32(const Launch& l) {
  Index reach = 0;
  for (std::size_t k = 0; k < l.plan.domain.size(); ++k) {
    if (l.plan.dense_stride[k] < 0) return false;
    reach += l.plan.dense_stride[k] * (l.plan.domain[k] - 1);
  }
  constexpr Index kMost = UINT32_MAX - 1;
  return reach < kMost && l.facts.span.hi - l.facts.span.lo + 1 < kMost && l.facts.elements < kMost;
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  if (!fits_32(l)) scatter_sorted_64(l);
  else if (has_few_updates(l)) scatter_few(l);
  else scatter_sorted<std::uint32_t>(l);
}

Index workspace(const Launch& l) {
  const OnDevice on(l.cuda->device);
  if (!fits_32(l)) return scatter_bytes_64(l);
  return has_few_updates(l) ? 0 : bytes_wanted<std::uint32_t>(l);
}

const char* refuses(const IndexPlan& plan, const PlanFacts&) {
  if (!fits_device(plan)) return "it takes 32 axes and 32 index tensors at most";
  return plan.direction == Direction::kScatter ? nullptr : "it only scatters";
}

}  // namespace

namespace kernel {
extern const Kernel scatter_cuda;
const Kernel scatter_cuda{
    .name = "scatter_cuda",
    .device = DeviceKind::kCuda,
    .refuses = refuses,
    .cost_ns =
        [](const IndexPlan&, const PlanFacts& f) {
  return 20000 + 0.06 * static_cast<double>(f.rows) + 0.0018 * static_cast<double>(f.elements);
},
    .run = launch,
    .workspace = workspace,
};
}  // namespace kernel
}  // namespace garner
