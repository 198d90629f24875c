// A plan on a CUDA device: its normal form, what reports of bad indices need, and the launch.
#pragma once
#include "kernel/kernel.h"
#include "run/report.h"

namespace garner {

/// A plan with what the reports of its bad indices need.
struct ReportedPlan {
  IndexPlan plan;      // the normal form
  Axes number_stride;  // what each step along its axes adds to the number that a position has in the plan as called
  std::shared_ptr<const FaultWords> words;  // null: nothing can trap
};

/// `plan` is the job's, verified and bound to its result.
ReportedPlan reported_plan(const Job& job, const IndexPlan& plan);

struct CudaPlace {
  int device = 0;
  void* stream = nullptr;
};

/// Hands the work over and returns. A bad index is reported by cuda::check().
Status start_on_cuda(const Kernel& kernel, const ReportedPlan& plan, const PlanFacts& facts, const Buffers& buffers,
                     Index sum_block, CudaPlace place);

}  // namespace garner
