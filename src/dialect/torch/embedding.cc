// torch.embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2., scale_grad_by_freq=False, sparse=False)
//   result[i…, k] = weight[input[i…], k]          (torch.nn.functional.embedding)
#include "dialect/torch/embedding.h"

namespace garner::torch {

Status check_weight(const char* op, const View& weight) {
  if (weight.rank() == 2) return {};
  return fail(Code::kInvalidArgument, "TO24", "{}: rank of weight is {}, allowed 2", op, weight.rank());
}

Status check_padding(const char* op, const View& weight, std::optional<Index> padding) {
  const Index n = weight.extent(0);
  if (!padding || (*padding >= -n && *padding < n)) return {};
  return fail(Code::kInvalidArgument, "TO25", "{}: padding_idx is {}, allowed [{}, {})", op, *padding, -n, n);
}

Status refuse_max_norm(const Arguments& a) {
  if (!a.has("max_norm")) return {};
  return fail(Code::kUnsupported, "TO26", "{}: max_norm is given, allowed None (weight is not changed here)", a.op());
}

Result<Job> lower_rows(const char* op, const View& input, const View& weight) {
  Axes domain = input.shape();
  domain.push_back(weight.extent(1));
  auto job = JobBuilder::gather(op, weight, domain);
  job.look_up(0, job.term(input, axes_from(0, input.rank()), {.hi = weight.extent(0)}, "input", "TO8"));
  job.follow(1, input.rank());
  return std::move(job).build();
}

namespace {
constexpr const char* kName = "torch.embedding";
}  // namespace

Result<Job> lower_embedding(const View& input, const View& weight, std::optional<Index> padding_idx) {
  GARNER_TRY(check_weight(kName, weight));
  GARNER_TRY(check_padding(kName, weight, padding_idx));
  GARNER_TRY(check_index_dtype(kName, input));
  return lower_rows(kName, input, weight);
}

Tensor embedding(const View& input, const View& weight, std::optional<Index> padding_idx, const RunOptions& run) {
  return value_or_throw(run_one(lower_embedding(input, weight, padding_idx), run));
}

extern const Op op_embedding;
const Op op_embedding{
    "embedding",
    "(input, weight, padding_idx=None, max_norm=None, norm_type=2., scale_grad_by_freq=False, sparse=False)",
    [](Arguments& a) -> Result<Jobs> {
  const View input = a.tensor("input"), weight = a.tensor("weight");
  const auto padding = a.maybe_integer("padding_idx");
  GARNER_TRY(a.status());
  GARNER_TRY(refuse_max_norm(a));
  return one(lower_embedding(input, weight, padding));
}};

}  // namespace garner::torch
