#include "dialect/torch/slices.h"

namespace garner::torch {
namespace {

Status check_source(const char* op, const View& self, Index dim, const View& index, const View& source) {
  Axes allowed = self.shape();
  allowed[static_cast<std::size_t>(dim)] = index.elements();
  if (source.shape() == allowed) return {};
  return fail(Code::kInvalidArgument, "TO11", "{}: shape of source is {}, allowed {}", op, list(source.shape()),
              list(allowed));
}

}  // namespace

Status check_vector(const char* op, const View& index) {
  if (index.rank() <= 1) return {};
  return fail(Code::kIndex, "TO10", "{}: rank of index is {}, allowed [0, 2)", op, index.rank());
}

void address_slices(JobBuilder& job, const View& self, const View& index, Index dim, const Bounds& bounds) {
  for (Index d = 0; d < self.rank(); ++d)
    if (d != dim) job.follow(d, d);
  job.look_up(dim, job.term(index, {dim}, bounds, "index", "TO8"));
}

Result<Job> lower_slices(const SliceScatter& call, const View& given, Index dim, const View& given_index,
                         const View& given_source) {
  GARNER_ASSIGN(dim, wrapped_dim(call.op, dim, given.rank()));
  GARNER_TRY(check_vector(call.op, given_index));
  GARNER_TRY(check_index_dtype(call.op, given_index, call.kind));
  GARNER_TRY(check_same_dtype(call.op, given, "source", given_source));
  const View self = lifted(given), index = lifted(given_index), source = lifted(given_source);
  GARNER_TRY(check_source(call.op, self, dim, index, source));
  auto job = JobBuilder::scatter(call.op, self, source, call.combine);
  address_slices(job, self, index, dim, {.hi = self.extent(dim)});
  return std::move(job).build();
}

SliceArguments slice_arguments(Arguments& a) {
  return {a.tensor("input"), a.tensor("index"), a.tensor("source"), a.integer("dim")};
}

}  // namespace garner::torch
