#include "dialect/torch/elements.h"

namespace garner::torch {
namespace {

Status check_rank(const char* op, const char* what, const View& view, Index rank) {
  if (view.rank() == rank) return {};
  return fail(Code::kInvalidArgument, "TO5", "{}: rank of {} is {}, allowed {}", op, what, view.rank(), rank);
}

Status check_src(const char* op, const View& index, const View& src) {
  GARNER_TRY(check_rank(op, "src", src, index.rank()));
  for (Index d = 0; d < index.rank(); ++d)
    if (index.extent(d) > src.extent(d))
      return fail(Code::kInvalidArgument, "TO7", "{}: index extent is {}, allowed [0, {}] (src) on axis {}", op,
                  index.extent(d), src.extent(d), d);
  return {};
}

/// The corner of src that index covers.
View cropped(const View& src, const Axes& shape) { return src.seen_as(shape, src.stride()); }

}  // namespace

Status check_index_shape(const char* op, const View& self, const View& index, Index dim) {
  GARNER_TRY(check_rank(op, "index", index, self.rank()));
  for (Index d = 0; d < self.rank(); ++d)
    if (d != dim && index.extent(d) > self.extent(d))
      return fail(Code::kInvalidArgument, "TO6", "{}: index extent is {}, allowed [0, {}] on axis {}", op,
                  index.extent(d), self.extent(d), d);
  return {};
}

void address_elements(JobBuilder& job, const View& self, const View& index, Index dim) {
  const Bounds bounds{.hi = self.extent(dim)};
  for (Index d = 0; d < self.rank(); ++d)
    if (d != dim) job.follow(d, d);
  job.look_up(dim, job.term(index, axes_from(0, index.rank()), bounds, "index", "TO8"));
}

Result<Job> lower_elements(const ElementScatter& call, const View& given, Index dim, const View& given_index,
                           const View& given_src) {
  GARNER_ASSIGN(dim, wrapped_dim(call.op, dim, given.rank()));
  GARNER_TRY(check_same_dtype(call.op, given, "src", given_src));
  const View self = lifted(given), index = lifted(given_index), src = lifted(given_src);
  // As in torch, an index without elements is not looked at any further: neither its rank nor its dtype.
  if (index.elements() == 0)
    return JobBuilder::scatter(call.op, self, View(self.dtype(), nullptr, index.shape()), call.combine).build();
  GARNER_TRY(check_index_dtype(call.op, index));
  GARNER_TRY(check_index_shape(call.op, self, index, dim));
  GARNER_TRY(check_src(call.op, index, src));
  auto job = JobBuilder::scatter(call.op, self, cropped(src, index.shape()), call.combine);
  address_elements(job, self, index, dim);
  return std::move(job).build();
}

}  // namespace garner::torch
