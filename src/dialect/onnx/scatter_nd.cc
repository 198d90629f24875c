// onnx.ScatterND(data, indices, updates, *, reduction=none)
//   result = data; result[indices[i…, :], rest] = f(that, updates[i…, rest])
#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "garner/error.h"

namespace garner::onnx {
namespace {

Status check_tuples(const Node& node, const View& data, const View& indices, const View& updates) {
  GARNER_TRY(check_rank(node, "data", data, 1));
  GARNER_TRY(check_rank(node, "indices", indices, 1));
  const Index last = indices.rank() - 1, k = indices.extent(last);
  if (k < 0 || k > data.rank())
    return fail(Code::kInvalidArgument, "OX10", "{}: length of tuples is {}, allowed [0, {}] on axis {}", node.op, k,
                data.rank(), last);
  return check_updates(node, updates, tuples_shape(data.shape(), indices.shape(), 0));
}

}  // namespace

Result<Job> lower_scatter_nd(const View& data, const View& indices, const View& updates,
                             const ScatterNdAttributes& attributes) {
  const Node node{"onnx.ScatterND", attributes.opset};
  GARNER_TRY(check_opset(node, 11));
  GARNER_TRY(check_dtype(node, {"data", data.dtype()}, with_bf16(kAny, node, 13)));
  GARNER_TRY(check_dtype(node, {"indices", indices.dtype()}, bit(DType::kI64)));
  GARNER_TRY(check_dtype(node, {"updates", updates.dtype()}, bit(data.dtype())));
  GARNER_ASSIGN(const Combine combine, combine_of(node, attributes.reduction, data.dtype()));
  GARNER_TRY(check_tuples(node, data, indices, updates));
  auto job = JobBuilder::scatter(node.op, data, updates, combine);
  address_tuples(job, data, indices, 0, reading(true));
  return std::move(job).build();
}

Tensor scatter_nd(const View& data, const View& indices, const View& updates, const ScatterNdAttributes& attributes,
                  const RunOptions& options) {
  return value_or_throw(run_one(lower_scatter_nd(data, indices, updates, attributes), options));
}

extern const Op op_scatter_nd;
const Op op_scatter_nd{"ScatterND", "(data, indices, updates, *, reduction=none, opset=None)",
                       [](Arguments& a) -> Result<Jobs> {
  const View data = a.tensor("data"), indices = a.tensor("indices"), updates = a.tensor("updates");
  const std::string word = a.word("reduction");
  ScatterNdAttributes attributes{.opset = opset_of(a)};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(attributes.reduction, reduction_named(a.op(), word));
  return one(lower_scatter_nd(data, indices, updates, attributes));
}};

}  // namespace garner::onnx
