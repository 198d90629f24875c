// From a fault to one error.
#pragma once
#include "kernel/kernel.h"

namespace garner {

/// The first position, in row-major order of the plan as lowered, whose index traps; its Status has the term's rule.
Status first_fault(const Job& job, const IndexPlan& plan, const Buffers& buffers);

}  // namespace garner
