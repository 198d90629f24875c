// Random jobs that verify: any direction, combine, policy, strides and index dtype, with indices in and out of range.
#pragma once
#include <rapidcheck.h>

#include "garner/run.h"

namespace garner::conformance {

/// A job with its own memory (in job.kept). Small: at most a few hundred positions.
rc::Gen<Job> random_job();

}  // namespace garner::conformance
