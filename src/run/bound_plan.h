// A job's plan with the strides of the memory its result really has.
#pragma once
#include "garner/run.h"

namespace garner {

inline bool is_gather(const Job& job) { return job.plan.direction == Direction::kGather; }

inline IndexPlan bound_plan(const Job& job, const Axes& result_stride) {
  IndexPlan plan = job.plan;
  if (is_gather(job)) plan.dense_stride = result_stride;
  else
    for (std::size_t a = 0; a < plan.indexed.size(); ++a) plan.indexed[a].stride = result_stride[a];
  return plan;
}

}  // namespace garner
