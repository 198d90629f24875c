// From a graph to a model file.
#include <limits>
#include <set>

#include "base/fail.h"
#include "format/file.h"
#include "garner/model.h"
#include "garner/translate.h"
#include "model/program.h"
#include "model/protobuf/schema.h"

namespace garner::model {
namespace {

constexpr int kIrVersion = 8;  // the one that came with opset 18
constexpr std::size_t kMostBytes = std::numeric_limits<std::int32_t>::max();

template <class... Args>
Status refuse(fmt::format_string<Args...> text, Args&&... args) {
  return fail(Code::kInvalidArgument, "OM11", "model: {}", fmt::format(text, std::forward<Args>(args)...));
}

void write(const OnnxValue& value, ::onnx::ValueInfoProto& out) {
  out.set_name(value.name);
  auto& type = *out.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx_number(value.dtype));
  type.mutable_shape();  // a rank-0 tensor has a shape, too
  for (const Index extent : value.shape) type.mutable_shape()->add_dim()->set_dim_value(extent);
}

void write(const OnnxInitializer& value, ::onnx::TensorProto& out) {
  out.set_name(value.name);
  out.set_data_type(onnx_number(value.value.dtype()));
  for (const Index extent : value.value.shape()) out.add_dims(extent);
  out.set_raw_data(value.value.data(), static_cast<std::size_t>(value.value.bytes()));
}

struct AttributeWriter {
  ::onnx::AttributeProto& out;
  void operator()(Index number) const {
    out.set_type(::onnx::AttributeProto::INT);
    out.set_i(number);
  }
  void operator()(const Axes& numbers) const {
    out.set_type(::onnx::AttributeProto::INTS);
    for (const Index number : numbers) out.add_ints(number);
  }
  void operator()(const std::string& word) const {
    out.set_type(::onnx::AttributeProto::STRING);
    out.set_s(word);
  }
};

void write(const OnnxNode& node, ::onnx::NodeProto& out) {
  out.set_op_type(node.op);
  for (const std::string& name : node.inputs) out.add_input(name);
  for (const std::string& name : node.outputs) out.add_output(name);
  for (const OnnxAttribute& attribute : node.attributes) {
    auto& one = *out.add_attribute();
    one.set_name(attribute.name);
    std::visit(AttributeWriter{one}, attribute.value);
  }
}

void write(const OnnxGraph& graph, ::onnx::GraphProto& out) {
  out.set_name(graph.name);
  for (const OnnxValue& value : graph.inputs) write(value, *out.add_input());
  for (const OnnxInitializer& value : graph.initializers) write(value, *out.add_initializer());
  for (const OnnxNode& node : graph.nodes) write(node, *out.add_node());
  for (const OnnxValue& value : graph.outputs) write(value, *out.add_output());
}

/// Names in the order of the file, each written before it is read, and once.
class Names {
 public:
  Status define(const std::string& name) {
    if (name.empty()) return refuse("a value has no name");
    return names_.insert(name).second ? Status{} : refuse("{} is written twice", quoted(name));
  }
  Status require(const std::string& name) const {
    return names_.contains(name) ? Status{} : refuse("{} is read before it is written", quoted(name));
  }

 private:
  std::set<std::string> names_;
};

Status check_node(const OnnxNode& node, Names& names) {
  for (const std::string& name : node.inputs)
    if (!name.empty()) GARNER_TRY(names.require(name));
  for (const std::string& name : node.outputs)
    if (!name.empty()) GARNER_TRY(names.define(name));
  return {};
}

Status check(const OnnxGraph& graph) {
  Names names;
  std::size_t bytes = 0;
  for (const OnnxValue& value : graph.inputs) GARNER_TRY(names.define(value.name));
  for (const OnnxInitializer& value : graph.initializers) {
    GARNER_TRY(names.define(value.name));
    bytes += static_cast<std::size_t>(value.value.bytes());
  }
  if (bytes > kMostBytes) return refuse("initialisers are {} bytes, allowed [0, {}]", bytes, kMostBytes);
  for (const OnnxNode& node : graph.nodes) GARNER_TRY(check_node(node, names));
  for (const OnnxValue& value : graph.outputs) GARNER_TRY(names.require(value.name));
  return {};
}

}  // namespace

Result<std::string> serialize(const OnnxGraph& graph) {
  GARNER_TRY(check(graph));
  ::onnx::ModelProto model;
  model.set_ir_version(kIrVersion);
  model.set_producer_name("garner");
  auto& opset = *model.add_opset_import();
  opset.set_domain("");
  opset.set_version(kOnnxOpset);
  write(graph, *model.mutable_graph());
  const std::size_t bytes = model.ByteSizeLong();
  if (bytes > kMostBytes) return refuse("size is {} bytes, allowed [0, {}]", bytes, kMostBytes);
  return model.SerializeAsString();
}

Status save(const OnnxGraph& graph, const std::string& path) {
  GARNER_ASSIGN(const std::string bytes, serialize(graph));
  return format::write_whole(path, bytes);
}

}  // namespace garner::model
