// For tests of what is compiled once per SIMD target.
#pragma once
#include "base/simd_targets.h"

#include <hwy/highway.h>

namespace garner {

/// f() with each SIMD target that is compiled and that the machine has in turn, best first.
template <class F>
void for_each_target(F&& f) {
  const std::int64_t all = hwy::SupportedTargets();
  for (std::int64_t left = all & HWY_TARGETS; left != 0; left &= left - 1) {
    hwy::GetChosenTarget().Update(left);
    f();
  }
  hwy::GetChosenTarget().Update(all);
}

}  // namespace garner
