// From a model file's message to a Program.
#include <limits>
#include <new>

#include "base/fail.h"
#include "format/file.h"
#include "model/build.h"
#include "model/protobuf/schema.h"

namespace garner::model {
namespace {

using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;
using ::onnx::ValueInfoProto;

/// Of one message of protobuf.
constexpr std::size_t kMostBytes = std::numeric_limits<std::int32_t>::max();

template <class... Args>
Status refuse(fmt::format_string<Args...> text, Args&&... args) {
  return fail(Code::kUnsupported, "OM3", "model: {}", fmt::format(text, std::forward<Args>(args)...));
}

bool is_onnx(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

// ---- the whole ----

Result<ModelProto> message_of(std::string_view bytes) {
  if (bytes.size() > kMostBytes)
    return fail(Code::kInvalidArgument, "OM1", "model: size is {} bytes, allowed [0, {}]", bytes.size(), kMostBytes);
  ModelProto model;
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return fail(Code::kInvalidArgument, "OM1", "model: the {} bytes are no ONNX model, or not all of one",
                bytes.size());
  if (!model.has_ir_version() || !model.has_graph())
    return fail(Code::kInvalidArgument, "OM1", "model: there is no {}", model.has_graph() ? "ir_version" : "graph");
  return model;
}

/// A model without an opset is older than opsets.
Index opset_of(const ModelProto& model) {
  Index out = 0;
  for (const auto& entry : model.opset_import())
    if (is_onnx(entry.domain())) out = std::max<Index>(out, entry.version());
  return model.opset_import_size() == 0 ? 1 : out;
}

/// A function of the model in ONNX's own domain would stand for an operator of that name.
Status check_functions(const ModelProto& model) {
  for (const auto& function : model.functions())
    if (is_onnx(function.domain()))
      return refuse("domain of function {} is ai.onnx, allowed one of its own", quoted(function.name()));
  return {};
}

// ---- inputs and outputs ----

Result<std::vector<std::optional<Index>>> extents_of(const ::onnx::TensorShapeProto& shape, const std::string& what) {
  std::vector<std::optional<Index>> out;
  for (const auto& dim : shape.dim()) {
    if (dim.has_dim_value() && dim.dim_value() < 0)
      return fail(Code::kInvalidArgument, "OM5", "model: {} has extent {}, allowed no negative one", what,
                  dim.dim_value());
    out.push_back(dim.has_dim_value() ? std::optional<Index>(dim.dim_value()) : std::nullopt);
  }
  return out;
}

Result<Port> port_of(const ValueInfoProto& info, const std::string& what) {
  if (!info.type().has_tensor_type()) return refuse("{} is no tensor", what);
  const auto& type = info.type().tensor_type();
  Port port{.name = info.name(), .dtype = {}, .shape = {}};
  GARNER_ASSIGN(port.dtype, dtype_numbered(type.elem_type(), what));
  if (type.has_shape()) { GARNER_ASSIGN(port.shape, extents_of(type.shape(), what)); }
  return port;
}

/// Of an output a file need not say anything.
Result<Port> output_of(const ValueInfoProto& info) {
  if (!info.has_type() || info.type().value_case() == ::onnx::TypeProto::VALUE_NOT_SET)
    return Port{.name = info.name(), .dtype = {}, .shape = {}};
  return port_of(info, fmt::format("output {}", quoted(info.name())));
}

// ---- nodes ----

std::string title_of(const NodeProto& node, int place) {
  if (!node.name().empty()) return fmt::format("node {}", quoted(node.name()));
  if (node.output_size() > 0 && !node.output(0).empty()) return fmt::format("node {}", quoted(node.output(0)));
  return fmt::format("node #{}", place);
}

/// Files of the first IR versions do not say the type.
AttributeProto::AttributeType type_of(const AttributeProto& attribute) {
  if (attribute.has_type()) return attribute.type();
  if (attribute.has_i()) return AttributeProto::INT;
  if (attribute.has_s()) return AttributeProto::STRING;
  if (attribute.has_t()) return AttributeProto::TENSOR;
  return AttributeProto::UNDEFINED;
}

Attribute attribute_of(const AttributeProto& attribute) {
  Attribute out{attribute.name(), {}};
  if (!attribute.ref_attr_name().empty()) return out;  // a function's argument; there are no functions here
  const auto type = type_of(attribute);
  if (type == AttributeProto::INT) out.value = Index{attribute.i()};
  if (type == AttributeProto::STRING) out.value = attribute.s();
  return out;
}

Node node_of(const NodeProto& message, int place) {
  Node node{title_of(message, place), message.op_type(), {}, {}, {}};
  node.inputs.assign(message.input().begin(), message.input().end());
  node.outputs.assign(message.output().begin(), message.output().end());
  for (const auto& attribute : message.attribute()) node.attributes.push_back(attribute_of(attribute));
  return node;
}

template <class T, class Numbers>
Result<Tensor> vector_of(const Numbers& numbers) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(dtype_of<T>, {numbers.size()}));
  std::copy(numbers.begin(), numbers.end(), out.as<T>());
  return out;
}

template <class T>
Result<Tensor> scalar_of(T number) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(dtype_of<T>, {}));
  *out.as<T>() = number;
  return out;
}

Result<Tensor> constant_of(const NodeProto& node, const std::string& title) {
  if (node.attribute_size() != 1)
    return fail(Code::kInvalidArgument, "OM8", "model: {} (Constant) has {} attributes, allowed 1", title,
                node.attribute_size());
  const AttributeProto& a = node.attribute(0);
  if (a.name() == "value" && a.has_t()) return tensor_of(a.t(), title);
  if (a.name() == "value_int" && a.has_i()) return scalar_of<Index>(a.i());
  if (a.name() == "value_float" && a.has_f()) return scalar_of<float>(a.f());
  if (a.name() == "value_ints") return vector_of<Index>(a.ints());
  if (a.name() == "value_floats") return vector_of<float>(a.floats());
  return refuse("{} (Constant) has {}, allowed value value_int value_ints value_float value_floats", title,
                quoted(a.name()));
}

Status add_node(Builder& builder, const NodeProto& message, int place) {
  const Node node = node_of(message, place);
  if (!is_onnx(message.domain()))
    return refuse("domain of {} is {}, allowed ai.onnx", node.title, quoted(message.domain()));
  if (node.op != "Constant") return builder.add_node(node);
  GARNER_ASSIGN(Tensor value, constant_of(message, node.title));
  return builder.add_constant(node, std::move(value));
}

// ---- the graph ----

/// Gives up each initialiser's message as soon as its tensor is there: they are most of a large file.
Status add_initializers(Builder& builder, GraphProto& graph) {
  for (auto& message : *graph.mutable_initializer()) {
    GARNER_ASSIGN(Tensor value, tensor_of(message, fmt::format("initialiser {}", quoted(message.name()))));
    GARNER_TRY(builder.add_initializer(message.name(), std::move(value)));
    ::onnx::TensorProto().Swap(&message);
  }
  if (graph.sparse_initializer_size() == 0) return {};
  return refuse("initialiser {} is sparse, allowed dense", quoted(graph.sparse_initializer(0).values().name()));
}

Status add_graph(Builder& builder, GraphProto& graph) {
  for (const auto& info : graph.input()) {
    GARNER_ASSIGN(Port port, port_of(info, fmt::format("input {}", quoted(info.name()))));
    GARNER_TRY(builder.add_input(std::move(port)));
  }
  GARNER_TRY(add_initializers(builder, graph));
  for (int i = 0; i < graph.node_size(); ++i) GARNER_TRY(add_node(builder, graph.node(i), i));
  for (const auto& info : graph.output()) {
    GARNER_ASSIGN(Port port, output_of(info));
    GARNER_TRY(builder.add_output(std::move(port)));
  }
  return {};
}

Result<Model> model_of(std::string_view bytes) {
  GARNER_ASSIGN(ModelProto model, message_of(bytes));
  GARNER_TRY(check_functions(model));
  GARNER_ASSIGN(Builder builder, Builder::with_opset(opset_of(model)));
  GARNER_TRY(add_graph(builder, *model.mutable_graph()));
  return Model(std::make_shared<const Program>(std::move(builder).finish()));
}

}  // namespace

bool is_available() { return true; }

Result<Model> parse(std::string_view bytes) {
  try {
    return model_of(bytes);
  } catch (const std::bad_alloc&) {  // protobuf's own: a message takes some 100 times its bytes at worst
    return fail(Code::kMemory, "OM1", "model: the system has no memory for a model of {} bytes", bytes.size());
  }
}

Result<Model> load(const std::string& path) {
  GARNER_ASSIGN(const auto file, format::MappedFile::open(path));
  const auto bytes = file->bytes();
  auto model = parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (model.ok()) return model;
  Status status = model.status();
  status.message = fmt::format("file {}: {}", path, status.message);
  return status;
}

}  // namespace garner::model
