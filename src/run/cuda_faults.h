// From a number in a stream's ledger back to the call it came from, in words.
#pragma once
#include "kernel/kernel.h"

namespace garner {

/// Keeps what a report of this launch will need, and gives `cuda` its ledger and sequence number. Launches in which
/// nothing can trap are not kept.
Status expect_faults(const Job& job, const IndexPlan& plan, CudaLaunch& cuda);

}  // namespace garner
