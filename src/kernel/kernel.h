// A kernel: facts in, bytes moved. Which ones there are: kernels.def.
#pragma once
#include <atomic>
#include <span>

#include "garner/run.h"
#include "plan/facts.h"

namespace garner {

enum class Device : std::uint8_t { kCpu };

/// Where a plan's parts lie. `indexed` and `dense` have one pointer per operand; all but a user combine have one.
struct Buffers {
  std::vector<void*> indexed, dense;
  std::vector<int> widths;  // element bytes of each operand
  std::vector<const void*> indices;
  const void* mask = nullptr;
  const void* fill = nullptr;
  void* fetched = nullptr;
  const UserCombine* user = nullptr;
};

/// Kernels do not throw, print or abort. A trapping index is only noted here; run/report.cc then finds the first one by
/// position on the plan as it was before simplification, so every kernel and thread count names the same offender.
struct FaultLedger {
  std::atomic<bool> fault{false};
  void record() { fault.store(true, std::memory_order_relaxed); }
};

struct Launch {
  const IndexPlan& plan;
  const PlanFacts& facts;
  const Buffers& buffers;
  int threads;
  FaultLedger& ledger;
  Index sum_block = 0;  // contributions in a block of a sum (kernel/common/block_sums.h); 0: sums are not in blocks
};

struct Kernel {
  const char* name;
  Device device;
  /// Why it cannot run the plan, for people; null when it can.
  const char* (*refuses)(const IndexPlan& plan, const PlanFacts& facts);
  double (*cost_ns)(const IndexPlan& plan, const PlanFacts& facts);
  void (*run)(const Launch& launch);

  bool accepts(const IndexPlan& plan, const PlanFacts& facts) const { return refuses(plan, facts) == nullptr; }
};

/// All kernels, in the order of kernels.def.
std::span<const Kernel* const> kernels();

/// The cheapest kernel that accepts; never null, because `generic` accepts all.
const Kernel& select(Device device, const IndexPlan& plan, const PlanFacts& facts);

}  // namespace garner
