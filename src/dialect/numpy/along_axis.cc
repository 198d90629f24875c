// numpy.take_along_axis(arr, indices, axis=-1)
//   result[d] = arr[d with d[axis] replaced by indices[d]]
// numpy.put_along_axis(arr, indices, values, axis)
//   arr[d with d[axis] replaced by indices[d]] = values[d]
// Off the axis arr and indices stretch to a common shape.
#include "base/fail.h"
#include "dialect/numpy/convert.h"
#include "dialect/numpy/indices.h"
#include "garner/error.h"

namespace garner::numpy {
namespace {

constexpr const char *kTake = "numpy.take_along_axis", *kPut = "numpy.put_along_axis";

struct Along {
  const char* op;
  View arr, indices;
  std::optional<Index> axis;  // none: arr is read as one axis
  Axes domain = {};
};

Status check_rank(const Along& along) {
  const Index wanted = along.axis ? along.arr.rank() : 1, is = along.indices.rank();
  if (is == wanted) return {};
  return fail(Code::kInvalidArgument, "NP7", "{}: indices have rank {}, allowed {}", along.op, is, wanted);
}

Status check_dtype(const Along& along) {
  if (is_integer(along.indices.dtype())) return {};
  return fail(Code::kIndex, "NP5", "{}: indices are {}, allowed an integer dtype", along.op,
              name(along.indices.dtype()));
}

/// The common shape; along the axis, the extent of the indices.
Result<Axes> common_shape(const Along& along) {
  if (!along.axis) return along.indices.shape();
  const auto axis = static_cast<std::size_t>(*along.axis);
  Axes shapes[] = {along.arr.shape(), along.indices.shape()};
  shapes[0][axis] = 1;
  auto common = broadcast_shapes(shapes);
  if (common) return *std::move(common);
  return fail(Code::kIndex, "NP8", "{}: indices have shape {}, allowed what broadcasts with {} off axis {}", along.op,
              list(along.indices.shape()), list(along.arr.shape()), axis);
}

/// Checks in NumPy's order.
Result<Along> resolve(Along along) {
  GARNER_TRY(validate_anywhere(along.arr, fmt::format("{}: arr", along.op)));
  GARNER_TRY(validate_anywhere(along.indices, fmt::format("{}: indices", along.op)));
  if (along.axis) {
    GARNER_ASSIGN(along.axis, effective_axis(along.op, *along.axis, along.arr.rank()));
  } else GARNER_TRY(check_rank(along));
  GARNER_TRY(check_dtype(along));
  GARNER_TRY(check_rank(along));
  GARNER_ASSIGN(along.domain, common_shape(along));
  return along;
}

void address_axis(JobBuilder& job, const Along& along) {
  const Index axis = *along.axis;
  const Axes all = axes_from(0, along.arr.rank());
  job.look_up(axis, job.term(along.indices, all, bounds_of(Mode::kRaise, along.arr.extent(axis)), "index", "NP3"));
  for (Index d = 0; d < along.arr.rank(); ++d)
    if (d != axis && along.arr.extent(d) != 1) job.follow(d, d);
}

Result<Job> addressed(JobBuilder job, const Along& along, std::vector<Tensor> kept) {
  if (along.axis) address_axis(job, along);
  else GARNER_TRY(address_flat(job, along.arr, {along.op, along.indices, Mode::kRaise}, kept));
  return finish(std::move(job), std::move(kept));
}

}  // namespace

Result<Job> lower_take_along_axis(const View& arr, const View& indices, std::optional<Index> axis) {
  GARNER_ASSIGN(Along along, resolve({kTake, arr, indices, axis}));
  if (!axis) along.arr = flattened(arr).value_or(arr);
  return addressed(JobBuilder::gather(kTake, along.arr, along.domain), along, {});
}

Tensor take_along_axis(const View& arr, const View& indices, std::optional<Index> axis, const RunOptions& run) {
  return value_or_throw(run_one(lower_take_along_axis(arr, indices, axis), run));
}

Result<Job> lower_put_along_axis(const View& arr, const View& indices, const View& values, std::optional<Index> axis) {
  GARNER_ASSIGN(const Along along, resolve({kPut, arr, indices, axis}));
  GARNER_TRY(validate_anywhere(values, fmt::format("{}: values", kPut)));
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const View updates,
                updates_for({kPut, without_leading_ones(values, static_cast<Index>(along.domain.size())), arr.dtype(),
                             along.domain},
                            kept));
  return addressed(JobBuilder::scatter(kPut, arr, updates, Combine::kAssign), along, std::move(kept));
}

void put_along_axis(const MutableView& arr, const View& indices, const View& values, std::optional<Index> axis,
                    const RunOptions& run) {
  std::vector<Tensor> kept;
  const View index = value_or_throw(apart_from(arr, indices, kept));
  const View value = value_or_throw(apart_from(arr, values, kept));
  update(arr, lower_put_along_axis(arr, index, value, axis), run);
}

extern const Op op_take_along_axis;
const Op op_take_along_axis{"take_along_axis", "(arr, indices, axis=-1)", [](Arguments& a) -> Result<Jobs> {
  const View arr = a.tensor("arr"), indices = a.tensor("indices");
  const auto axis = a.maybe_integer("axis");
  GARNER_TRY(a.status());
  return one(lower_take_along_axis(arr, indices, axis));
}};

extern const Op op_put_along_axis;
const Op op_put_along_axis{"put_along_axis", "(arr, indices, values, axis)", [](Arguments& a) -> Result<Jobs> {
  const View arr = a.tensor("arr"), indices = a.tensor("indices");
  const auto axis = a.maybe_integer("axis");
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const View values, value_argument(a, "values", arr.dtype(), kept));
  GARNER_ASSIGN(Job job, lower_put_along_axis(arr, indices, values, axis));
  job.kept.insert(job.kept.end(), kept.begin(), kept.end());
  return one(std::move(job));
}};

}  // namespace garner::numpy
