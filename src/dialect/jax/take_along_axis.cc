// jax.take_along_axis(arr, indices, axis=-1, mode=None, fill_value=None, *, wrap_negative_indices=None)
//   result[j] = arr[j with j[axis] replaced by indices[j]], both broadcast off the axis
#include "base/fail.h"
#include "dialect/jax/mode.h"
#include "garner/error.h"

namespace garner::jax {
namespace {

constexpr const char* kName = "jax.take_along_axis";

Status check_dtype(const View& indices) {
  if (is_integer(indices.dtype())) return {};
  return fail(Code::kType, "JX30", "{}: indices is {}, allowed an integer dtype", kName, name(indices.dtype()));
}

Status check_flat(const View& indices) {
  if (indices.rank() == 1) return {};
  return fail(Code::kInvalidArgument, "JX31", "{}: indices has rank {}, allowed 1 without an axis", kName,
              indices.rank());
}

Status check_rank(const View& arr, const View& indices) {
  if (indices.rank() == arr.rank()) return {};
  return fail(Code::kInvalidArgument, "JX32", "{}: indices has rank {}, allowed {} (the rank of arr)", kName,
              indices.rank(), arr.rank());
}

Result<Axes> shape_of(const View& arr, const View& indices, Index axis) {
  Axes around = arr.shape();
  around[static_cast<std::size_t>(axis)] = 1;
  const Axes shapes[] = {around, indices.shape()};
  if (auto shape = broadcast_shapes(shapes)) return *std::move(shape);
  return fail(Code::kInvalidArgument, "JX34", "{}: shape of indices is {}, allowed what broadcasts with {}", kName,
              list(indices.shape()), list(around));
}

/// Without a place to read, JAX gives 0 whatever the mode and the fill value.
Bounds nowhere() { return within(0, false, OutOfRange::kFill); }

bool wraps(const AlongAxisOptions& options) {
  return options.wrap_negative_indices.value_or(options.mode != Mode::kPromiseInBounds);
}

Result<Job> lower_along(const View& arr, const View& indices, Index axis, const AlongAxisOptions& options) {
  GARNER_ASSIGN(Axes domain, shape_of(arr, indices, axis));
  auto job = JobBuilder::gather(kName, arr, std::move(domain));
  const OutOfRange outside = reading(options.mode == Mode::kDefault ? Mode::kFill : options.mode);
  const Bounds bounds = arr.extent(axis) == 0 ? nowhere() : within(arr.extent(axis), wraps(options), outside);
  job.look_up(axis, job.term(indices, axes_from(0, indices.rank()), bounds, "indices", "JX30"));
  for (Index d = 0; d < arr.rank(); ++d)
    if (d != axis && arr.extent(d) != 1) job.follow(d, d);
  return arr.extent(axis) == 0 ? std::move(job).build()
                               : with_fill(std::move(job).build(), outside, options.fill_value);
}

Result<Job> lower_flat(const View& arr, const View& indices, const AlongAxisOptions& options) {
  GARNER_TRY(check_flat(indices));
  GARNER_ASSIGN(const Flat flat, flattened(arr));
  return keeping(lower_along(flat.view, indices, 0, options), flat.kept);
}

}  // namespace

Result<Job> lower_take_along_axis(const View& arr, const View& indices, const AlongAxisOptions& options) {
  GARNER_TRY(check_dtype(indices));
  if (!options.axis) return lower_flat(arr, indices, options);
  GARNER_TRY(check_rank(arr, indices));
  GARNER_ASSIGN(const Index axis, effective_axis(kName, *options.axis, arr.rank()));
  return lower_along(arr, indices, axis, options);
}

Tensor take_along_axis(const View& arr, const View& indices, const AlongAxisOptions& options) {
  return value_or_throw(run_one(lower_take_along_axis(arr, indices, options), options.run));
}

extern const Op op_take_along_axis;
const Op op_take_along_axis{"take_along_axis",
                            "(arr, indices, axis=-1, mode=None, fill_value=None, *, wrap_negative_indices=None)",
                            [](Arguments& a) -> Result<Jobs> {
  const View arr = a.tensor("arr"), indices = a.tensor("indices");
  AlongAxisOptions options{.axis = a.maybe_integer("axis"), .fill_value = read_fill(a)};
  if (a.has("wrap_negative_indices")) options.wrap_negative_indices = a.flag("wrap_negative_indices");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(options.mode, read_mode(a));
  return one(lower_take_along_axis(arr, indices, options));
}};

}  // namespace garner::jax
