// From a fault to one error.
#pragma once
#include "kernel/kernel.h"

namespace garner {

/// What the report of a bad index is made of, apart from the index.
struct FaultWords {
  std::string op;
  std::vector<TermLabel> labels;
  IndexPlan plan;  // as it was called
};

/// The Status for a bad index whose position and value are known: what a device's ledger holds. `key` is the position's
/// number in the plan's domain, times the number of terms, plus the term's place among the axes.
Status fault_at(const FaultWords& words, std::uint64_t key, std::uint64_t value);

/// A term's place among those the indexed axes look up, in the order of the axes: of several bad indices at one
/// position the first in this order is named.
std::vector<int> term_order(const IndexPlan& plan);

/// The first position, in row-major order of the plan as lowered, whose index traps; its Status has the term's rule.
Status first_fault(const Job& job, const IndexPlan& plan, const Buffers& buffers);

/// The same of a job whose result lies row-major; OK where no index traps.
Status first_fault(const Job& job);

}  // namespace garner
