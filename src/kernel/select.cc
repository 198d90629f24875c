#include "kernel/kernel.h"

namespace garner {
namespace kernel {
#define GARNER_KERNEL(name) extern const Kernel name;
#include "kernel/kernels.def"
#undef GARNER_KERNEL
}  // namespace kernel

std::span<const Kernel* const> kernels() {
  static constexpr const Kernel* kTable[] = {
#define GARNER_KERNEL(name) &kernel::name,
#include "kernel/kernels.def"
#undef GARNER_KERNEL
  };
  return kTable;
}

const Kernel& select(Device device, const IndexPlan& plan, const PlanFacts& facts) {
  const Kernel* best = &kernel::generic;
  for (const Kernel* k : kernels()) {
    if (k->device != device || !k->accepts(plan, facts)) continue;
    if (k->cost_ns(plan, facts) < best->cost_ns(plan, facts)) best = k;
  }
  return *best;
}

}  // namespace garner
