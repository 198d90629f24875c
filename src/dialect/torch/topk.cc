// torch.topk(input, k, dim=-1, largest=True, sorted=True): values and indices
#include "dialect/torch/common.h"
#include "garner/cuda.h"

namespace garner::torch {
namespace {

constexpr const char* kTopK = "torch.topk";

Status check_k(Index k, Index extent) {
  if (k >= 0 && k <= extent) return {};
  return fail(Code::kInvalidArgument, "TO37", "{}: k is {}, allowed [0, {}]", kTopK, k, extent);
}

/// Of rank 0 there is the element itself, whatever k, as in torch.
Result<TopK> only_element(const View& self) {
  GARNER_ASSIGN(Tensor value, contiguous(self));
  GARNER_ASSIGN(Tensor place, cuda::copy_to(scalar<Index>(0), self.device()));
  return TopK{value, place};
}

Result<TopK> largest(const View& self, Index k, TopKOptions options, const RunOptions& run) {
  GARNER_TRY(check_ordered(kTopK, self));
  GARNER_ASSIGN(options.axis, wrapped_dim(kTopK, options.axis, self.rank()));
  GARNER_TRY(check_k(k, lifted(self).extent(options.axis)));
  return self.rank() == 0 ? only_element(self) : index::top_k(self, k, options, run);
}

Result<TopK> topk_of(Arguments& a, const RunOptions& run) {
  const View input = a.tensor("input");
  const Index k = a.integer("k");
  const TopKOptions options{a.integer("dim"), a.flag("largest"), a.flag("sorted")};
  GARNER_TRY(a.status());
  return largest(input, k, options, run);
}

Result<std::vector<Tensor>> topk_call(Arguments& a, const RunOptions& run) {
  GARNER_ASSIGN(const TopK found, topk_of(a, run));
  return std::vector<Tensor>{found.values, found.indices};
}

Result<std::vector<grad::Var>> record_topk(Arguments& a, const Leaves& leaves) {
  GARNER_ASSIGN(const TopK found, topk_of(a, {}));
  const grad::Var input = leaves.of(a.tensor("input"));
  if (input.rank() == 0) return std::vector<grad::Var>{input, grad::Var(found.indices)};
  return std::vector<grad::Var>{grad::take_along(input, found.indices, a.integer("dim")), grad::Var(found.indices)};
}

}  // namespace

TopK topk(const View& self, Index k, const TopKOptions& options, const RunOptions& run) {
  return value_or_throw(largest(self, k, options, run));
}

extern const Op op_topk;
const Op op_topk =
    on_any_device({"topk", "(input, k, dim=-1, largest=True, sorted=True)", nullptr, topk_call, record_topk});

}  // namespace garner::torch
