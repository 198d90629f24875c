// torch.take(input, index): the flattened input at each index.
// torch.put(input, index, source, accumulate=False): the flattened input with source[i] at index[i].
#include "dialect/torch/common.h"

namespace garner::torch {
namespace {

constexpr const char *kTake = "torch.take", *kPut = "torch.put";

void address_flat(JobBuilder& job, const View& self, const View& index) {
  const Bounds bounds{.hi = self.extent(0), .wrap = self.extent(0)};
  job.look_up(0, job.term(index, axes_from(0, index.rank()), bounds, "index", "TO8"));
}

Status check_count(const View& index, const View& source) {
  if (index.elements() == source.elements()) return {};
  return fail(Code::kIndex, "TO13", "{}: number of elements of source is {}, allowed {} (one per index)", kPut,
              source.elements(), index.elements());
}

Job with(JobBuilder job, std::vector<Tensor> kept) {
  Job built = std::move(job).build();
  built.kept = std::move(kept);
  return built;
}

Result<Jobs> lower_put_call(Arguments& a) {
  const View input = a.tensor("input"), index = a.tensor("index"), source = a.tensor("source");
  const bool accumulate = a.flag("accumulate");
  GARNER_TRY(a.status());
  return one(lower_put(input, index, source, accumulate));
}

}  // namespace

Result<Job> lower_take(const View& given, const View& index) {
  GARNER_TRY(check_index_dtype(kTake, index, IndexKind::kI64));
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const View self, flattened(given, kept));
  auto job = JobBuilder::gather(kTake, self, index.shape());
  address_flat(job, self, index);
  return with(std::move(job), std::move(kept));
}

Tensor take(const View& self, const View& index, const RunOptions& run) {
  return value_or_throw(run_one(lower_take(self, index), run));
}

Result<Job> lower_put(const View& given, const View& given_index, const View& given_source, bool accumulate) {
  GARNER_TRY(check_index_dtype(kPut, given_index, IndexKind::kI64));
  GARNER_TRY(check_same_dtype(kPut, given, "source", given_source));
  GARNER_TRY(check_count(given_index, given_source));
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const View self, flattened(given, kept));
  GARNER_ASSIGN(const View index, flattened(given_index, kept));
  GARNER_ASSIGN(const View source, flattened(given_source, kept));
  auto job = JobBuilder::scatter(kPut, self, source, accumulate ? Combine::kAdd : Combine::kAssign);
  address_flat(job, self, index);
  return with(std::move(job), std::move(kept));
}

Tensor put(const View& self, const View& index, const View& source, bool accumulate, const RunOptions& run) {
  return value_or_throw(run_as(lower_put(self, index, source, accumulate), self.shape(), run));
}

void put_(const MutableView& self, const View& index, const View& source, bool accumulate, const RunOptions& run) {
  result_in(self, kPut, run, [&](Results& results) -> Status {
    GARNER_ASSIGN(const Job job, lower_put(self, index, source, accumulate));
    return results.run(job, self.shape(), run);
  });
}

extern const Op op_take, op_put;
const Op op_take{"take", "(input, index)", [](Arguments& a) -> Result<Jobs> {
  const View input = a.tensor("input"), index = a.tensor("index");
  GARNER_TRY(a.status());
  return one(lower_take(input, index));
}};
const Op op_put{"put", "(input, index, source, accumulate=False)", lower_put_call, run_like_input<lower_put_call>};

}  // namespace garner::torch
