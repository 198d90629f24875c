// torch.topk(input, k, dim=-1, largest=True, sorted=True): values and indices
#include "dialect/torch/common.h"
#include "garner/cuda.h"
#include "index/outputs.h"

namespace garner::torch {
namespace {

constexpr const char* kTopK = "torch.topk";

Status check_k(Index k, Index extent) {
  if (k >= 0 && k <= extent) return {};
  return fail(Code::kInvalidArgument, "TO37", "{}: k is {}, allowed [0, {}]", kTopK, k, extent);
}

/// Of rank 0 there is the element itself, whatever k, as in torch.
Status only_element(const View& self, const RunOptions& run, const index::TopKOutputs& out) {
  GARNER_TRY(validate_anywhere(self, kTopK));
  GARNER_TRY(out.values.open(kTopK, self.dtype(), {}, {&self}, run.stream));
  GARNER_TRY(out.indices.open(kTopK, DType::kI64, {}, {&self}, run.stream));
  GARNER_ASSIGN(const Tensor zero, cuda::copy_to(scalar<Index>(0), self.device(), run.stream));
  GARNER_TRY(out.values.put(self, run));
  return out.indices.put(zero, run);
}

Status largest(const View& self, Index k, TopKOptions options, const RunOptions& run, const index::TopKOutputs& out) {
  GARNER_TRY(check_ordered(kTopK, self));
  GARNER_ASSIGN(options.axis, wrapped_dim(kTopK, options.axis, self.rank()));
  GARNER_TRY(check_k(k, lifted(self).extent(options.axis)));
  return self.rank() == 0 ? only_element(self, run, out) : index::top_k(self, k, options, run, out);
}

Status topk_of(Arguments& a, const RunOptions& run, const index::TopKOutputs& out) {
  const View input = a.tensor("input");
  const Index k = a.integer("k");
  const TopKOptions options{a.integer("dim"), a.flag("largest"), a.flag("sorted")};
  GARNER_TRY(a.status());
  return largest(input, k, options, run, out);
}

Status topk_call(Arguments& a, const RunOptions& run, Results& results) {
  GARNER_ASSIGN(const std::span<index::Output> out, results.room(2));
  return topk_of(a, run, {out[0], out[1]});
}

Result<std::vector<grad::Var>> record_topk(Arguments& a, const Leaves& leaves) {
  GARNER_ASSIGN(const TopK found,
                index::fresh_top_k([&](const index::TopKOutputs& out) { return topk_of(a, {}, out); }));
  const grad::Var input = leaves.of(a.tensor("input"));
  if (input.rank() == 0) return std::vector<grad::Var>{input, grad::Var(found.indices)};
  return std::vector<grad::Var>{grad::take_along(input, found.indices, a.integer("dim")), grad::Var(found.indices)};
}

}  // namespace

TopK topk(const View& self, Index k, const TopKOptions& options, const RunOptions& run) {
  return value_or_throw(
      index::fresh_top_k([&](const index::TopKOutputs& out) { return largest(self, k, options, run, out); }));
}

extern const Op op_topk;
const Op op_topk =
    on_any_device({"topk", "(input, k, dim=-1, largest=True, sorted=True)", nullptr, topk_call, record_topk});

}  // namespace garner::torch
