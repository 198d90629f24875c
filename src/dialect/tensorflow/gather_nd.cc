// tensorflow.gather_nd(params, indices, batch_dims=0, name=None, bad_indices_policy=DEFAULT)
//   result[b…, i…, rest] = params[b…, indices[b…, i…, :], rest]
#include <algorithm>

#include "base/fail.h"
#include "dialect/tensorflow/common.h"
#include "garner/error.h"

namespace garner::tensorflow {
namespace {

constexpr const char* kOp = "tensorflow.gather_nd";

Status check_batch(const View& params, const View& indices, Index batch) {
  const Index limit = std::min(params.rank(), indices.rank());
  if (batch < 0 || batch >= limit)
    return fail(Code::kInvalidArgument, "TF3", "{}: batch_dims is {}, allowed [0, {})", kOp, batch, limit);
  return check_batch_extents(kOp, params, indices, batch);
}

/// The source refuses to look up anything in a tensor without elements, even where the result has none.
Status check_not_empty(const View& params, const View& indices) {
  if (params.elements() != 0 || indices.elements() == 0) return {};
  return fail(Code::kInvalidArgument, "TF9", "{}: shape of params is {}, allowed one with elements", kOp,
              list(params.shape()));
}

Status check(const View& params, const View& indices, Index batch) {
  GARNER_TRY(check_dtype(kOp, {"indices", indices.dtype()}, {DType::kI16, DType::kI32, DType::kI64}));
  GARNER_TRY(check_rank(kOp, "params", params, 1));
  GARNER_TRY(check_rank(kOp, "indices", indices, 1));
  GARNER_TRY(check_batch(params, indices, batch));
  GARNER_TRY(check_tuples(kOp, indices, 0, params.rank() - batch));
  return check_not_empty(params, indices);
}

}  // namespace

Result<Job> lower_gather_nd(const View& params, const View& indices, const GatherNdOptions& gather) {
  const Index batch = gather.batch_dims;
  GARNER_TRY(check(params, indices, batch));
  auto job = JobBuilder::gather(kOp, params, tuples_shape(params.shape(), indices.shape(), batch));
  address_tuples(job, params, indices, batch, reading(gather.bad_indices_policy, OutOfRange::kFill));
  return std::move(job).build();
}

Tensor gather_nd(const View& params, const View& indices, const GatherNdOptions& gather, const RunOptions& options) {
  return value_or_throw(run_one(lower_gather_nd(params, indices, gather), options));
}

extern const Op op_gather_nd;
const Op op_gather_nd{"gather_nd", "(params, indices, batch_dims=0, name=None, bad_indices_policy=DEFAULT)",
                      [](Arguments& a) -> Result<Jobs> {
  const View params = a.tensor("params"), indices = a.tensor("indices");
  const std::string word = a.word("bad_indices_policy");
  GatherNdOptions gather{.batch_dims = a.integer("batch_dims")};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(gather.bad_indices_policy, bad_indices_named(a.op(), word));
  return one(lower_gather_nd(params, indices, gather));
}};

}  // namespace garner::tensorflow
