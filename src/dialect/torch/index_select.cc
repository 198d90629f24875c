// torch.index_select(input, dim, index)
//   result[…, i, …] = input[…, index[i], …]
#include "dialect/torch/slices.h"

namespace garner::torch {
namespace {

constexpr const char* kName = "torch.index_select";

/// The result of rank 0 has one element.
Status check_scalar(const View& self, const View& index) {
  if (self.rank() > 0 || index.elements() == 1) return {};
  return fail(Code::kInvalidArgument, "TO12", "{}: number of indices is {}, allowed 1 for rank 0", kName,
              index.elements());
}

Axes result_shape(const View& self, const View& index, Index dim) {
  Axes shape = self.shape();
  shape[static_cast<std::size_t>(dim)] = index.elements();
  return shape;
}

Result<Jobs> lower_call(Arguments& a) {
  const View input = a.tensor("input"), index = a.tensor("index");
  const Index dim = a.integer("dim");
  GARNER_TRY(a.status());
  return one(lower_index_select(input, dim, index));
}

/// Rank 0 stays rank 0.
Axes result_shape(const Job& job, const View& self) { return self.rank() == 0 ? Axes{} : job.result_shape; }

}  // namespace

Result<Job> lower_index_select(const View& given, Index dim, const View& given_index) {
  GARNER_ASSIGN(dim, wrapped_dim(kName, dim, given.rank()));
  GARNER_TRY(check_vector(kName, given_index));
  GARNER_TRY(check_index_dtype(kName, given_index));
  GARNER_TRY(check_scalar(given, given_index));
  const View self = lifted(given), index = lifted(given_index);
  auto job = JobBuilder::gather(kName, self, result_shape(self, index, dim));
  address_slices(job, self, index, dim, {.hi = self.extent(dim)});
  return std::move(job).build();
}

Tensor index_select(const View& self, Index dim, const View& index, const RunOptions& run) {
  const Job job = value_or_throw(lower_index_select(self, dim, index));
  return value_or_throw(run_as(job, result_shape(job, self), run));
}

extern const Op op_index_select;
const Op op_index_select{"index_select",
                         "(input, dim, index)",
                         lower_call,
                         [](Arguments& a, const RunOptions& run, Results& results) -> Status {
  GARNER_ASSIGN(const Jobs jobs, lower_call(a));
  return results.run(jobs.front(), result_shape(jobs.front(), a.tensor("input")), run);
},
                         nullptr,
                         true};

}  // namespace garner::torch
