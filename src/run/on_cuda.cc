#include "run/on_cuda.h"

#include <algorithm>

#include "base/fail.h"
#include "run/cuda_faults.h"

namespace garner {
namespace {

bool can_trap(const IndexPlan& plan) {
  return std::ranges::any_of(plan.terms, [](const IndexTerm& t) { return t.bounds.policy == OutOfRange::kTrap; });
}

}  // namespace

ReportedPlan reported_plan(const Job& job, const IndexPlan& plan) {
  ReportedPlan out;
  if (can_trap(plan)) out.words = std::make_shared<FaultWords>(FaultWords{job.op, job.labels, plan});
  // Positions are numbered as fetched values are laid out, which the normal form keeps track of. Where values are
  // fetched they lie row-major, so that both are the same.
  IndexPlan counted = plan;
  counted.fetch_stride = row_major(plan.domain);
  out.plan = simplify(std::move(counted));
  out.number_stride = *out.plan.fetch_stride;
  if (!plan.fetch_stride) out.plan.fetch_stride.reset();
  return out;
}

Status start_on_cuda(const Kernel& kernel, const ReportedPlan& plan, const PlanFacts& facts, const Buffers& buffers,
                     Index sum_block, CudaPlace place) {
  CudaLaunch cuda{.device = place.device, .stream = place.stream, .number_stride = plan.number_stride};
  if (plan.words) GARNER_TRY(expect_faults(plan.words, cuda));
  FaultLedger unused;
  kernel.run({plan.plan, facts, buffers, 1, unused, sum_block, &cuda});
  return std::move(cuda.failure);
}

}  // namespace garner
