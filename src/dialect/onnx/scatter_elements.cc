// onnx.ScatterElements(data, indices, updates, *, axis=0, reduction=none), and Scatter, its name up to opset 10
//   result = data; result[d with d[axis] replaced by indices[d]] = f(that, updates[d])
#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "garner/error.h"

namespace garner::onnx {
namespace {

Status check_dtypes(const Node& node, const View& data, const View& indices, const View& updates) {
  GARNER_TRY(check_dtype(node, {"data", data.dtype()}, with_bf16(kAny, node, 13)));
  GARNER_TRY(check_dtype(node, {"indices", indices.dtype()}, kIndices));
  return check_dtype(node, {"updates", updates.dtype()}, bit(data.dtype()));
}

Result<Job> lower(const Node& node, const View& data, const View& indices, const View& updates,
                  const ScatterElementsAttributes& attributes) {
  GARNER_TRY(check_dtypes(node, data, indices, updates));
  GARNER_ASSIGN(const Combine combine, combine_of(node, attributes.reduction, data.dtype()));
  GARNER_ASSIGN(const Index axis, check_elements(node, data, indices, attributes.axis));
  GARNER_TRY(check_updates(node, updates, indices.shape()));
  auto job = JobBuilder::scatter(node.op, data, updates, combine);
  address_elements(job, data, indices, axis, reading(node.opset >= 11));
  return std::move(job).build();
}

}  // namespace

Result<Job> lower_scatter_elements(const View& data, const View& indices, const View& updates,
                                   const ScatterElementsAttributes& attributes) {
  const Node node{"onnx.ScatterElements", attributes.opset};
  GARNER_TRY(check_opset(node, 11));
  return lower(node, data, indices, updates, attributes);
}

Result<Job> lower_scatter(const View& data, const View& indices, const View& updates,
                          const ScatterAttributes& attributes) {
  const Node node{"onnx.Scatter", attributes.opset};
  GARNER_TRY(check_opset(node, 9, kLastScatterOpset));
  return lower(node, data, indices, updates, {.axis = attributes.axis});
}

Tensor scatter_elements(const View& data, const View& indices, const View& updates,
                        const ScatterElementsAttributes& attributes, const RunOptions& options) {
  return value_or_throw(run_one(lower_scatter_elements(data, indices, updates, attributes), options));
}

Tensor scatter(const View& data, const View& indices, const View& updates, const ScatterAttributes& attributes,
               const RunOptions& options) {
  return value_or_throw(run_one(lower_scatter(data, indices, updates, attributes), options));
}

extern const Op op_scatter_elements;
const Op op_scatter_elements{"ScatterElements", "(data, indices, updates, *, axis=0, reduction=none, opset=None)",
                             [](Arguments& a) -> Result<Jobs> {
  const View data = a.tensor("data"), indices = a.tensor("indices"), updates = a.tensor("updates");
  const std::string word = a.word("reduction");
  ScatterElementsAttributes attributes{.axis = a.integer("axis"), .opset = opset_of(a)};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(attributes.reduction, reduction_named(a.op(), word));
  return one(lower_scatter_elements(data, indices, updates, attributes));
}};

extern const Op op_scatter;
const Op op_scatter{"Scatter", "(data, indices, updates, *, axis=0, opset=None)", [](Arguments& a) -> Result<Jobs> {
  const View data = a.tensor("data"), indices = a.tensor("indices"), updates = a.tensor("updates");
  const ScatterAttributes attributes{.axis = a.integer("axis"), .opset = opset_of(a, kLastScatterOpset)};
  GARNER_TRY(a.status());
  return one(lower_scatter(data, indices, updates, attributes));
}};

}  // namespace garner::onnx
