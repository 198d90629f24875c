// Random inputs that a call accepts, with its results: to try a translation on.
#pragma once
#include "garner/call.h"

namespace garner {

struct Sample {
  std::vector<Tensor> inputs, results;  // inputs: one per tensor of the call, in order
};

/// The call's own tensors first, where it accepts them, then `count` random sets of the same dtypes and shapes: indices
/// on both sides of what is allowed as far as the call takes them. Fewer when it hardly takes any.
Result<std::vector<Sample>> samples(const Call& call, int count, unsigned seed);

}  // namespace garner
