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

struct Parsed {
  View input, index, src;
  Index dim;
  Reduction reduction;
};

Status reduce_elements(const Parsed& p, const RunOptions& run, Results& results) {
  return reduce({kName, along(p.dim, p.index), p.input, p.src, p.reduction}, run, results);
}

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
  const Parsed p{self, index, src, dim, reduction};
  return fresh_result(run, [&](Results& results) { return reduce_elements(p, run, results); });
}

void scatter_reduce_(const MutableView& self, Index dim, const View& index, const View& src, const Reduction& reduction,
                     const RunOptions& run) {
  const Parsed p{self, index, src, dim, reduction};
  result_in(self, kName, run, [&](Results& results) { return reduce_elements(p, run, results); });
}

extern const Op op_scatter_reduce;
const Op op_scatter_reduce{"scatter_reduce", "(input, dim, index, src, reduce, *, include_self=True)",
                           [](Arguments& a) -> Result<Jobs> {
  GARNER_ASSIGN(const Parsed p, parsed(a));
  return one(lower_scatter_reduce(p.input, p.dim, p.index, p.src, p.reduction));
}, [](Arguments& a, const RunOptions& run, Results& results) -> Status {
  GARNER_ASSIGN(const Parsed p, parsed(a));
  return reduce_elements(p, run, results);
}, [](Arguments& a, const Leaves& leaves) -> Result<std::vector<grad::Var>> {
  GARNER_ASSIGN(const Parsed p, parsed(a));
  return recorded_reduction(along(p.dim, p.index), leaves.of(p.input), leaves.of(p.src), p.reduction);
}};

}  // namespace garner::torch
