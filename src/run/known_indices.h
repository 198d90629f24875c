// Memory of which it is proved between which numbers the index values in it lie.
#pragma once
#include <optional>

#include "garner/plan.h"

namespace garner {

struct KnownIndices {
  DType dtype;
  const void* data;
  Index count, min, max;
};

/// From now on, until forget(data). The memory must not change.
void remember(const KnownIndices& known);
void forget(const void* data);

/// Terms whose values are proved to be in range are promised to be. `indices`: where each term's memory is.
void promise_known(IndexPlan& plan, const std::vector<const void*>& indices);

}  // namespace garner
