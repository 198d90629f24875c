// A graph, written and read again.
#include <filesystem>
#include <fstream>

#include "garner/translate.h"
#include "model/protobuf/test_model.h"

namespace garner::model {
namespace {

/// y = ScatterElements(x, i, u, axis=-1, reduction=add)
OnnxGraph scatter() {
  OnnxGraph graph;
  graph.inputs = {{"x", DType::kF32, {3}}};
  graph.outputs = {{"y", DType::kF32, {3}}};
  graph.initializers = {{"i", tensor<Index>({2, 2})}, {"u", tensor<float>({5, 7})}};
  graph.nodes = {{"ScatterElements", {"x", "i", "u"}, {"y"}, {{"axis", Index{-1}}, {"reduction", std::string("add")}}}};
  return graph;
}

TEST(ModelWrite, ReadsAgain) {
  const Model model = value_or_throw(parse(value_or_throw(serialize(scatter()))));
  EXPECT_EQ(model.opset(), kOnnxOpset);
  EXPECT_EQ(model.inputs()[0].shape, (std::vector<std::optional<Index>>{3}));
  EXPECT_EQ(model.outputs()[0].dtype, DType::kF32);
  const Tensor x = tensor<float>({1, 2, 3});
  EXPECT_TRUE(same_bits(value_or_throw(run(model, {{"x", x}}))[0], tensor<float>({1, 2, 15})));
}

TEST(ModelWrite, EveryDtypeAndRankZero) {
  for (const DTypeInfo& d : kDTypes) {
    OnnxGraph graph;
    const Tensor value = value_or_throw(Tensor::zeros(d.dtype, {}));
    graph.initializers = {{"c", value}};
    graph.outputs = {{"c", d.dtype, {}}};
    const auto out = value_or_throw(run(value_or_throw(parse(value_or_throw(serialize(graph)))), {}));
    EXPECT_TRUE(same_bits(out[0], value)) << d.name;
  }
}

TEST(ModelWrite, Lists) {
  OnnxGraph graph;
  graph.inputs = {{"x", DType::kF32, {2, 3}}};
  graph.nodes = {{"Transpose", {"x"}, {"y"}, {{"perm", Axes{1, 0}}}}};
  ::onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(value_or_throw(serialize(graph))));
  const auto& attribute = model.graph().node(0).attribute(0);
  EXPECT_EQ(attribute.type(), ::onnx::AttributeProto::INTS);
  EXPECT_EQ(Axes(attribute.ints().begin(), attribute.ints().end()), (Axes{1, 0}));
}

TEST(ModelWrite, OM11_Names) {
  OnnxGraph twice = scatter(), unknown = scatter(), nameless = scatter(), output = scatter();
  twice.nodes.push_back(twice.nodes[0]);
  unknown.nodes[0].inputs[0] = "z";
  nameless.inputs[0].name = "";
  output.outputs[0].name = "z";
  for (const OnnxGraph& graph : {twice, unknown, nameless, output}) EXPECT_EQ(serialize(graph).status().rule, "OM11");
}

TEST(ModelWrite, NothingIsLeftOfAFailure) {
  const std::string folder = testing::TempDir() + "garner_model_write", path = folder + "/m.onnx";
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(save(scatter(), path).ok());
  OnnxGraph bad = scatter();
  bad.nodes[0].inputs[0] = "z";
  EXPECT_EQ(save(bad, path).rule, "OM11");
  EXPECT_TRUE(load(path).ok());  // still the first one
  EXPECT_EQ(save(scatter(), folder + "/none/m.onnx").rule, "F9");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace garner::model
