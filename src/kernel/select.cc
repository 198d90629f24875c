#include "kernel/kernel.h"

namespace garner {
namespace kernel {
#define GARNER_KERNEL(name) extern const Kernel name;
#define GARNER_CUDA_KERNEL(name) extern const Kernel name;
#include "kernel/kernels.def"
#undef GARNER_KERNEL
#undef GARNER_CUDA_KERNEL
}  // namespace kernel

namespace {

std::span<const Kernel* const> cpu_kernels() {
  static constexpr const Kernel* kTable[] = {
#define GARNER_KERNEL(name) &kernel::name,
#define GARNER_CUDA_KERNEL(name)
#include "kernel/kernels.def"
#undef GARNER_KERNEL
#undef GARNER_CUDA_KERNEL
  };
  return kTable;
}

std::span<const Kernel* const> cuda_kernels() {
#ifdef GARNER_CUDA
  static constexpr const Kernel* kTable[] = {
#define GARNER_KERNEL(name)
#define GARNER_CUDA_KERNEL(name) &kernel::name,
#include "kernel/kernels.def"
#undef GARNER_KERNEL
#undef GARNER_CUDA_KERNEL
  };
  return kTable;
#else
  return {};
#endif
}

}  // namespace

std::span<const Kernel* const> kernels(DeviceKind device) {
  return device == DeviceKind::kCpu ? cpu_kernels() : cuda_kernels();
}

const Kernel* select(DeviceKind device, const IndexPlan& plan, const PlanFacts& facts) {
  const Kernel* best = nullptr;
  for (const Kernel* k : kernels(device)) {
    if (!k->accepts(plan, facts)) continue;
    if (best == nullptr || k->cost_ns(plan, facts) < best->cost_ns(plan, facts)) best = k;
  }
  return best;
}

}  // namespace garner
