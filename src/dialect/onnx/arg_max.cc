// onnx.ArgMax(data, *, axis=0, keepdims=1, select_last_index=0), and ArgMin
#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "index/outputs.h"

namespace garner::onnx {
namespace {

using Find = Status (*)(const View&, const ArgOptions&, const RunOptions&, index::Output&);

/// An empty axis is in order where no lane runs along it.
Status check_axis_has_elements(const Node& node, const View& data, Index axis) {
  Axes lanes = data.shape();
  lanes[static_cast<std::size_t>(axis)] = 1;
  if (data.extent(axis) != 0 || View(data.dtype(), nullptr, lanes).elements() == 0) return {};
  return fail(Code::kInvalidArgument, "OX13", "{}: extent of data is 0, allowed [1, 2^63) on axis {}", node.op, axis);
}

Status find_along(const Node& node, Find find, const View& data, const ArgAttributes& attributes,
                  const RunOptions& options, index::Output& out) {
  GARNER_TRY(check_opset(node, 1));
  if (attributes.select_last_index) GARNER_TRY(check_since(node, 12, "select_last_index", "1"));
  GARNER_TRY(check_dtype(node, {"data", data.dtype()}, with_bf16(kReals, node, 13)));
  const Index lowest = node.opset >= 11 ? -data.rank() : 0;
  GARNER_ASSIGN(const Index axis, effective_axis(node, attributes.axis, lowest, data.rank()));
  GARNER_TRY(check_axis_has_elements(node, data, axis));
  const Tie tie = attributes.select_last_index ? Tie::kLast : Tie::kFirst;
  return find(data, {.axis = axis, .keepdims = attributes.keepdims, .tie = tie}, options, out);
}

Status largest(const View& data, const ArgAttributes& attributes, const RunOptions& options, index::Output& out) {
  return find_along({"onnx.ArgMax", attributes.opset}, index::argmax, data, attributes, options, out);
}

Status smallest(const View& data, const ArgAttributes& attributes, const RunOptions& options, index::Output& out) {
  return find_along({"onnx.ArgMin", attributes.opset}, index::argmin, data, attributes, options, out);
}

using Along = Status (*)(const View&, const ArgAttributes&, const RunOptions&, index::Output&);

Tensor fresh(Along along, const View& data, const ArgAttributes& attributes, const RunOptions& options) {
  return value_or_throw(index::fresh([&](index::Output& out) { return along(data, attributes, options, out); }));
}

template <Along along>
Status evaluate(Arguments& a, const RunOptions& options, Results& results) {
  const View data = a.tensor("data");
  const ArgAttributes attributes{.axis = a.integer("axis"),
                                 .keepdims = a.integer("keepdims") != 0,
                                 .opset = opset_of(a),
                                 .select_last_index = a.integer("select_last_index") != 0};
  GARNER_TRY(a.status());
  return results.one([&](index::Output& out) { return along(data, attributes, options, out); });
}

constexpr const char* kSignature = "(data, *, axis=0, keepdims=1, select_last_index=0, opset=None)";

}  // namespace

Tensor arg_max(const View& data, const ArgAttributes& attributes, const RunOptions& options) {
  return fresh(largest, data, attributes, options);
}

Tensor arg_min(const View& data, const ArgAttributes& attributes, const RunOptions& options) {
  return fresh(smallest, data, attributes, options);
}

extern const Op op_arg_max, op_arg_min;
const Op op_arg_max = on_any_device({"ArgMax", kSignature, nullptr, evaluate<largest>});
const Op op_arg_min = on_any_device({"ArgMin", kSignature, nullptr, evaluate<smallest>});

}  // namespace garner::onnx
