// onnx.GatherND(data, indices, *, batch_dims=0)
//   result[b…, i…, rest] = data[b…, indices[b…, i…, :], rest]
#include <algorithm>

#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "garner/error.h"

namespace garner::onnx {
namespace {

Status check_batch(const Node& node, const View& data, const View& indices, Index batch) {
  const Index limit = std::min(data.rank(), indices.rank());
  if (batch < 0 || batch >= limit)
    return fail(Code::kInvalidArgument, "OX9", "{}: batch_dims is {}, allowed [0, {})", node.op, batch, limit);
  for (Index a = 0; a < batch; ++a)
    if (indices.extent(a) != data.extent(a))
      return fail(Code::kInvalidArgument, "OX9", "{}: extent of indices is {}, allowed {} on axis {}", node.op,
                  indices.extent(a), data.extent(a), a);
  return {};
}

Status check_tuples(const Node& node, const View& indices, Index most) {
  const Index last = indices.rank() - 1, k = indices.extent(last);
  if (k >= 1 && k <= most) return {};
  return fail(Code::kInvalidArgument, "OX10", "{}: length of tuples is {}, allowed [1, {}] on axis {}", node.op, k,
              most, last);
}

Status check(const Node& node, const View& data, const View& indices, Index batch) {
  GARNER_TRY(check_opset(node, 11));
  if (batch != 0) GARNER_TRY(check_since(node, 12, "batch_dims", std::to_string(batch)));
  GARNER_TRY(check_dtype(node, {"data", data.dtype()}, with_bf16(kAny, node, 13)));
  GARNER_TRY(check_dtype(node, {"indices", indices.dtype()}, bit(DType::kI64)));
  GARNER_TRY(check_rank(node, "data", data, 1));
  GARNER_TRY(check_rank(node, "indices", indices, 1));
  GARNER_TRY(check_batch(node, data, indices, batch));
  return check_tuples(node, indices, data.rank() - batch);
}

}  // namespace

Result<Job> lower_gather_nd(const View& data, const View& indices, const GatherNdAttributes& attributes) {
  const Node node{"onnx.GatherND", attributes.opset};
  const Index batch = attributes.batch_dims;
  GARNER_TRY(check(node, data, indices, batch));
  auto job = JobBuilder::gather(node.op, data, tuples_shape(data.shape(), indices.shape(), batch));
  address_tuples(job, data, indices, batch, reading(true));
  return std::move(job).build();
}

Tensor gather_nd(const View& data, const View& indices, const GatherNdAttributes& attributes,
                 const RunOptions& options) {
  return value_or_throw(run_one(lower_gather_nd(data, indices, attributes), options));
}

extern const Op op_gather_nd;
const Op op_gather_nd{"GatherND", "(data, indices, *, batch_dims=0, opset=None)", [](Arguments& a) -> Result<Jobs> {
  const View data = a.tensor("data"), indices = a.tensor("indices");
  const GatherNdAttributes attributes{.batch_dims = a.integer("batch_dims"), .opset = opset_of(a)};
  GARNER_TRY(a.status());
  return one(lower_gather_nd(data, indices, attributes));
}};

}  // namespace garner::onnx
