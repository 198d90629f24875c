// torch.scatter_reduce(input, dim, index, src, reduce, *, include_self=True)
#include "dialect/torch/elements.h"
#include "dialect/torch/reduce.h"

namespace garner::torch {
namespace {

constexpr const char* kName = "torch.scatter_reduce";

Scatter along(Index dim, const View& index) {
  return [dim, index](const View& self, const View& src, Combine combine) {
    return lower_elements({kName, combine}, self, dim, index, src);
  };
}

Result<Tensor> reduced_elements(const View& self, Index dim, const View& index, const View& src,
                                const Reduction& reduction, const RunOptions& run) {
  return reduced(kName, along(dim, index), self, src, reduction, run);
}

struct Parsed {
  View input, index, src;
  Index dim;
  Reduction reduction;
};

Result<Parsed> parsed(Arguments& a) {
  Parsed p{a.tensor("input"), a.tensor("index"), a.tensor("src"), a.integer("dim"), {}};
  GARNER_ASSIGN(p.reduction, reduction_argument(a, Sums::kYes));
  return p;
}

}  // namespace

Result<Job> lower_scatter_reduce(const View& self, Index dim, const View& index, const View& src,
                                 const Reduction& reduction) {
  return lower_reduction(kName, along(dim, index), self, src, reduction);
}

Tensor scatter_reduce(const View& self, Index dim, const View& index, const View& src, const Reduction& reduction,
                      const RunOptions& run) {
  return value_or_throw(reduced_elements(self, dim, index, src, reduction, run));
}

void scatter_reduce_(const MutableView& self, Index dim, const View& index, const View& src, const Reduction& reduction,
                     const RunOptions& run) {
  assign(self, reduced_elements(self, dim, index, src, reduction, run), run);
}

extern const Op op_scatter_reduce;
const Op op_scatter_reduce{"scatter_reduce", "(input, dim, index, src, reduce, *, include_self=True)",
                           [](Arguments& a) -> Result<Jobs> {
  GARNER_ASSIGN(const Parsed p, parsed(a));
  return one(lower_scatter_reduce(p.input, p.dim, p.index, p.src, p.reduction));
}, [](Arguments& a, const RunOptions& run) -> Result<std::vector<Tensor>> {
  GARNER_ASSIGN(const Parsed p, parsed(a));
  return only(reduced_elements(p.input, p.dim, p.index, p.src, p.reduction, run));
}, [](Arguments& a, const Leaves& leaves) -> Result<std::vector<grad::Var>> {
  GARNER_ASSIGN(const Parsed p, parsed(a));
  return recorded_reduction(along(p.dim, p.index), leaves.of(p.input), leaves.of(p.src), p.reduction);
}};

}  // namespace garner::torch
