// What run() checks about memory before it touches any. Rules P10–P19, V1–V4.
#pragma once
#include "base/fail.h"
#include "garner/run.h"

namespace garner {

/// Views are valid, of the right dtype, and hold every element the plan reads from them.
Status check_inputs(const Job& job);

/// Results can be written to `out`, which lies where they are made, and no two of its elements share memory.
Status check_memory(const std::string& op, const MutableView& out, Device device);

/// `out` has this shape and the job's dtype, no two of its elements share memory, and none of the inputs lies in it.
/// The operand may be `out` itself.
Status check_output(const Job& job, const MutableView& out, const Axes& shape);

/// f(view, name) for every tensor that the job reads, with the name its messages use; the first failure ends it.
template <class JobType, class F>
Status for_each_input(JobType& job, F&& f) {
  if (job.operand) GARNER_TRY(f(*job.operand, "operand"));
  for (std::size_t t = 0; t < job.indices.size(); ++t)
    GARNER_TRY(f(job.indices[t], t < job.labels.size() ? job.labels[t].name.c_str() : "index"));
  if (job.updates) GARNER_TRY(f(*job.updates, "updates"));
  if (job.mask) GARNER_TRY(f(*job.mask, "mask"));
  if (job.fill) GARNER_TRY(f(*job.fill, "fill"));
  for (auto& v : job.more_operands) GARNER_TRY(f(v, "operand"));
  for (auto& v : job.more_updates) GARNER_TRY(f(v, "updates"));
  return {};
}

/// Where the job runs: on the device that one of its tensors lies on.
Device device_of(const Job& job);

/// Do its tensors lie on several devices?
bool mixes_devices(const Job& job);

/// Same memory, shape and strides: an update in place.
bool same_place(const View& a, const View& b);

}  // namespace garner
