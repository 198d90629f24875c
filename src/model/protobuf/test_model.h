// Models for the tests: made with the library, and as bytes by hand.
#pragma once
#include <gtest/gtest.h>

#include "garner/error.h"
#include "garner/model.h"
#include "model/protobuf/schema.h"

namespace garner::model {

/// Made step by step; every part can be changed before bytes() is asked for.
struct TestModel {
  ::onnx::ModelProto proto;

  explicit TestModel(Index opset = 18) {
    proto.set_ir_version(8);
    auto& entry = *proto.add_opset_import();
    entry.set_domain("");
    entry.set_version(opset);
    proto.mutable_graph()->set_name("g");
  }

  ::onnx::GraphProto& graph() { return *proto.mutable_graph(); }

  /// An extent of -1 is one the model does not say.
  TestModel& input(const std::string& name, DType dtype, const Axes& shape) {
    describe(*graph().add_input(), name, dtype, shape);
    return *this;
  }
  TestModel& output(const std::string& name) {
    graph().add_output()->set_name(name);
    return *this;
  }
  TestModel& initializer(const std::string& name, const Tensor& value) {
    fill(*graph().add_initializer(), value);
    graph().mutable_initializer()->rbegin()->set_name(name);
    return *this;
  }
  ::onnx::NodeProto& node(const std::string& op, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs) {
    auto& out = *graph().add_node();
    out.set_op_type(op);
    for (const auto& name : inputs) out.add_input(name);
    for (const auto& name : outputs) out.add_output(name);
    return out;
  }

  std::string bytes() const { return proto.SerializeAsString(); }
  Result<Model> parsed() const { return parse(bytes()); }
  std::string rule() const { return parsed().status().rule; }

  static void fill(::onnx::TensorProto& out, const Tensor& value) {
    out.set_data_type(onnx_number(value.dtype()));
    for (const Index extent : value.shape()) out.add_dims(extent);
    out.set_raw_data(value.data(), static_cast<std::size_t>(value.bytes()));
  }
  static void describe(::onnx::ValueInfoProto& out, const std::string& name, DType dtype, const Axes& shape) {
    out.set_name(name);
    auto& type = *out.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx_number(dtype));
    type.mutable_shape();
    for (const Index extent : shape) {
      auto& dim = *type.mutable_shape()->add_dim();
      if (extent >= 0) dim.set_dim_value(extent);
      else dim.set_dim_param("n");
    }
  }
};

inline void set_integer(::onnx::NodeProto& node, const std::string& name, Index value) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(::onnx::AttributeProto::INT);
  attribute.set_i(value);
}

inline void set_word(::onnx::NodeProto& node, const std::string& name, const std::string& value) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(::onnx::AttributeProto::STRING);
  attribute.set_s(value);
}

inline std::vector<Tensor> results_of(const TestModel& model, const std::map<std::string, View>& inputs = {}) {
  return value_or_throw(run(value_or_throw(model.parsed()), inputs));
}

/// y = Gather(x, i, axis=1)
inline TestModel gather_model(const Tensor& indices = tensor<Index>({2, -1})) {
  TestModel m;
  m.input("x", DType::kF32, {-1, 3}).initializer("i", indices).output("y");
  set_integer(m.node("Gather", {"x", "i"}, {"y"}), "axis", 1);
  return m;
}

}  // namespace garner::model
