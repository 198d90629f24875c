// jax.take(a, indices, axis=None, mode=None, unique_indices=false, indices_are_sorted=false, fill_value=None)
//   result[…, i…, …] = a[…, indices[i…], …], the axis replaced by the shape of indices
#include "base/fail.h"
#include "dialect/jax/mode.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::jax {
namespace {

constexpr const char* kName = "jax.take";

Status check_dtype(const View& indices) {
  if (is_integer(indices.dtype())) return {};
  return fail(Code::kInvalidArgument, "JX5", "{}: indices is {}, allowed an integer dtype", kName,
              name(indices.dtype()));
}

Status check_readable(const View& a, const View& indices, Index axis) {
  if (a.extent(axis) > 0 || any_zero(indices.shape())) return {};
  return fail(Code::kIndex, "JX36", "{}: extent of a is 0, allowed [1, inf) on axis {}", kName, axis);
}

Axes shape_of(const View& a, const View& indices, Index axis) {
  Axes out = a.shape();
  const auto at = out.erase(out.begin() + axis);
  out.insert(at, indices.shape().begin(), indices.shape().end());
  return out;
}

OutOfRange outside_of(TakeMode mode) {
  switch (mode) {
    case TakeMode::kFill: return OutOfRange::kFill;
    case TakeMode::kClip: return OutOfRange::kClamp;
    case TakeMode::kWrap: return OutOfRange::kModulo;
  }
  return OutOfRange::kFill;
}

Result<Job> lower_along(const View& a, const View& indices, Index axis, const TakeOptions& options) {
  GARNER_TRY(check_readable(a, indices, axis));
  auto job = JobBuilder::gather(kName, a, shape_of(a, indices, axis));
  const OutOfRange outside = outside_of(options.mode);
  const Bounds bounds = within(a.extent(axis), options.mode == TakeMode::kFill, outside);
  job.look_up(axis, job.term(indices, axes_from(axis, indices.rank()), bounds, "indices", "JX5"));
  for (Index d = 0; d < a.rank(); ++d)
    if (d != axis) job.follow(d, d < axis ? d : d - 1 + indices.rank());
  return with_fill(std::move(job).build(), outside, options.fill_value);
}

Result<TakeMode> read_take_mode(Arguments& a) {
  if (!a.has("mode")) return TakeMode::kFill;
  const std::string word = a.word("mode");
  GARNER_TRY(a.status());
  if (word == "fill") return TakeMode::kFill;
  if (word == "clip") return TakeMode::kClip;
  if (word == "wrap") return TakeMode::kWrap;
  if (word == "raise")
    return fail(Code::kUnsupported, "JX35", "{}: mode is raise, allowed fill clip wrap (as in the source)", kName);
  return fail(Code::kInvalidArgument, "JX1", "{}: mode is {}, allowed fill clip wrap", kName, word);
}

}  // namespace

Result<Job> lower_take(const View& a, const View& indices, const TakeOptions& options) {
  GARNER_TRY(check_dtype(indices));
  if (options.axis) {
    GARNER_ASSIGN(const Index axis, effective_axis(kName, *options.axis, a.rank()));
    return lower_along(a, indices, axis, options);
  }
  GARNER_ASSIGN(const Flat flat, flattened(a));
  return keeping(lower_along(flat.view, indices, 0, options), flat.kept);
}

Tensor take(const View& a, const View& indices, const TakeOptions& options) {
  return value_or_throw(run_one(lower_take(a, indices, options), options.run));
}

extern const Op op_take;
const Op op_take{"take",
                 "(a, indices, axis=None, mode=None, unique_indices=false, indices_are_sorted=false, fill_value=None)",
                 [](Arguments& a) -> Result<Jobs> {
  const View array = a.tensor("a"), indices = a.tensor("indices");
  TakeOptions options{.axis = a.maybe_integer("axis"), .fill_value = read_fill(a)};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(options.mode, read_take_mode(a));
  return one(lower_take(array, indices, options));
}};

}  // namespace garner::jax
