// tensorflow.boolean_mask(tensor, mask, axis=None, name=None)
//   the slices of tensor where mask, which lies along some axes of tensor, is not zero
#include "base/fail.h"
#include "dialect/tensorflow/common.h"
#include "garner/index.h"

namespace garner::tensorflow {
namespace {

constexpr const char* kOp = "tensorflow.boolean_mask";

Status check(const View& tensor, const View& mask, Index axis) {
  if (mask.rank() == 0)
    return fail(Code::kInvalidArgument, "TF13", "{}: rank of mask is 0, allowed [1, {}]", kOp, tensor.rank());
  // Subtracting first keeps clear of overflow.
  if (axis < 0 || axis > tensor.rank() - mask.rank())
    return fail(Code::kInvalidArgument, "TF2", "{}: axis is {}, allowed [0, {}]", kOp, axis,
                tensor.rank() - mask.rank());
  for (Index a = 0; a < mask.rank(); ++a)
    if (mask.extent(a) != tensor.extent(axis + a))
      return fail(Code::kInvalidArgument, "TF13", "{}: extent of mask is {}, allowed {} on axis {}", kOp,
                  mask.extent(a), tensor.extent(axis + a), a);
  return {};
}

Axes result_shape(const View& tensor, const View& mask, Index axis, Index places) {
  Axes shape(tensor.shape().begin(), tensor.shape().begin() + axis);
  shape.push_back(places);
  shape.insert(shape.end(), tensor.shape().begin() + axis + mask.rank(), tensor.shape().end());
  return shape;
}

Result<Job> lower(const View& tensor, const View& mask, Index axis, const RunOptions& options) {
  GARNER_TRY(check(tensor, mask, axis));
  GARNER_ASSIGN(const Tensor places, index::nonzero(mask, {}, options));
  const Index end = axis + mask.rank();
  auto job = JobBuilder::gather(kOp, tensor, result_shape(tensor, mask, axis, places.shape()[0]));
  for (Index a = 0; a < axis; ++a) job.follow(a, a);
  for (Index a = axis; a < end; ++a)
    job.look_up(a, job.component(places, 1, a - axis, {axis}, {.hi = tensor.extent(a)}, "mask", "TF5"));
  for (Index a = end; a < tensor.rank(); ++a) job.follow(a, a - mask.rank() + 1);
  Job built = std::move(job).build();
  built.kept.push_back(places);
  return built;
}

}  // namespace

Result<Job> lower_boolean_mask(const View& tensor, const View& mask, std::optional<Index> axis) {
  return lower(tensor, mask, axis.value_or(0), {});
}

Tensor boolean_mask(const View& tensor, const View& mask, std::optional<Index> axis, const RunOptions& options) {
  return value_or_throw(run_one(lower(tensor, mask, axis.value_or(0), options), options));
}

extern const Op op_boolean_mask;
const Op op_boolean_mask{"boolean_mask", "(tensor, mask, axis=None, name=boolean_mask)",
                         [](Arguments& a) -> Result<Jobs> {
  const View tensor = a.tensor("tensor"), mask = a.tensor("mask");
  const std::optional<Index> axis = a.maybe_integer("axis");
  GARNER_TRY(a.status());
  return one(lower_boolean_mask(tensor, mask, axis));
}};

}  // namespace garner::tensorflow
