// One call per job checks everything a job must hold, whatever made it.
#pragma once
#include <string>
#include <vector>

#include "garner/run.h"

namespace garner::conformance {

/// Empty when all is well; otherwise one line per finding.
using Findings = std::vector<std::string>;

/// The plan's text parses back; its normal form verifies, is its own normal form, and parses back.
void check_plan(const IndexPlan& plan, Findings& findings);

/// Every accepting kernel on 1, 2 and 7 threads gives `expected`, or the same error, with guard bytes round the result.
void check_kernels(const Job& job, const Result<std::vector<Tensor>>& expected, Findings& findings);

/// Strided, reversed copies of every tensor, and a strided result, give the same.
void check_layouts(const Job& job, const Result<std::vector<Tensor>>& expected, Findings& findings);

/// <A x, y> == <x, Aᵀ y>, in 64-bit integers and therefore exactly, where the plan is linear.
void check_adjoint(const Job& job, Findings& findings);

/// All of the above, against the reference kernel.
Findings check_job(const Job& job);

}  // namespace garner::conformance
