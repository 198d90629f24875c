// numpy.take(a, indices, axis=None, out=None, mode=raise)
//   result[i…, j…, k…] = a[i…, indices[j…], k…]; without an axis, a is flattened first
#include "base/fail.h"
#include "dialect/numpy/indices.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::numpy {
namespace {

constexpr const char* kName = "numpy.take";

Axes taken_shape(const View& a, const View& indices, Index axis) {
  Axes shape(a.shape().begin(), a.shape().begin() + axis);
  shape.insert(shape.end(), indices.shape().begin(), indices.shape().end());
  shape.insert(shape.end(), a.shape().begin() + axis + 1, a.shape().end());
  return shape;
}

/// Rules that hold whatever the mode and however much is read.
Status check(const View& a, const View& indices, Index axis, Mode mode) {
  if (indices.elements() == 0) return {};
  if (a.extent(axis) == 0 && !any_zero(taken_shape(a, indices, axis)))
    return fail(Code::kIndex, "NP6", "{}: extent of a is 0, allowed [1, 2^63) on axis {}", kName, axis);
  const bool unseen = mode == Mode::kRaise && a.elements() == 0;
  return unseen ? check_values({kName, a.shape(), axis}, indices) : Status{};
}

Result<Job> take_axis(const View& a, const View& indices, const TakeOptions& options, std::vector<Tensor> kept) {
  GARNER_ASSIGN(const Index axis, effective_axis(kName, *options.axis, a.rank()));
  GARNER_TRY(check(a, indices, axis, options.mode));
  auto job = JobBuilder::gather(kName, a, taken_shape(a, indices, axis));
  const Bounds bounds = bounds_of(options.mode, a.extent(axis));
  const int term = job.term(indices, axes_from(axis, indices.rank()), bounds, "index", "NP3");
  for (Index d = 0; d < a.rank(); ++d) {
    if (d == axis) job.look_up(d, term);
    else job.follow(d, d < axis ? d : d + indices.rank() - 1);
  }
  return finish(std::move(job), std::move(kept));
}

Result<Job> take_flat(const View& a, const View& indices, Mode mode, std::vector<Tensor> kept) {
  const View operand = flattened(a).value_or(a);
  auto job = JobBuilder::gather(kName, operand, indices.shape());
  GARNER_TRY(address_flat(job, operand, {kName, indices, mode}, kept));
  return finish(std::move(job), std::move(kept));
}

/// NumPy reads a number as an array of one.
View at_least_1d(const View& a) { return a.rank() > 0 ? a : a.seen_as({1}); }

Status check_out(const std::optional<View>& out, const Job& job) {
  if (!out || (out->shape() == job.result_shape && out->dtype() == job.plan.dtype)) return {};
  return fail(Code::kInvalidArgument, "NP20", "{}: out is {} {}, allowed {} {}", kName, name(out->dtype()),
              list(out->shape()), name(job.plan.dtype), list(job.result_shape));
}

}  // namespace

Result<Job> lower_take(const View& a, const View& indices, const TakeOptions& options) {
  GARNER_TRY(validate_anywhere(a, fmt::format("{}: a", kName)));
  GARNER_TRY(validate_anywhere(indices, fmt::format("{}: indices", kName)));
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const View integers, integer_indices(kName, indices, IndexCast::kSameKind, kept));
  if (options.axis) return take_axis(at_least_1d(a), integers, options, std::move(kept));
  return take_flat(a, integers, options.mode, std::move(kept));
}

Tensor take(const View& a, const View& indices, const TakeOptions& options, const RunOptions& run) {
  return value_or_throw(run_one(lower_take(a, indices, options), run));
}

extern const Op op_take;
const Op op_take{"take", "(a, indices, axis=None, out=None, mode=raise)", [](Arguments& args) -> Result<Jobs> {
  const View a = args.tensor("a"), indices = args.tensor("indices");
  const auto axis = args.maybe_integer("axis");
  const auto out = args.maybe_tensor("out");
  GARNER_ASSIGN(const Mode mode, mode_argument(args));
  GARNER_ASSIGN(Job job, lower_take(a, indices, {.axis = axis, .mode = mode}));
  GARNER_TRY(check_out(out, job));
  return one(std::move(job));
}};

}  // namespace garner::numpy
