// A new axis with `on` at the index and `off` elsewhere: a scatter onto a constant, which drops what is out of range.
#include "base/fail.h"
#include "garner/index.h"
#include "index/engine.h"
#include "run/job_builder.h"

namespace garner::index {
namespace {

constexpr const char* kOp = "one_hot";

Status check(const View& indices, Index depth, const View& on, const View& off) {
  GARNER_TRY(check_integer(indices, kOp, "indices"));
  if (depth < 0) return fail(Code::kInvalidArgument, "IX6", "{}: depth is {}, allowed [0, 2^63)", kOp, depth);
  if (on.dtype() != off.dtype())
    return fail(Code::kType, "IX3", "{}: off is {}, allowed {}", kOp, name(off.dtype()), name(on.dtype()));
  if (on.rank() != 0 || off.rank() != 0)
    return fail(Code::kInvalidArgument, "IX5", "{}: ranks of on and off are {} and {}, allowed 0", kOp, on.rank(),
                off.rank());
  return {};
}

Result<Job> lower(const View& indices, Index depth, const OneHotOptions& options) {
  const Tensor one = scalar(1.0F), zero = scalar(0.0F);
  const View on = options.on.value_or(one), off = options.off.value_or(zero);
  GARNER_TRY(check(indices, depth, on, off));
  GARNER_ASSIGN(const Index axis, axis_of(kOp, options.axis, indices.rank() + 1));
  Axes shape = indices.shape();
  shape.insert(shape.begin() + axis, depth);
  GARNER_ASSIGN(const View background, broadcast_to(off, shape));
  GARNER_ASSIGN(const View updates, broadcast_to(on, indices.shape()));
  auto job = JobBuilder::scatter(kOp, background, updates, Combine::kAssign);
  for (Index a = 0; a < indices.rank(); ++a) job.follow(a < axis ? a : a + 1, a);
  const Bounds bounds{.hi = depth, .wrap = options.wrap_negative ? depth : 0, .policy = OutOfRange::kDrop};
  job.look_up(axis, job.term(indices, axes_from(0, indices.rank()), bounds, "indices", "IX7"));
  Job built = std::move(job).build();
  built.kept = {one, zero};
  return built;
}

Status write(const View& indices, Index depth, const OneHotOptions& options, const RunOptions& run, Output& out) {
  GARNER_TRY(validate_anywhere(indices, kOp));
  const Result<Job> job = lower(indices, depth, options);
  return deliver(job, job.ok() ? job->result_shape : Axes{}, run, out);
}

}  // namespace

Result<Tensor> one_hot(const View& indices, Index depth, const OneHotOptions& options, const RunOptions& run) {
  return fresh([&](Output& out) { return write(indices, depth, options, run, out); });
}
Status one_hot_into(const View& indices, Index depth, const MutableView& out, const OneHotOptions& options,
                    const RunOptions& run) {
  return into(out, run, [&](Output& o) { return write(indices, depth, options, run, o); });
}

}  // namespace garner::index
