// onnx.GatherElements(data, indices, *, axis=0)
//   result[d] = data[d with d[axis] replaced by indices[d]]
#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "garner/error.h"

namespace garner::onnx {

Result<Job> lower_gather_elements(const View& data, const View& indices, const GatherAttributes& attributes) {
  const Node node{"onnx.GatherElements", attributes.opset};
  GARNER_TRY(check_opset(node, 11));
  GARNER_TRY(check_dtype(node, {"data", data.dtype()}, with_bf16(kAny, node, 13)));
  GARNER_TRY(check_dtype(node, {"indices", indices.dtype()}, kIndices));
  GARNER_ASSIGN(const Index axis, check_elements(node, data, indices, attributes.axis));
  auto job = JobBuilder::gather(node.op, data, indices.shape());
  address_elements(job, data, indices, axis, reading(true));
  return std::move(job).build();
}

Tensor gather_elements(const View& data, const View& indices, const GatherAttributes& attributes,
                       const RunOptions& options) {
  return value_or_throw(run_one(lower_gather_elements(data, indices, attributes), options));
}

extern const Op op_gather_elements;
const Op op_gather_elements{"GatherElements", "(data, indices, *, axis=0, opset=None)",
                            [](Arguments& a) -> Result<Jobs> {
  const View data = a.tensor("data"), indices = a.tensor("indices");
  const GatherAttributes attributes{.axis = a.integer("axis"), .opset = opset_of(a)};
  GARNER_TRY(a.status());
  return one(lower_gather_elements(data, indices, attributes));
}};

}  // namespace garner::onnx
