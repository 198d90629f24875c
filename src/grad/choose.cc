// Functions that choose elements by value or by a mask. What they choose is found first; then each is a gather.
#include "base/fail.h"
#include "garner/index.h"
#include "grad/state.h"
#include "run/job_builder.h"

namespace garner::grad {
namespace {

/// x[…, indices[d], …] with d everywhere else.
Result<Job> lower_along(const char* op, const View& x, const View& indices, Index axis) {
  auto job = JobBuilder::gather(op, x, indices.shape());
  const int term = job.term(indices, axes_from(0, x.rank()), {.hi = x.extent(axis)}, "indices", "IX7");
  for (Index a = 0; a < x.rank(); ++a) {
    if (a == axis) job.look_up(a, term);
    else job.follow(a, a);
  }
  return std::move(job).build();
}

Var along(const char* op, const Var& a, const View& indices, Index axis) {
  if (axis < -a.rank() || axis >= a.rank() || indices.rank() != a.rank())
    throw_error(fail(Code::kInvalidArgument, "G5", "{}: axis is {} and indices have rank {}, allowed [{}, {}) and {}",
                     op, axis, indices.rank(), -a.rank(), a.rank(), a.rank()));
  const Index at = axis < 0 ? axis + a.rank() : axis;
  return call({a}, [&](const std::vector<View>& v) { return lower_along(op, v[0], indices, at); });
}

Result<Job> lower_positions(const View& x, const View& positions) {
  auto job = JobBuilder::gather("masked_select", x, {positions.extent(0)});
  for (Index a = 0; a < x.rank(); ++a)
    job.look_up(a, job.component(positions, 1, a, {0}, {.hi = x.extent(a)}, "mask", "IX7"));
  return std::move(job).build();
}

Result<Job> lower_where(const View& mask, const View& a, const View& b) {
  const Axes shapes[] = {mask.shape(), a.shape(), b.shape()};
  const auto common = broadcast_shapes(shapes);
  if (!common)
    return fail(Code::kInvalidArgument, "G5", "where: shapes are {} {} {}, allowed what broadcasts together",
                list(shapes[0]), list(shapes[1]), list(shapes[2]));
  GARNER_ASSIGN(const View operand, broadcast_to(a, *common));
  auto job = JobBuilder::gather("where", operand, *common);
  for (Index axis = 0; axis < operand.rank(); ++axis) job.follow(axis, axis);
  return std::move(job.mask(mask).fill(b)).build();
}

}  // namespace

Var take_along(const Var& a, const View& indices, Index axis) { return along("take_along", a, indices, axis); }

Ordered sort(const Var& a, Index axis, bool descending) {
  Tensor order = garner::argsort(a.value(), {.axis = axis, .descending = descending});
  return {along("sort", a, order, axis), order};
}

Ordered top_k(const Var& a, Index k, Index axis, bool largest) {
  const garner::TopK best = garner::top_k(a.value(), k, {.axis = axis, .largest = largest});
  return {along("top_k", a, best.indices, axis), best.indices};
}

Var masked_select(const Var& a, const View& mask) {
  const Axes shapes[] = {a.shape(), mask.shape()};
  const auto common = broadcast_shapes(shapes);
  if (!common || mask.dtype() != DType::kBool)
    throw_error(fail(Code::kInvalidArgument, "G5", "masked_select: mask is {} {}, allowed bool that broadcasts with {}",
                     name(mask.dtype()), list(mask.shape()), list(a.shape())));
  const Tensor positions = garner::nonzero(value_or_throw(broadcast_to(mask, *common)));
  return call({broadcast(a, *common)}, [&](const std::vector<View>& v) { return lower_positions(v[0], positions); });
}

Var where(const View& mask, const Var& a, const Var& b) {
  return call({a, b}, [&](const std::vector<View>& v) { return lower_where(mask, v[0], v[1]); });
}

}  // namespace garner::grad
