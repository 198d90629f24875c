// The texts, the refusals and their examples. That translations are right: conformance/translate_test.cc (every case)
// and conformance/translations (in the libraries themselves).
#include "garner/translate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "garner/error.h"
#include "translate/garner.h"

namespace garner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Call call_of(const std::string& text) { return value_or_throw(parse_call(text)); }
Translation to(const std::string& target, const std::string& text) {
  return value_or_throw(translate(call_of(text), target));
}
std::string source(const std::string& target, const std::string& text) {
  const Translation t = to(target, text);
  EXPECT_FALSE(t.refusal) << t.refusal->reason;
  return t.source;
}
Refusal refusal(const std::string& target, const std::string& text) {
  const Translation t = to(target, text);
  EXPECT_TRUE(t.refusal) << t.source;
  EXPECT_TRUE(t.source.empty());
  return t.refusal.value_or(Refusal{});
}

constexpr const char* kGather = "torch.gather(f32[[1, 2], [3, 4]], 1, i64[[0], [1]])";

TEST(Translate, Targets) {
  EXPECT_THAT(translation_targets(),
              ElementsAre("garner", "jax", "lucid", "numpy", "onnx", "stablehlo", "tensorflow", "tensorrt", "torch"));
}

TEST(Translate, T1_NoSuchTarget) {
  for (const char* target : {"", "Torch", "cutile", "all"})
    EXPECT_EQ(translate(call_of(kGather), target).status().rule, "T1") << target;
}

TEST(Translate, ABadCallIsAnErrorAndNoRefusal) {
  EXPECT_EQ(translate(call_of("torch.nothing(f32[1])"), "numpy").status().rule, "A1");
  EXPECT_EQ(translate(call_of("torch.nothing(f32[1])"), "garner").status().rule, "A1");
  EXPECT_EQ(translate(call_of("torch.gather(f32[1])"), "numpy").status().rule, "A2");
  EXPECT_EQ(translate(call_of("torch.gather(f32[1], 7, i64[0])"), "jax").status().rule[0], 'T');
  EXPECT_FALSE(translate(call_of("torch.gather(f32[1], 7, i64[0])"), "jax").ok());
}

TEST(Translate, NumpyText) {
  EXPECT_EQ(source("numpy", kGather), R"(import numpy as np


def call(input, index):
    """torch.gather(input, 1, index): input f32[2,2], index i64[2,1]."""
    if not np.all(~(index < 0) & (index < 2)):
        raise IndexError('torch.gather: index is out of range, allowed [0, 2)')
    t0 = np.take_along_axis(input, index, axis=1)
    return t0
)");
}

TEST(Translate, AnIndexIsReadAsTheCallReadsIt) {
  EXPECT_THAT(source("numpy", "jax.take(f32[1, 2, 3], i32[0], axis=0, mode=clip)"), HasSubstr("np.clip("));
  EXPECT_THAT(source("torch", "numpy.take(f32[1, 2, 3], i64[5], mode=wrap)"), HasSubstr("torch.remainder("));
  EXPECT_THAT(source("tensorflow", "onnx.Gather(f32[1, 2, 3], i64[-1])"), HasSubstr("tf.where("));
  EXPECT_THAT(source("numpy", "tensorrt.gather(f32[1, 2, 3], i32[7])"), HasSubstr("np.where("));
}

TEST(Translate, TheLastUpdateStays) {
  const std::string call = "onnx.ScatterElements(f32[0, 0], i64[0, 0], f32[1, 2])";
  EXPECT_THAT(source("numpy", call), Not(HasSubstr("maximum")));  // says so itself
  EXPECT_THAT(source("jax", call), HasSubstr(".max("));
  EXPECT_THAT(source("torch", call), HasSubstr("'amax'"));
  EXPECT_THAT(source("onnx", call), HasSubstr("reduction='max'"));
  EXPECT_THAT(source("stablehlo", call), HasSubstr("stablehlo.maximum"));
}

TEST(Translate, FloatSumsSaySoWhereTheOrderIsOpen) {
  const std::string floats = "torch.scatter_add(f32[0, 0], 0, i64[0, 0], f32[1, 2])",
                    integers = "torch.scatter_add(i32[0, 0], 0, i64[0, 0], i32[1, 2])";
  EXPECT_EQ(to("jax", floats).notes.size(), 1U);
  EXPECT_THAT(to("jax", floats).source, HasSubstr("Note: "));
  EXPECT_TRUE(to("numpy", floats).notes.empty());
  EXPECT_TRUE(to("jax", integers).notes.empty());
}

TEST(Translate, InputsAreTheTensorsOfTheCall) {
  const Translation t = to("torch", "cutile.gather(f32[1, 2], [i32[0, 1]], mask=bool[true, false], padding_value=7)");
  ASSERT_EQ(t.inputs.size(), 3U);
  EXPECT_EQ(t.inputs[1].name, "indices_0");
  EXPECT_EQ(t.inputs[2].name, "mask");
  EXPECT_EQ(t.inputs[2].dtype, DType::kBool);
  EXPECT_EQ(t.language, "python");
}

// ---- refusals ----

TEST(Translate, T2_NotAPlan) {
  EXPECT_EQ(refusal("numpy", "torch.nonzero(f32[0, 1])").rule, "T2");
  EXPECT_EQ(refusal("onnx", "onnx.TopK(f32[0, 1], i64[1])").rule, "T2");
}

TEST(Translate, T3_TheShapeDependsOnTheMask) {
  const Refusal r = refusal("jax", "torch.masked_select(f32[1, 2, 3], bool[true, false, false])");
  EXPECT_EQ(r.rule, "T3");
  EXPECT_THAT(r.reason, HasSubstr("mask"));
  EXPECT_THAT(r.input, HasSubstr("mask = "));
}

TEST(Translate, T4_DTypesTheTargetHasNot) {
  EXPECT_EQ(refusal("numpy", "torch.gather(bf16[1, 2], 0, i64[0])").rule, "T4");
  EXPECT_EQ(refusal("onnx", "torch.gather(f8e5m2[1, 2], 0, i64[0])").rule, "T4");
  EXPECT_FALSE(to("torch", "jax.take(u32[1, 2], i32[0], axis=0)").refusal);
}

TEST(Translate, T5_U64Modulo) {
  const std::string call = "numpy.take(f32[1, 2, 3], u64[1], mode=wrap)";
  EXPECT_EQ(refusal("torch", call).rule, "T5");
  EXPECT_THAT(refusal("torch", call).input, HasSubstr("2^63"));
}

TEST(Translate, T6_CombinesTheTargetHasNot) {
  EXPECT_EQ(refusal("torch", "numpy.bitwise_xor_at(i32[0, 0], [i64[0]], i32[1])").rule, "T6");
  EXPECT_FALSE(to("stablehlo", "numpy.bitwise_xor_at(i32[0, 0], [i64[0]], i32[1])").refusal);
  EXPECT_EQ(refusal("numpy", "cutile.atomic_add(i32[0, 0], [i32[0]], i32[1])").rule, "T6");
}

TEST(Translate, T7_NanInAMaximum) {
  const std::string call = "jax.at_max(f32[0, 0], i32[0], f32[1])";
  EXPECT_EQ(refusal("onnx", call).rule, "T7");
  EXPECT_THAT(refusal("tensorflow", call).input, HasSubstr("nan"));
  EXPECT_FALSE(to("torch", call).refusal);
}

TEST(Translate, T8_LucidRefusesNegativeIndices) {
  EXPECT_THAT(source("lucid", "torch.gather(f32[[1, 2], [3, 4]], 1, i32[[0], [1]])"),
              HasSubstr("lucid.gather(input, dim=1, index=index)"));
  const Refusal r = refusal("lucid", "onnx.GatherElements(f32[[1, 2], [3, 4]], i32[[0], [1]])");
  EXPECT_EQ(r.rule, "T8");
  EXPECT_THAT(r.input, HasSubstr("index of -1"));
  EXPECT_EQ(refusal("lucid", "numpy.take(f32[[1, 2], [3, 4]], i64[0], axis=1)").rule, "T8");
}

TEST(Translate, T8_TensorrtFillsWhatIsOutside) {
  EXPECT_THAT(source("tensorrt", "torch.index_select(f32[[1, 2], [3, 4]], 1, i64[1])"),
              HasSubstr("GatherMode::kDEFAULT"));
  EXPECT_THAT(source("tensorrt", "tensorflow.gather_nd(f32[[1, 2], [3, 4]], i64[[1]])"), HasSubstr("GatherMode::kND"));
  EXPECT_THAT(refusal("tensorrt", "jax.take(f32[1, 2, 3], i32[0], axis=0, mode=clip)").input, HasSubstr("an index of"));
}

// ---- Garner and the graphs ----

TEST(Translate, TheCallsTextReadsBack) {
  const Call call = call_of("cutile.gather(f32[1, 2], [i32[0, 1]], padding_value=-0.5, check_bounds=true)");
  const std::string text = value_or_throw(translate_detail::call_text(call));
  EXPECT_EQ(text, "cutile.gather(array, [indices_0], padding_value=-0.5, check_bounds=true)");
  const Environment names{{"array", {tensor({1.F, 2.F})}}, {"indices_0", {tensor({0, 1})}}};
  const Call again = value_or_throw(parse_call(text, names));
  EXPECT_TRUE(same_bits(value_or_throw(evaluate(again))[0], value_or_throw(evaluate(call))[0]));
}

TEST(Translate, GarnerSaysEveryCall) {
  EXPECT_THAT(source("garner", "torch.nonzero(f32[0, 1])"), HasSubstr("torch.nonzero(input)"));
}

TEST(Translate, OnnxGraphWritesEveryNameOnceAndBeforeItIsRead) {
  const OnnxGraph graph = value_or_throw(to_onnx(call_of("jax.at_add(i32[[1, 2], [3, 4]], i32[1, 1], 5)")));
  std::set<std::string> known{""};
  for (const OnnxValue& v : graph.inputs) EXPECT_TRUE(known.insert(v.name).second);
  for (const OnnxInitializer& v : graph.initializers) EXPECT_TRUE(known.insert(v.name).second);
  for (const OnnxNode& node : graph.nodes) {
    for (const std::string& name : node.inputs) EXPECT_TRUE(known.contains(name)) << name;
    for (const std::string& name : node.outputs) EXPECT_TRUE(known.insert(name).second) << name;
  }
  ASSERT_EQ(graph.outputs.size(), 1U);
  EXPECT_TRUE(known.contains(graph.outputs[0].name));
  EXPECT_EQ(graph.outputs[0].shape, (Axes{2, 2}));
}

TEST(Translate, StablehloModule) {
  const std::string text = value_or_throw(to_stablehlo(call_of("jax.take(f32[1, 2, 3], i32[0], axis=0, mode=clip)")));
  EXPECT_THAT(text, HasSubstr("func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<1xi32>) -> (tensor<1xf32>)"));
  EXPECT_THAT(text, HasSubstr("\"stablehlo.gather\""));
  EXPECT_EQ(to_stablehlo(call_of("torch.nonzero(f32[0, 1])")).status().rule, "T2");
}

// ---- odd shapes ----

TEST(Translate, EmptyAndRankZero) {
  for (const char* target : {"numpy", "torch", "jax", "tensorflow", "onnx", "stablehlo"})
    for (const char* call :
         {"numpy.take(f32[1, 2], i64{0})", "numpy.take(f32[1, 2], i64(1))", "numpy.take(f32{0, 3}, i64{0, 2}, axis=0)",
          "torch.gather(f32(1), 0, i64(0))", "jax.at_add(f32{0}, i32{0}, 1)", "tensorrt.gather(f32{0, 2}, i32[0])"}) {
      const auto t = translate(call_of(call), target);
      ASSERT_TRUE(t.ok()) << call << " " << t.status().message;
      EXPECT_FALSE(t->refusal) << call << " " << t->refusal->reason;
    }
}

}  // namespace
}  // namespace garner
