// torch.index_reduce(input, dim, index, source, reduce, *, include_self=True)
#include "dialect/torch/reduce.h"
#include "dialect/torch/slices.h"

namespace garner::torch {
namespace {

constexpr const char* kName = "torch.index_reduce";

Scatter along(Index dim, const View& index) {
  return [dim, index](const View& self, const View& source, Combine combine) {
    return lower_slices({kName, combine}, self, dim, index, source);
  };
}

/// The C++ form can name a sum, which torch has not.
Status check_reduce(const Reduction& reduction) {
  if (reduction.reduce != Reduce::kSum) return {};
  return fail(Code::kInvalidArgument, "TO9", "{}: reduce is sum, allowed prod mean amax amin", kName);
}

struct Parsed {
  SliceArguments slices;
  Reduction reduction;
};

Status reduce_slices(const Parsed& p, const RunOptions& run, Results& results) {
  GARNER_TRY(check_reduce(p.reduction));
  const SliceArguments& s = p.slices;
  return reduce({kName, along(s.dim, s.index), s.input, s.source, p.reduction}, run, results);
}

Result<Parsed> parsed(Arguments& a) {
  const SliceArguments slices = slice_arguments(a);
  GARNER_ASSIGN(const Reduction reduction, reduction_argument(a, Sums::kNo));
  return Parsed{slices, reduction};
}

}  // namespace

Result<Job> lower_index_reduce(const View& self, Index dim, const View& index, const View& source,
                               const Reduction& reduction) {
  GARNER_TRY(check_reduce(reduction));
  return lower_reduction(kName, along(dim, index), self, source, reduction);
}

Tensor index_reduce(const View& self, Index dim, const View& index, const View& source, const Reduction& reduction,
                    const RunOptions& run) {
  const Parsed p{{self, index, source, dim}, reduction};
  return fresh_result(run, [&](Results& results) { return reduce_slices(p, run, results); });
}

void index_reduce_(const MutableView& self, Index dim, const View& index, const View& source,
                   const Reduction& reduction, const RunOptions& run) {
  const Parsed p{{self, index, source, dim}, reduction};
  result_in(self, kName, run, [&](Results& results) { return reduce_slices(p, run, results); });
}

extern const Op op_index_reduce;
const Op op_index_reduce{"index_reduce", "(input, dim, index, source, reduce, *, include_self=True)",
                         [](Arguments& a) -> Result<Jobs> {
  GARNER_ASSIGN(const Parsed p, parsed(a));
  return one(lower_index_reduce(p.slices.input, p.slices.dim, p.slices.index, p.slices.source, p.reduction));
}, [](Arguments& a, const RunOptions& run, Results& results) -> Status {
  GARNER_ASSIGN(const Parsed p, parsed(a));
  return reduce_slices(p, run, results);
}, [](Arguments& a, const Leaves& leaves) -> Result<std::vector<grad::Var>> {
  GARNER_ASSIGN(const Parsed p, parsed(a));
  const SliceArguments& s = p.slices;
  return recorded_reduction(along(s.dim, s.index), leaves.of(s.input), leaves.of(s.source), p.reduction);
}};

}  // namespace garner::torch
