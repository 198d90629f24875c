// torch.index_copy(input, dim, index, source)
//   result = input; result[…, index[i], …] = source[…, i, …]
#include "dialect/torch/slices.h"

namespace garner::torch {
namespace {

Result<Jobs> lower_call(Arguments& a) {
  const SliceArguments s = slice_arguments(a);
  GARNER_TRY(a.status());
  return one(lower_index_copy(s.input, s.dim, s.index, s.source));
}

}  // namespace

Result<Job> lower_index_copy(const View& self, Index dim, const View& index, const View& source) {
  return lower_slices({"torch.index_copy", Combine::kAssign, IndexKind::kI64}, self, dim, index, source);
}

Tensor index_copy(const View& self, Index dim, const View& index, const View& source, const RunOptions& run) {
  return value_or_throw(run_as(lower_index_copy(self, dim, index, source), self.shape(), run));
}

void index_copy_(const MutableView& self, Index dim, const View& index, const View& source, const RunOptions& run) {
  run_on(self, lower_index_copy(self, dim, index, source), run);
}

extern const Op op_index_copy;
const Op op_index_copy{"index_copy", "(input, dim, index, source)", lower_call, run_like_input<lower_call>, nullptr,
                       true};

}  // namespace garner::torch
