// torch.gather(input, dim, index)
//   result[d] = input[d with d[dim] replaced by index[d]]
#include "dialect/torch/elements.h"

namespace garner::torch {
namespace {
constexpr const char* kName = "torch.gather";
}  // namespace

Result<Job> lower_gather(const View& given, Index dim, const View& index) {
  GARNER_ASSIGN(dim, wrapped_dim(kName, dim, given.rank()));
  const View self = lifted(given);
  auto job = JobBuilder::gather(kName, self, index.shape());
  // As in torch, an index without elements is not looked at any further: neither its rank nor its dtype.
  if (index.elements() == 0) return std::move(job).build();
  GARNER_TRY(check_index_dtype(kName, index));
  GARNER_TRY(check_index_shape(kName, self, lifted(index), dim));
  address_elements(job, self, index, dim);
  return std::move(job).build();
}

Tensor gather(const View& self, Index dim, const View& index, const RunOptions& run) {
  return value_or_throw(run_one(lower_gather(self, dim, index), run));
}

extern const Op op_gather;
const Op op_gather{"gather", "(input, dim, index, *, sparse_grad=False)", [](Arguments& a) -> Result<Jobs> {
  const View input = a.tensor("input"), index = a.tensor("index");
  const Index dim = a.integer("dim");
  GARNER_TRY(a.status());
  return one(lower_gather(input, dim, index));
}};

}  // namespace garner::torch
