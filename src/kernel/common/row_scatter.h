// What assigning and combining scatters share: how rows (or single elements, a run of 1) are dealt out to threads, so
// that every place is updated by one of them, in index order.
#pragma once
#include "kernel/common/combine.h"

namespace garner {

void run_row_scatter(const Launch& l, const Combiner& combiner);

inline bool is_plain_scatter(const IndexPlan& plan) {
  return plan.direction == Direction::kScatter && !plan.fetch_stride;
}

}  // namespace garner
