// What assigning and combining scatters share: how rows (or single elements, a run of 1) are dealt out to threads, so
// that every place is updated by one of them, in index order.
#pragma once
#include "kernel/common/combine.h"

namespace garner {

void run_row_scatter(const Launch& l, const Combiner& combiner);

/// Why such a scatter cannot run the plan, whatever its combine.
inline const char* row_scatter_refuses(const IndexPlan& plan) {
  if (plan.direction != Direction::kScatter) return "it only scatters";
  return plan.fetch_stride ? "it does not give back the values before each update" : nullptr;
}

}  // namespace garner
