// torch.index_fill(input, dim, index, value)
//   result = input; result[…, index[i], …] = value
// Alone among the index_ functions it lets a negative index count from the end.
#include "dialect/torch/slices.h"

namespace garner::torch {
namespace {

constexpr const char* kName = "torch.index_fill";

/// One slice of the value per index.
Result<View> values(const Tensor& number, const View& self, const View& index, Index dim) {
  Axes shape = self.shape();
  shape[static_cast<std::size_t>(dim)] = index.elements();
  return broadcast_to(number, shape);
}

Result<Jobs> lower_call(Arguments& a) {
  const View input = a.tensor("input"), index = a.tensor("index");
  const Index dim = a.integer("dim");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const Scalar value, scalar_argument(a, "value"));
  return one(lower_index_fill(input, dim, index, value));
}

}  // namespace

Result<Job> lower_index_fill(const View& given, Index dim, const View& given_index, const Scalar& value) {
  GARNER_ASSIGN(const Tensor number, scalar_as(kName, value, given.dtype()));
  GARNER_ASSIGN(dim, wrapped_dim(kName, dim, given.rank()));
  GARNER_TRY(check_vector(kName, given_index));
  GARNER_TRY(check_index_dtype(kName, given_index, IndexKind::kI64));
  const View self = lifted(given), index = lifted(given_index);
  GARNER_ASSIGN(const View updates, values(number, self, index, dim));
  auto job = JobBuilder::scatter(kName, self, updates, Combine::kAssign);
  address_slices(job, self, index, dim, {.hi = self.extent(dim), .wrap = self.extent(dim)});
  Job built = std::move(job).build();
  built.kept.push_back(number);
  return built;
}

Tensor index_fill(const View& self, Index dim, const View& index, const Scalar& value, const RunOptions& run) {
  return value_or_throw(run_as(lower_index_fill(self, dim, index, value), self.shape(), run));
}

void index_fill_(const MutableView& self, Index dim, const View& index, const Scalar& value, const RunOptions& run) {
  run_on(self, lower_index_fill(self, dim, index, value), run);
}

extern const Op op_index_fill;
const Op op_index_fill{"index_fill", "(input, dim, index, value)", lower_call, run_like_input<lower_call>, nullptr,
                       true};

}  // namespace garner::torch
