// Reductions that one plan does not say: means, and those that leave out what self holds.
#pragma once
#include <functional>

#include "dialect/torch/common.h"

namespace garner::torch {

/// How updates find their place; the combine and both tensors are the caller's.
using Scatter = std::function<Result<Job>(const View& self, const View& src, Combine combine)>;

/// One plan (A5 otherwise): no mean, and self counts.
Result<Job> lower_reduction(const char* op, const Scatter& scatter, const View& self, const View& src,
                            const Reduction& reduction);

/// What is reduced, and how.
struct Reduced {
  const char* op;
  const Scatter& scatter;
  const View& self;
  const View& src;
  const Reduction& reduction;
};

/// Any reduction, in one to three scatters.
Status reduce(const Reduced& what, const RunOptions& run, Results& results);

/// The same on variables.
Result<std::vector<grad::Var>> recorded_reduction(const Scatter& scatter, const grad::Var& self, const grad::Var& src,
                                                  const Reduction& reduction);

/// TO9. index_reduce has no sum, nor the short names max and min.
enum class Sums { kNo, kYes };
Result<Reduction> reduction_argument(Arguments& a, Sums sums);

}  // namespace garner::torch
