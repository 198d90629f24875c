// Model files: what runs, and what is refused.
#include <fstream>
#include <random>

#include "base/fail.h"
#include "model/protobuf/test_model.h"

namespace garner::model {
namespace {

const Tensor kX = tensor<float>({{1, 2, 3}, {4, 5, 6}});

// ---- by hand ----

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 128; value >>= 7) out += static_cast<char>(value | 128);
  return out + static_cast<char>(value);
}
std::string number(unsigned field, std::uint64_t value) { return varint(field << 3) + varint(value); }
std::string bytes(unsigned field, const std::string& value) {
  return varint(field << 3 | 2) + varint(value.size()) + value;
}

/// The fields of onnx.proto: 8 opset_import, 7 graph; 11 input, 12 output, 5 initializer, 1 node.
std::string by_hand() {
  const std::string extents = bytes(1, number(1, 2)) + bytes(1, number(1, 3));
  const std::string type = bytes(1, number(1, 1) + bytes(2, extents));
  const std::string indices = number(1, 2) + number(2, 7) + bytes(8, "i") +
                              bytes(9, std::string("\2\0\0\0\0\0\0\0", 8) + std::string(8, '\xff'));
  const std::string axis = bytes(1, "axis") + number(3, 1) + number(20, 2);
  const std::string node = bytes(1, "x") + bytes(1, "i") + bytes(2, "y") + bytes(4, "Gather") + bytes(5, axis);
  const std::string graph = bytes(1, node) + bytes(2, "g") + bytes(5, indices) +
                            bytes(11, bytes(1, "x") + bytes(2, type)) + bytes(12, bytes(1, "y"));
  return number(1, 8) + bytes(7, graph) + bytes(8, number(2, 13));
}

TEST(ModelFile, BytesByHand) {
  const Model model = value_or_throw(parse(by_hand()));
  EXPECT_EQ(model.opset(), 13);
  ASSERT_EQ(model.inputs().size(), 1U);
  EXPECT_EQ(model.inputs()[0].name, "x");
  EXPECT_EQ(model.inputs()[0].dtype, DType::kF32);
  EXPECT_EQ(model.inputs()[0].shape, (std::vector<std::optional<Index>>{2, 3}));
  EXPECT_FALSE(model.inputs()[0].optional);
  ASSERT_EQ(model.outputs().size(), 1U);
  EXPECT_EQ(model.outputs()[0].dtype, std::nullopt);
  const auto results = value_or_throw(run(model, {{"x", kX}}));
  EXPECT_TRUE(same_bits(results.at(0), tensor<float>({{3, 3}, {6, 6}})));
}

TEST(ModelFile, FromTheDisk) {
  const std::string path = testing::TempDir() + "garner_model_test.onnx";
  std::ofstream(path, std::ios::binary) << by_hand();
  EXPECT_TRUE(load(path).ok());
  std::ofstream(path, std::ios::binary) << by_hand().substr(0, 50);
  const Status cut = load(path).status();
  EXPECT_EQ(cut.rule, "OM1");
  EXPECT_NE(cut.message.find(path), std::string::npos);
  std::remove(path.c_str());
  EXPECT_EQ(load(path).status().rule, "F1");
  EXPECT_EQ(load(testing::TempDir()).status().rule, "F1");
}

/// Every error is one line with a rule.
void expect_sound(const Status& status, const std::string& what) {
  if (status.ok()) return;
  EXPECT_FALSE(status.rule.empty()) << what;
  EXPECT_EQ(status.message.find('\n'), std::string::npos) << what;
}

void try_out(const std::string& file, const std::string& what) {
  const auto model = parse(file);
  expect_sound(model.status(), what);
  if (model.ok()) expect_sound(run(*model, {{"x", kX}}).status(), what);
}

TEST(ModelFile, EveryTruncation) {
  const std::string whole = by_hand();
  for (std::size_t size = 0; size < whole.size(); ++size) try_out(whole.substr(0, size), fmt::format("first {}", size));
  EXPECT_EQ(parse("").status().rule, "OM1");
}

TEST(ModelFile, RandomDamage) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  const std::string whole = by_hand();
  for (int i = 0; i < 3000; ++i) {
    std::string file = whole;
    for (unsigned damages = 1 + random() % 4; damages > 0; --damages)
      file[random() % file.size()] = static_cast<char>(random());
    try_out(file, fmt::format("seed {}, file {}", seed, i));
  }
}

TEST(ModelFile, OM1_NoModel) {
  for (const std::string& file : {std::string("hello"), std::string(100, '\xff'), number(1, 8), bytes(7, "")})
    EXPECT_EQ(parse(file).status().rule, "OM1") << file;
  std::string nested;  // a graph in an attribute of a node of a graph, …; protobuf stops at a hundred
  for (int i = 0; i < 5000; ++i) nested = bytes(1, bytes(5, bytes(6, nested)));
  EXPECT_EQ(parse(number(1, 8) + bytes(7, nested)).status().rule, "OM1");
}

// ---- nodes ----

TEST(Model, SeveralNodesAndConstants) {
  TestModel m;
  m.input("x", DType::kF32, {-1}).output("z").output("i");
  auto& k = *m.node("Constant", {}, {"k"}).add_attribute();
  k.set_name("value_ints");
  k.add_ints(2);
  m.node("TopK", {"x", "k"}, {"v", "i"});
  m.node("GatherElements", {"x", "i"}, {"y"});
  m.node("Identity", {"y"}, {"z"});
  const auto out = results_of(m, {{"x", tensor<float>({5, 9, 7})}});
  ASSERT_EQ(out.size(), 2U);
  EXPECT_TRUE(same_bits(out[0], tensor<float>({9, 7})));
  EXPECT_TRUE(same_bits(out[1], tensor<Index>({1, 2})));
}

TEST(Model, EveryKindOfConstant) {
  TestModel m;
  auto& tensors = *m.node("Constant", {}, {"a"}).add_attribute();
  tensors.set_name("value");
  TestModel::fill(*tensors.mutable_t(), tensor<std::int16_t>({1, -2}));
  auto& integer = *m.node("Constant", {}, {"b"}).add_attribute();
  integer.set_name("value_int");
  integer.set_i(-7);
  auto& real = *m.node("Constant", {}, {"c"}).add_attribute();
  real.set_name("value_float");
  real.set_f(0.5F);
  auto& reals = *m.node("Constant", {}, {"d"}).add_attribute();
  reals.set_name("value_floats");
  reals.add_floats(1.5F);
  m.output("a").output("b").output("c").output("d");
  const auto out = results_of(m);
  EXPECT_TRUE(same_bits(out[0], tensor<std::int16_t>({1, -2})));
  EXPECT_TRUE(same_bits(out[1], scalar<Index>(-7)));
  EXPECT_TRUE(same_bits(out[2], scalar(0.5F)));
  EXPECT_TRUE(same_bits(out[3], tensor<float>({1.5F})));
}

TEST(Model, WordsAndOpsets) {
  TestModel m(18);
  m.input("x", DType::kF32, {3}).initializer("i", tensor<Index>({1, 1})).initializer("u", tensor<float>({5, 3}));
  auto& node = m.node("ScatterElements", {"x", "i", "u"}, {"y"});
  set_word(node, "reduction", "max");
  m.output("y");
  const Tensor x = tensor<float>({1, 2, 3});
  EXPECT_TRUE(same_bits(results_of(m, {{"x", x}})[0], tensor<float>({1, 5, 3})));
  m.proto.mutable_opset_import(0)->set_version(16);  // knows add and mul
  const Status old = run(value_or_throw(m.parsed()), {{"x", x}}).status();
  EXPECT_EQ(old.rule, "OX5");
  EXPECT_EQ(old.message.find("node 'y': onnx.ScatterElements: "), 0U) << old.message;
}

TEST(Model, InputsLeftOut) {
  TestModel m(24);
  m.input("p", DType::kF32, {1, 2, 1}).input("u", DType::kF32, {1, 1, 1}).output("y").output("z");
  m.node("TensorScatter", {"p", "u", ""}, {"y"});
  m.node("TensorScatter", {"p", "u"}, {"z"});
  const Tensor p = tensor<float>({{{1}, {2}}}), u = tensor<float>({{{9}}});
  for (const Tensor& out : results_of(m, {{"p", p}, {"u", u}}))
    EXPECT_TRUE(same_bits(out, tensor<float>({{{9}, {2}}})));
}

TEST(Model, OutputsLeftOut) {
  TestModel m;
  m.input("x", DType::kF32, {3}).output("inverse");
  m.node("Unique", {"x"}, {"", "", "inverse"});
  EXPECT_TRUE(same_bits(results_of(m, {{"x", tensor<float>({7, 5, 7})}})[0], tensor<Index>({1, 0, 1})));
}

TEST(Model, InitialisersAreDefaultsOfInputs) {
  TestModel m = gather_model();
  TestModel::describe(*m.graph().add_input(), "i", DType::kI64, {-1});
  const Model model = value_or_throw(m.parsed());
  EXPECT_FALSE(model.inputs()[0].optional);
  EXPECT_TRUE(model.inputs()[1].optional);
  EXPECT_TRUE(same_bits(value_or_throw(run(model, {{"x", kX}}))[0], tensor<float>({{3, 3}, {6, 6}})));
  const Tensor other = tensor<Index>({0});
  EXPECT_TRUE(same_bits(value_or_throw(run(model, {{"x", kX}, {"i", other}}))[0], tensor<float>({{1}, {4}})));
}

TEST(Model, OutputsHaveMemoryOfTheirOwn) {
  TestModel m;
  m.input("x", DType::kF32, {2, 3}).initializer("c", tensor<float>({1})).output("x").output("c").output("y");
  m.node("Identity", {"x"}, {"y"});
  const Model model = value_or_throw(m.parsed());
  auto out = value_or_throw(run(model, {{"x", kX}}));
  EXPECT_TRUE(same_bits(out[0], kX));
  EXPECT_NE(out[0].data(), kX.data());
  EXPECT_NE(out[2].data(), kX.data());
  *out[1].as<float>() = 7;
  EXPECT_EQ(*value_or_throw(run(model, {{"x", kX}}))[1].as<float>(), 1);
}

TEST(Model, StridedInputs) {
  const View columns(kX.as<float>(), {3, 2}, {1, 3});
  TestModel m;
  m.input("x", DType::kF32, {3, 2}).initializer("i", tensor<Index>({2})).output("y").output("z");
  m.node("Gather", {"x", "i"}, {"y"});
  m.node("Identity", {"x"}, {"z"});
  const auto out = results_of(m, {{"x", columns}});
  EXPECT_TRUE(same_bits(out[0], tensor<float>({{3, 6}})));
  EXPECT_TRUE(same_bits(out[1], tensor<float>({{1, 4}, {2, 5}, {3, 6}})));
}

TEST(Model, NoOpsetIsTheFirst) {
  TestModel m = gather_model(tensor<Index>({2}));
  m.proto.clear_opset_import();
  EXPECT_EQ(value_or_throw(m.parsed()).opset(), 1);
  EXPECT_EQ(run(value_or_throw(gather_model().parsed()), {{"x", kX}}).ok(), true);
}

// ---- refusals ----

TEST(Model, OM2_Opset) {
  for (const Index opset : {Index{0}, Index{-3}, Index{29}, Index{1} << 40}) EXPECT_EQ(TestModel(opset).rule(), "OM2");
  TestModel other;
  other.proto.mutable_opset_import(0)->set_domain("com.example");
  EXPECT_EQ(other.rule(), "OM2");
}

TEST(Model, OM3_NotOffered) {
  TestModel unknown;
  unknown.node("Conv", {}, {"y"});
  EXPECT_EQ(unknown.rule(), "OM3");
  EXPECT_NE(unknown.parsed().status().message.find("allowed Constant Identity"), std::string::npos);
  TestModel domain = gather_model();
  domain.graph().mutable_node(0)->set_domain("com.example");
  EXPECT_EQ(domain.rule(), "OM3");
  TestModel sparse;
  sparse.graph().add_sparse_initializer();
  EXPECT_EQ(sparse.rule(), "OM3");
  TestModel sequence;
  sequence.graph().add_input()->mutable_type()->mutable_sequence_type();
  EXPECT_EQ(sequence.rule(), "OM3");
  TestModel nothing;
  nothing.graph().add_input()->set_name("x");
  EXPECT_EQ(nothing.rule(), "OM3");
  TestModel function;
  function.proto.add_functions()->set_name("Gather");
  EXPECT_EQ(function.rule(), "OM3");
  TestModel words;
  auto& attribute = *words.node("Constant", {}, {"y"}).add_attribute();
  attribute.set_name("value_string");
  attribute.set_s("x");
  EXPECT_EQ(words.rule(), "OM3");
}

TEST(Model, OM4_InputDtype) {
  TestModel m = gather_model();
  m.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(8);
  EXPECT_EQ(m.rule(), "OM4");
}

TEST(Model, OM5_NegativeExtent) {
  TestModel m = gather_model();
  auto& shape = *m.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape.mutable_dim(0)->set_dim_value(-2);
  EXPECT_EQ(m.rule(), "OM5");
}

TEST(Model, OM7_Names) {
  TestModel cycle;  // a needs b, b needs a
  cycle.node("Identity", {"b"}, {"a"});
  cycle.node("Identity", {"a"}, {"b"});
  EXPECT_EQ(cycle.rule(), "OM7");
  TestModel itself;
  itself.node("Identity", {"a"}, {"a"});
  EXPECT_EQ(itself.rule(), "OM7");
  TestModel unordered;
  unordered.input("x", DType::kF32, {1});
  unordered.node("Identity", {"a"}, {"b"});
  unordered.node("Identity", {"x"}, {"a"});
  EXPECT_EQ(unordered.rule(), "OM7");
  TestModel twice;
  twice.input("x", DType::kF32, {1});
  twice.node("Identity", {"x"}, {"x"});
  EXPECT_EQ(twice.rule(), "OM7");
  TestModel inputs;
  EXPECT_EQ(inputs.input("x", DType::kF32, {1}).input("x", DType::kF32, {1}).rule(), "OM7");
  TestModel held;
  EXPECT_EQ(held.initializer("c", kX).initializer("c", kX).rule(), "OM7");
  TestModel thrice;  // an input, its value, and another
  EXPECT_EQ(thrice.input("c", DType::kF32, {2, 3}).initializer("c", kX).initializer("c", kX).rule(), "OM7");
  TestModel nameless;
  EXPECT_EQ(nameless.initializer("", kX).rule(), "OM7");
  TestModel output;
  EXPECT_EQ(output.output("y").rule(), "OM7");
  TestModel outputs;
  EXPECT_EQ(outputs.initializer("y", kX).output("y").output("y").rule(), "OM7");
}

TEST(Model, OM8_AttributesAndNumbers) {
  const auto changed = [](auto change) {
    TestModel m = gather_model();
    change(*m.graph().mutable_node(0));
    return m.rule();
  };
  EXPECT_EQ(changed([](auto& node) { set_integer(node, "batch_dims", 0); }), "OM8");
  EXPECT_EQ(changed([](auto& node) { set_integer(node, "axis", 0); }), "OM8");  // twice
  EXPECT_EQ(changed([](auto& node) { set_integer(node, "opset", 11); }), "OM8");  // ours, not ONNX's
  EXPECT_EQ(changed([](auto& node) { node.mutable_attribute(0)->set_type(::onnx::AttributeProto::FLOAT); }), "OM8");
  EXPECT_EQ(changed([](auto& node) { node.mutable_attribute(0)->set_ref_attr_name("outer"); }), "OM8");
  EXPECT_EQ(changed([](auto& node) { node.add_input("x"); }), "OM8");
  EXPECT_EQ(changed([](auto& node) { node.mutable_input()->RemoveLast(); }), "OM8");
  EXPECT_EQ(changed([](auto& node) { node.set_input(1, ""); }), "OM8");
  EXPECT_EQ(changed([](auto& node) { node.clear_input(); }), "OM8");
  TestModel identity;
  identity.node("Identity", {}, {"y"});
  EXPECT_EQ(identity.rule(), "OM8");
  TestModel constant;
  constant.node("Constant", {}, {"y"});
  EXPECT_EQ(constant.rule(), "OM8");
}

TEST(Model, OM8_TooManyOutputs) {
  TestModel m = gather_model();
  m.graph().mutable_node(0)->add_output("more");
  EXPECT_EQ(run(value_or_throw(m.parsed()), {{"x", kX}}).status().rule, "OM8");
}

TEST(Model, OM9_Arguments) {
  const Model model = value_or_throw(gather_model().parsed());
  const Tensor integers = tensor<Index>({{1, 2, 3}}), flat = tensor<float>({1, 2, 3}),
               wide = tensor<float>({{1, 2, 3, 4}});
  EXPECT_EQ(run(model, {}).status().rule, "OM9");
  EXPECT_EQ(run(model, {{"x", integers}}).status().rule, "OM9");
  EXPECT_EQ(run(model, {{"x", flat}}).status().rule, "OM9");
  EXPECT_EQ(run(model, {{"x", wide}}).status().rule, "OM9");
  EXPECT_EQ(run(model, {{"x", kX}, {"z", kX}}).status().rule, "OM9");
  EXPECT_EQ(run(model, {{"x", View(DType::kF32, nullptr, {1, 3})}}).status().rule, "V4");
}

TEST(Model, ABadIndexNamesItsNode) {
  TestModel m = gather_model(tensor<Index>({0, 7}));
  m.graph().mutable_node(0)->set_name("rows\nof x");
  const Status status = run(value_or_throw(m.parsed()), {{"x", kX}}).status();
  EXPECT_EQ(status.rule, "OX6");
  EXPECT_EQ(status.code, Code::kIndex);
  EXPECT_EQ(status.message.find("node 'rows?of x': onnx.Gather: "), 0U) << status.message;
}

TEST(Model, LongNamesAreCut) {
  TestModel m;
  m.node("Identity", {std::string(100000, 'n')}, {"y"});
  EXPECT_LT(m.parsed().status().message.size(), 300U);
}

/// Names are looked up, not searched for.
TEST(Model, ManyNodes) {
  TestModel m;
  m.input("v0", DType::kF32, {1}).output("v20000");
  for (int i = 0; i < 20000; ++i) m.node("Identity", {fmt::format("v{}", i)}, {fmt::format("v{}", i + 1)});
  EXPECT_TRUE(same_bits(results_of(m, {{"v0", tensor<float>({3})}})[0], tensor<float>({3})));
}

}  // namespace
}  // namespace garner::model
