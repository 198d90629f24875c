// A job's plan with the strides of the memory its result really has, and where its other parts lie.
#pragma once
#include "garner/run.h"
#include "kernel/kernel.h"

namespace garner {

inline bool is_gather(const Job& job) { return job.plan.direction == Direction::kGather; }

inline IndexPlan bound_plan(const Job& job, const Axes& result_stride) {
  IndexPlan plan = job.plan;
  if (is_gather(job)) plan.dense_stride = result_stride;
  else
    for (std::size_t a = 0; a < plan.indexed.size(); ++a) plan.indexed[a].stride = result_stride[a];
  return plan;
}

/// All but the operand, the updates and the result.
inline Buffers buffers_of(const Job& job) {
  Buffers b;
  for (const View& index : job.indices) b.indices.push_back(index.data());
  if (job.mask) b.mask = job.mask->data();
  if (job.fill) b.fill = job.fill->data();
  b.user = &job.user;
  b.widths = {width(job.plan.dtype)};
  return b;
}

}  // namespace garner
