// For tests of what is compiled once per SIMD target.
#pragma once
#include <hwy/highway.h>

#include <set>
#include <string>

#include "kernel/common/resolve.h"

namespace garner {

/// f() with each SIMD target in turn, best first; a target compiled out falls to the next below.
template <class F>
void for_each_target(F&& f) {
  const std::int64_t all = hwy::SupportedTargets();
  std::set<std::string> seen;
  for (std::int64_t left = all; left != 0; left &= left - 1) {
    hwy::GetChosenTarget().Update(left);
    if (seen.insert(simd_target()).second) f();
  }
  hwy::GetChosenTarget().Update(all);
}

}  // namespace garner
