// tensorflow.gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None)
//   result[b…, …, i…, …] = params[b…, …, indices[b…, i…], …]
#include "base/fail.h"
#include "dialect/tensorflow/common.h"
#include "garner/error.h"

namespace garner::tensorflow {
namespace {

constexpr const char* kOp = "tensorflow.gather";

/// A negative number counts from the end; none is batch_dims as it was given.
Result<Index> effective_axis(const View& params, const GatherOptions& gather) {
  const Index axis = gather.axis.value_or(gather.batch_dims), rank = params.rank();
  if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
  return fail(Code::kInvalidArgument, "TF2", "{}: axis is {}, allowed [{}, {})", kOp, axis, -rank, rank);
}

Result<Index> effective_batch(const View& indices, Index batch, Index axis) {
  const Index rank = indices.rank();
  if (batch < -rank || batch > rank)
    return fail(Code::kInvalidArgument, "TF3", "{}: batch_dims is {}, allowed [{}, {}]", kOp, batch, -rank, rank);
  batch = batch < 0 ? batch + rank : batch;
  if (batch <= axis) return batch;
  return fail(Code::kInvalidArgument, "TF3", "{}: batch_dims is {}, allowed [0, {}], the axis", kOp, batch, axis);
}

}  // namespace

Result<Job> lower_gather(const View& params, const View& indices, const GatherOptions& gather) {
  GARNER_TRY(check_dtype(kOp, {"indices", indices.dtype()}, {DType::kI16, DType::kI32, DType::kI64}));
  GARNER_TRY(check_rank(kOp, "params", params, 1));
  Slices slices;
  GARNER_ASSIGN(slices.axis, effective_axis(params, gather));
  GARNER_ASSIGN(slices.batch, effective_batch(indices, gather.batch_dims, slices.axis));
  GARNER_TRY(check_batch_extents(kOp, params, indices, slices.batch));
  auto job = JobBuilder::gather(kOp, params, slices_shape(params, indices, slices));
  address_slices(job, params, indices, slices, reading(BadIndices::kError, OutOfRange::kFill));
  return std::move(job).build();
}

Tensor gather(const View& params, const View& indices, const GatherOptions& gather, const RunOptions& options) {
  return value_or_throw(run_one(lower_gather(params, indices, gather), options));
}

extern const Op op_gather;
// validate_indices does nothing in the source, either.
const Op op_gather{"gather", "(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None)",
                   [](Arguments& a) -> Result<Jobs> {
  const View params = a.tensor("params"), indices = a.tensor("indices");
  const GatherOptions gather{.axis = a.maybe_integer("axis"), .batch_dims = a.integer("batch_dims")};
  GARNER_TRY(a.status());
  return one(lower_gather(params, indices, gather));
}};

}  // namespace garner::tensorflow
