// onnx.Gather(data, indices, *, axis=0)
//   result[…, i…, …] = data[…, indices[i…], …]
#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "garner/error.h"

namespace garner::onnx {

Result<Job> lower_gather(const View& data, const View& indices, const GatherAttributes& attributes) {
  const Node node{"onnx.Gather", attributes.opset};
  GARNER_TRY(check_opset(node, 1));
  GARNER_TRY(check_dtype(node, {"data", data.dtype()}, with_bf16(kAny, node, 13)));
  GARNER_TRY(check_dtype(node, {"indices", indices.dtype()}, kIndices));
  GARNER_TRY(check_rank(node, "data", data, 1));
  GARNER_ASSIGN(const Index axis, effective_axis(node, attributes.axis, -data.rank(), data.rank()));
  const Slices slices{.axis = axis};
  auto job = JobBuilder::gather(node.op, data, slices_shape(data, indices, slices));
  address_slices(job, data, indices, slices, reading(node.opset >= 11));
  return std::move(job).build();
}

Tensor gather(const View& data, const View& indices, const GatherAttributes& attributes, const RunOptions& options) {
  return value_or_throw(run_one(lower_gather(data, indices, attributes), options));
}

extern const Op op_gather;
const Op op_gather{"Gather", "(data, indices, *, axis=0, opset=None)", [](Arguments& a) -> Result<Jobs> {
  const View data = a.tensor("data"), indices = a.tensor("indices");
  const GatherAttributes attributes{.axis = a.integer("axis"), .opset = opset_of(a)};
  GARNER_TRY(a.status());
  return one(lower_gather(data, indices, attributes));
}};

}  // namespace garner::onnx
