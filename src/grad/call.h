// A job on variables.
#pragma once
#include "garner/grad.h"

namespace garner::grad {

/// As call(), for a job there is already; an input it does not use gets nothing.
Var run_recorded(const std::vector<Var>& inputs, const Job& job, Ties ties, const RunOptions& options);

/// Does the job look at the variable's memory?
bool uses(const Job& job, const Var& input);

}  // namespace garner::grad
