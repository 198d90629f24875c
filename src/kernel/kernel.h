// A kernel: facts in, bytes moved. Which ones there are: kernels.def.
#pragma once
#include <atomic>
#include <span>

#include "garner/run.h"
#include "plan/facts.h"

namespace garner {

/// What a scatter's target holds before the first update, byte for byte as the target; null: it is there already.
struct Start {
  const void* from = nullptr;
  Index bytes = 0;
};

/// Where a plan's parts lie. `indexed` and `dense` have one pointer per operand; all but a user combine have one.
struct Buffers {
  std::vector<void*> indexed, dense;
  std::vector<int> widths;  // element bytes of each operand
  std::vector<const void*> indices;
  const void* mask = nullptr;
  const void* fill = nullptr;
  void* fetched = nullptr;
  const UserCombine* user = nullptr;
  Start start = {};
};

/// Kernels do not throw, print or abort. A trapping index is only noted here; run/report.cc then finds the first one by
/// position on the plan as it was before simplification, so every kernel and thread count names the same offender.
struct FaultLedger {
  std::atomic<bool> fault{false};
  void record() { fault.store(true, std::memory_order_relaxed); }
};

/// What a launch on a CUDA device needs besides. Nothing waits: the ledger is read by cuda::check().
struct CudaLaunch {
  int device = 0;
  void* stream = nullptr;  // a cudaStream_t
  void* ledger = nullptr;  // the stream's DeviceLedger
  std::uint64_t sequence = 0;  // of this launch, on its stream; 0: nothing of it can trap
  Axes number_stride = {};  // a position's number in the plan as it was called, for reports
  Status failure = {};  // why it could not be launched
};

struct Launch {
  const IndexPlan& plan;
  const PlanFacts& facts;
  const Buffers& buffers;
  int threads;
  FaultLedger& ledger;
  Index sum_block = 0;  // contributions in a block of a sum (kernel/common/block_sums.h); 0: sums are not in blocks
  CudaLaunch* cuda = nullptr;
};

struct Kernel {
  const char* name;
  DeviceKind device;
  /// Why it cannot run the plan, for people; null when it can.
  const char* (*refuses)(const IndexPlan& plan, const PlanFacts& facts);
  double (*cost_ns)(const IndexPlan& plan, const PlanFacts& facts);
  void (*run)(const Launch& launch);
  /// Bytes it takes from the device's pool for such a launch, on top of the result; null: none.
  Index (*workspace)(const Launch& launch) = nullptr;
  /// Does run() bring Buffers::start? For the others it is brought before (kernel/common/start.h).
  bool brings_start = false;

  bool accepts(const IndexPlan& plan, const PlanFacts& facts) const { return refuses(plan, facts) == nullptr; }
};

/// The kernels of a device, in the order of kernels.def.
std::span<const Kernel* const> kernels(DeviceKind device = DeviceKind::kCpu);

/// The cheapest of the device's kernels that accepts; none where no kernel of the device does.
const Kernel* select(DeviceKind device, const IndexPlan& plan, const PlanFacts& facts);

}  // namespace garner
