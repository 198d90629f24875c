// torch.index_add(input, dim, index, source, *, alpha=1)
//   result = input; result[…, index[i], …] += alpha * source[…, i, …]
#include "dialect/torch/slices.h"

namespace garner::torch {
namespace {

constexpr const char* kName = "torch.index_add";

bool is_one(const Scalar& alpha) {
  return std::visit([](const auto& v) { return v == std::decay_t<decltype(v)>(1); }, alpha);
}

/// alpha * source: a scatter that multiplies every place once.
Result<Tensor> scaled(const View& source, const Tensor& alpha) {
  GARNER_ASSIGN(const View factors, broadcast_to(alpha, source.shape()));
  auto job = JobBuilder::scatter(kName, source, factors, Combine::kMul);
  follow_all(job, source.rank());
  return run_one(std::move(job).build());
}

Result<Jobs> lower_call(Arguments& a) {
  const SliceArguments s = slice_arguments(a);
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const Scalar alpha, scalar_argument(a, "alpha"));
  return one(lower_index_add(s.input, s.dim, s.index, s.source, alpha));
}

Result<std::vector<grad::Var>> record(Arguments& a, const Leaves& leaves) {
  const SliceArguments s = slice_arguments(a);
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const Scalar alpha, scalar_argument(a, "alpha"));
  GARNER_ASSIGN(const Tensor factor, scalar_as(kName, alpha, s.input.dtype()));
  const grad::Var product = leaves.of(s.source) * grad::Var(factor);
  return std::vector<grad::Var>{grad::call({leaves.of(s.input), product}, [&](const std::vector<View>& v) {
    return lower_index_add(v[0], s.dim, s.index, v[1], Index{1});
  })};
}

}  // namespace

Result<Job> lower_index_add(const View& self, Index dim, const View& index, const View& source, const Scalar& alpha) {
  GARNER_ASSIGN(Job job, lower_slices({kName, Combine::kAdd}, self, dim, index, source));
  if (is_one(alpha)) return job;
  GARNER_ASSIGN(const Tensor factor, scalar_as(kName, alpha, self.dtype()));
  GARNER_ASSIGN(const Tensor product, scaled(source, factor));
  GARNER_ASSIGN(job, lower_slices({kName, Combine::kAdd}, self, dim, index, product));
  job.kept.push_back(product);
  return job;
}

Tensor index_add(const View& self, Index dim, const View& index, const View& source, const Scalar& alpha,
                 const RunOptions& run) {
  return value_or_throw(run_as(lower_index_add(self, dim, index, source, alpha), self.shape(), run));
}

void index_add_(const MutableView& self, Index dim, const View& index, const View& source, const Scalar& alpha,
                const RunOptions& run) {
  run_on(self, lower_index_add(self, dim, index, source, alpha), run);
}

extern const Op op_index_add;
const Op op_index_add{
    "index_add", "(input, dim, index, source, *, alpha=1)", lower_call, run_like_input<lower_call>, record, true};

}  // namespace garner::torch
