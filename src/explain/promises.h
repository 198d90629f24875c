// What operations without a plan give, in one line each.
#pragma once
#include <string>

namespace garner {

/// The line of promises.def. For an operation that is not listed: nothing if it has a plan, the general line if not.
std::string promise_of(const std::string& op, bool has_plan);

}  // namespace garner
