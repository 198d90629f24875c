// Every kernel with its cost, and why it lost.
#pragma once
#include "garner/explain.h"
#include "plan/facts.h"

namespace garner {

/// In order of cost, those that do not accept last. `plan` is in normal form.
std::vector<KernelVerdict> judge_kernels(const IndexPlan& plan, const PlanFacts& facts);

}  // namespace garner
