// From a number in a stream's ledger back to the call it came from, in words.
#pragma once
#include "run/report.h"

namespace garner {

/// Keeps what a report of this launch will need, and gives `cuda` its ledger and sequence number.
Status expect_faults(std::shared_ptr<const FaultWords> words, CudaLaunch& cuda);

}  // namespace garner
