// Starts as one rank-0 tensor per dimension: dynamic_slice and dynamic_update_slice.
#pragma once
#include "run/job_builder.h"

namespace garner::stablehlo {

/// An operation on a window at given starts, and the ids of its rules.
struct SliceWords {
  const char* op;
  const char *count, *same, *integer;  // starts: one per dimension; of one dtype and rank 0; an integer dtype
  const char *rank, *range;            // window: one size per dimension; inside the operand
};

/// What is wrong with the starts or with a window of these sizes, which messages call `sizes_name`.
Status check_window_at(const SliceWords& words, const Axes& operand, const std::vector<View>& starts, const Axes& sizes,
                       const char* sizes_name);

/// Axis d of the operand is start d, clamped so that the window fits, plus the domain's coordinate d.
void address_at(JobBuilder& job, const SliceWords& words, const Axes& operand, const std::vector<View>& starts);

}  // namespace garner::stablehlo
