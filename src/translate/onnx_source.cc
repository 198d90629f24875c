// An ONNX graph as the Python that makes it.
#include "base/fail.h"
#include "dtype/onnx_types.h"
#include "translate/onnx.h"
#include "translate/python.h"

namespace garner::translate_detail {
namespace {

std::string quoted_list(const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (const std::string& name : names) parts.push_back(fmt::format("'{}'", name));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string attribute_text(const OnnxAttribute& attribute) {
  if (const auto* i = std::get_if<Index>(&attribute.value)) return fmt::format(", {}={}", attribute.name, *i);
  if (const auto* axes = std::get_if<Axes>(&attribute.value))
    return fmt::format(", {}=[{}]", attribute.name, fmt::join(*axes, ", "));
  return fmt::format(", {}='{}'", attribute.name, std::get<std::string>(attribute.value));
}

std::string node_text(const OnnxNode& node) {
  std::string out = fmt::format("        helper.make_node('{}', {}, {}", node.op, quoted_list(node.inputs),
                                quoted_list(node.outputs));
  for (const OnnxAttribute& attribute : node.attributes) out += attribute_text(attribute);
  return out + "),\n";
}

std::string value_text(const OnnxValue& value) {
  return fmt::format("        helper.make_tensor_value_info('{}', {}, {}),\n", value.name, onnx_number(value.dtype),
                     python_tuple(value.shape));
}

std::string initializer_text(const OnnxInitializer& initializer) {
  return fmt::format("        helper.make_tensor('{}', {}, {}, {}),\n", initializer.name,
                     onnx_number(initializer.value.dtype()), python_tuple(initializer.value.shape()),
                     python_list(initializer.value));
}

template <class Items, class F>
std::string block(const char* name, const Items& items, F&& text) {
  std::string out = fmt::format("    {} = [\n", name);
  for (const auto& item : items) out += text(item);
  return out + "    ]\n";
}

}  // namespace

std::string onnx_source(const OnnxGraph& graph, const Program& program, const std::string& op) {
  std::string out = fmt::format("from onnx import helper\n\n\ndef model():\n    \"\"\"{}", op);
  for (const std::string& note : program.notes) out += fmt::format("\n\n    Note: {}.", note);
  out += "\"\"\"\n";
  out += block("nodes", graph.nodes, node_text);
  out += block("inputs", graph.inputs, value_text);
  out += block("outputs", graph.outputs, value_text);
  out += block("constants", graph.initializers, initializer_text);
  out += fmt::format("    graph = helper.make_graph(nodes, '{}', inputs, outputs, constants)\n", graph.name);
  return out + fmt::format(
                   "    return helper.make_model(graph, opset_imports=[helper.make_opsetid('', {})], "
                   "ir_version=8)\n",
                   kOnnxOpset);
}

}  // namespace garner::translate_detail
