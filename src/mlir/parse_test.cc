// The language: spellings, names, and everything that is wrong with a text.
#include <random>

#include "mlir/test_mlir.h"

namespace garner::mlir {
namespace {

constexpr std::string_view kSmall = R"(
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32> {mhlo.sharding = "{replicated}"}, %arg1: tensor<i32>) -> (tensor<3xf32> {jax.result_info = "result"}) {
    %0 = call @double(%arg0) : (tensor<3xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func private @double(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
)";

TEST(MlirParse, ShowsSignatures) {
  const auto module = parse(kSmall);
  ASSERT_TRUE(module.ok()) << module.status().message;
  ASSERT_EQ(module->functions().size(), 2U);
  const Signature main = *module->function("main");
  EXPECT_TRUE(main.is_public);
  ASSERT_EQ(main.arguments.size(), 2U);
  EXPECT_EQ(main.arguments[0].name, "%arg0");
  EXPECT_EQ(to_string(main.arguments[0].type), "tensor<3xf32>");
  EXPECT_EQ(to_string(main.arguments[1].type), "tensor<i32>");
  EXPECT_EQ(main.results, (std::vector{TensorType{DType::kF32, {3}}}));
  EXPECT_FALSE(module->function("double")->is_public);
  EXPECT_FALSE(module->function("other").has_value());
}

TEST(MlirParse, RunsOnViewsOfAnyStride) {
  const Tensor x = tensor({{1.F, 9.F}, {2.F, 9.F}, {3.F, 9.F}}), one = scalar(1);
  const auto results = results_of(kSmall, {View(x.as<float>(), {3}, {2}), one});
  EXPECT_TRUE(same_bits(results.at(0), tensor({2.F, 4.F, 6.F})));
}

TEST(MlirParse, ReadsTheGenericFormOfEverything) {
  const auto results = results_of(R"("builtin.module"() <{sym_name = "jit_main"}> ({
  "func.func"() <{function_type = (tensor<2xi32>) -> tensor<2xi32>, res_attrs = [{jax.result_info = ""}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2xi32>):
    %0 = "stablehlo.constant"() <{value = dense<[10, 20]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %1:2 = "func.call"(%0, %arg0) <{callee = @both}> : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    %2 = "stablehlo.subtract"(%1#0, %1#1) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    "stablehlo.custom_call"(%2, %2) <{call_target_name = "check.expect_eq", has_side_effect = true}> : (tensor<2xi32>, tensor<2xi32>) -> ()
    "func.return"(%2) : (tensor<2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>), sym_name = "both"}> ({
  ^bb0(%a: tensor<2xi32>, %b: tensor<2xi32>):
    "func.return"(%b, %a) : (tensor<2xi32>, tensor<2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
)",
                                  {tensor({1, 2})});
  EXPECT_TRUE(same_bits(results.at(0), tensor({-9, -18})));
}

TEST(MlirParse, ReadsLocationsNamesAndComments) {
  const auto results = results_of(R"(#loc = loc("f"("a.py":1:2 to :3))
#dims = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
!row = tensor<2xi32>
// a comment with "quotes" and {brackets
module @m {
  func.func public @main(%arg0: !row loc("x"), %arg1: tensor<3x1xi32> loc(#loc1)) -> tensor<3xi32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #dims, slice_sizes = array<i64: 1>}> : (!row, tensor<3x1xi32>) -> tensor<3xi32> loc(#loc2)
    return %0 : tensor<3xi32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("g"(#loc))
#loc2 = loc(fused<"x">[#loc, #loc1])
)",
                                  {tensor({5, 6}), tensor({{1}, {0}, {9}})});
  EXPECT_TRUE(same_bits(results.at(0), tensor({6, 5, 6})));
}

/// Old and new spellings of one gather.
TEST(MlirParse, ReadsEverySpellingOfAttributes) {
  const std::vector<std::string> dims{
      "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>",
      "#mhlo.gather<\n  offset_dims = [1],\n  collapsed_slice_dims = [0],\n  operand_batching_dims = [],\n  "
      "start_index_map = [0],\n  index_vector_dim = 1,\n>",
      "{collapsed_slice_dims = dense<0> : tensor<1xi64>, index_vector_dim = 1 : i64, offset_dims = dense<1> : "
      "tensor<1xi64>, start_index_map = dense<[0]> : tensor<1xi64>}"};
  const std::vector<std::string> sizes{"array<i64: 1, 2>", "dense<[1, 2]> : tensor<2xi64>", "[1, 2]",
                                       "[1 : i64, 2 : i64]"};
  for (const std::string& d : dims)
    for (const std::string& s : sizes)
      for (const std::string_view brackets : {"<{{{}}}>", "{{{}}}"}) {
        const std::string entries =
            fmt::format("dimension_numbers = {}, slice_sizes = {}, indices_are_sorted = false", d, s);
        expect_runs(fmt::format(R"(
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %i = mhlo.constant dense<[[1], [-5]]> : tensor<2x1xi32>
  %0 = "mhlo.gather"(%x, %i) {} : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[3, 4], [1, 2]]> : tensor<2x2xi32>)",
                                fmt::format(fmt::runtime(brackets), entries)));
      }
}

/// Also where there is nothing else behind the name of the operation.
TEST(MlirParse, ReadsLocationsBehindEverything) {
  const auto results = results_of(R"(#loc = loc(unknown)
module @m attributes {a.b} {
  func.func public @main(%arg0: tensor<2xi32> {a.b = "c"} loc("x")) -> tensor<2xi32> {
    %0 = stablehlo.constant dense<1> : tensor<i32> loc(#loc)
    stablehlo.optimization_barrier() loc(#loc)
    %1:2 = stablehlo.while(%i = %0, %x = %arg0) : tensor<i32>, tensor<2xi32> attributes {a.b}
     cond {
      %2 = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc)
      stablehlo.return %2 : tensor<i1> loc(#loc)
    } do {
      stablehlo.return %i, %x : tensor<i32>, tensor<2xi32> loc(#loc)
    } loc(callsite("f" at #loc))
    call @nothing() : () -> () loc("g"("a.py":1:2))
    return %1#1 : tensor<2xi32> loc(#loc)
  } loc(#loc)
  func.func private @nothing() {
    return loc(#loc)
  } loc(#loc)
} loc(#loc)
)",
                                  {tensor({3, 4})});
  EXPECT_TRUE(same_bits(results.at(0), tensor({3, 4})));
}

/// Meshes and shardings say where values lie; layouts, how. The values are the same.
TEST(MlirParse, PassesOverWhereValuesLie) {
  const auto results = results_of(R"(module @m attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=1, "y"=2]>
  sdy.mesh @one = <[], device_ids=[0]> loc(unknown)
  func.func public @main(%arg0: tensor<2x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {}]>}) -> (tensor<2x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {?}]> : tensor<2x3xi32>
    %1 = stablehlo.add %0, %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<2x3xi32>
    %2 = mhlo.copy %1 {result_layout = dense<[0, 1]> : tensor<2xindex>} : tensor<2x3xi32>
    %3 = stablehlo.custom_call @annotate_device_placement(%2) {mhlo.frontend_attributes = {_xla_buffer_placement = "device"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<> : tensor<0xindex>]} : (tensor<2x3xi32>) -> tensor<2x3xi32>
    return %3 : tensor<2x3xi32>
  }
}
)",
                                  {tensor({{1, 2, 3}, {4, 5, 6}})});
  EXPECT_TRUE(same_bits(results.at(0), tensor({{2, 4, 6}, {8, 10, 12}})));
  EXPECT_TRUE(status_of(R"("builtin.module"() ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
)")
                  .ok());
}

/// IREE writes operands between round brackets, the constant with its type, and a tolerance as a number.
TEST(MlirParse, ReadsChecksBetweenBrackets) {
  expect_runs(R"(
  %x = util.unfoldable_constant dense<[01, 02]> : tensor<2xi32>
  %y = iree.unfoldable_constant dense<[1.5, 2.0]> : tensor<2xf32>
  check.expect_eq_const(%x, dense<[1, 2]> : tensor<2xi32>) : tensor<2xi32>
  check.expect_eq(%x, %x) : tensor<2xi32>
  check.expect_almost_eq_const(%y, dense<[1.25, 2.0]> : tensor<2xf32>, 0.5) : tensor<2xf32>
  check.expect_almost_eq_const(%y, dense<[1.50001, 2.0]> : tensor<2xf32>) : tensor<2xf32>)");
  expect_breaks(R"(
  %y = util.unfoldable_constant dense<[1.5, 2.0]> : tensor<2xf32>
  check.expect_almost_eq_const(%y, dense<[1.25, 2.0]> : tensor<2xf32>, 1.0e-2) : tensor<2xf32>)",
                "M9", "element [0] is 1.5, expected 1.25");
}

TEST(MlirParse, ReadsPiecesOfAFile) {
  const auto texts = pieces("// RUN: x\nfunc.func @a() {\n  return\n}\n// -----\n\nfunc.func @a() {\n  return\n}\n");
  ASSERT_EQ(texts.size(), 2U);
  for (const std::string_view text : texts) EXPECT_TRUE(parse(text).ok());
  EXPECT_TRUE(pieces("").empty());
}

TEST(MlirParse, SkipsDeclarationsAndResources) {
  EXPECT_TRUE(status_of("func.func private @other(tensor<2xf32>) -> tensor<2xf32>\nfunc @main() {\n  func.return\n}\n"
                        "{-#\n  dialect_resources: {\n  }\n#-}\n")
                  .ok());
}

// ---- what is wrong ----

TEST(MlirParse, M1_SaysWhereTheTextBreaks) {
  const Status status = status_of("module {\n  func.func @main() {\n    %0 = stablehlo.add %a %b : ?\n  }\n}\n");
  EXPECT_EQ(status.rule, "M1");
  EXPECT_NE(status.message.find("line 3, column 5"), std::string::npos) << status.message;
  EXPECT_EQ(status_of("module {").rule, "M1");
  EXPECT_EQ(status_of("func.func @main(").rule, "M1");
  EXPECT_EQ(status_of("func.func @main() {").rule, "M1");
  EXPECT_EQ(status_of("func.func @main() -> ! {\n  return\n}").rule, "M1");
  EXPECT_EQ(status_of("\"func.func\"() <{sym_name = }> ({\n}) : () -> ()").rule, "M1");
  EXPECT_EQ(status_of("func.func @main() {}").rule, "M1");  // no return
  EXPECT_EQ(status_of(in_main("  return\n")).rule, "M1");  // two
  expect_breaks("  %0 = stablehlo.constant dense<1>", "M1", "stablehlo.constant");
  expect_breaks("  %0:2 = stablehlo.constant dense<1> : tensor<i32>", "M1", "has 2 results and the types of 1");
  expect_breaks("  stablehlo.constant dense<1> : () -> tensor<i32>", "M1", "has 0 results and the types of 1");
  expect_breaks("  %0:99999999999999999999 = stablehlo.constant dense<1> : tensor<i32>", "M1", "a number of values");
}

TEST(MlirParse, M2_NamesTheOperationAndItsPlace) {
  expect_breaks("  %0 = stablehlo.fft %x : tensor<2xf32>", "M2", "line 2, column 8: stablehlo.fft is not offered");
  // Nothing here fits the grammar of short forms.
  expect_breaks("  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f] : x", "M2",
                "stablehlo.convolution is not offered");
  expect_breaks("  \"my.thing\"() : () -> ()", "M2", "my.thing is not offered");
  expect_breaks("  %0 = arith.addi %x, %y : tensor<2xi32>", "M2", "arith.addi");
  expect_breaks("  stablehlo.custom_call @lapack_svd() : () -> ()", "M2", "@lapack_svd is not offered");
  // The name stands in front of what cannot be read.
  expect_breaks("  cf.br ^bb1(%x : tensor<i32>)", "M2", "cf.br is not offered");
  expect_breaks("  %0 = chlo.broadcast_reshape %x : tensor<2xf32>", "M2", "chlo.broadcast_reshape is not offered");
  EXPECT_EQ(status_of("sdy.group @g = <[]>\nfunc.func @main() {\n return\n}").rule, "M2");
}

TEST(MlirParse, M3_RefusesTypes) {
  EXPECT_EQ(status_of("func.func @main(%x: tensor<?x3xf32>) {\n return\n}").rule, "M3");
  EXPECT_EQ(status_of("func.func @main(%x: tensor<*xf32>) {\n return\n}").rule, "M3");
  EXPECT_EQ(status_of("func.func @main(%x: tensor<2xi4>) {\n return\n}").rule, "M3");
  EXPECT_EQ(status_of("func.func @main(%x: !stablehlo.token) {\n return\n}").rule, "M3");
  EXPECT_EQ(status_of("func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 1.0:3>>) {\n return\n}").rule, "M3");
  EXPECT_EQ(status_of("func.func @main(%x: tensor<99999999999999999999xf32>) {\n return\n}").rule, "M3");
  EXPECT_EQ(status_of("func.func @main(%x: tensor<4294967296x4294967296xf32>) {\n return\n}").rule, "M3");
}

TEST(MlirParse, M4_NamesMustBeDefined) {
  expect_breaks("  %0 = stablehlo.abs %x : tensor<f32>", "M4", "line 2, column 22: %x is not defined");
  expect_breaks("  %0 = stablehlo.abs %0 : tensor<f32>", "M4", "%0 is not defined");
  expect_breaks("  %0 = stablehlo.constant dense<1> : tensor<i32>\n  %1 = stablehlo.abs %0#1 : tensor<i32>", "M4",
                "%0#1");
  expect_breaks("  call @nothing() : () -> ()", "M4", "@nothing is not defined");
  expect_breaks(
      "  %0 = \"stablehlo.gather\"(%0, %0) {dimension_numbers = #d} : (tensor<f32>, tensor<f32>) -> tensor<f32>", "M4",
      "%0");
  EXPECT_EQ(status_of("func.func @main() {\n return\n}\nfunc.func @main() {\n return\n}").rule, "M4");
  EXPECT_EQ(run(*parse("func.func @f() {\n return\n}"), {}).status().rule, "M4");
}

TEST(MlirParse, M8_ArgumentsMustFit) {
  const Tensor x = tensor({1.F, 2.F, 3.F}), one = scalar(1);
  EXPECT_EQ(status_of(kSmall, {x}).rule, "M8");
  EXPECT_EQ(status_of(kSmall, {x, x}).rule, "M8");
  EXPECT_EQ(status_of(kSmall, {tensor({1.F}), one}).rule, "M8");
  EXPECT_EQ(status_of(kSmall, {View(DType::kF32, nullptr, {3}), one}).rule, "V4");
  EXPECT_TRUE(status_of(kSmall, {x, one}).ok());
}

/// Any beginning of a module is an error or another module, never a crash.
TEST(MlirParse, SurvivesTruncation) {
  for (std::size_t n = 0; n < kSmall.size(); ++n) {
    const auto module = parse(kSmall.substr(0, n));
    EXPECT_EQ(module.status().message.find('\n'), std::string::npos) << module.status().message;
  }
}

/// Characters changed, left out and put in at random places.
TEST(MlirParse, SurvivesDamage) {
  constexpr std::string_view kMarks = "{}()[]<>%#@\"':,=-0x1.*?^ \n\t/";
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937 random(seed);
    std::string text(kSmall);
    for (unsigned edits = random() % 4 + 1; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const char mark = kMarks[random() % kMarks.size()];
      if (random() % 3 == 0) text.erase(at, random() % 8 + 1);
      else if (random() % 2 == 0) text.insert(at, 1, mark);
      else text[at] = mark;
    }
    const auto module = parse(text);
    EXPECT_EQ(module.status().message.find('\n'), std::string::npos) << module.status().message;
  }
}

TEST(MlirParse, SurvivesDeepNesting) {
  for (const std::string_view bracket : {"[", "(", "{", "<", "#a<", "dense<[", "tensor<", "({", "loc("}) {
    std::string deep;
    for (int i = 0; i < 20000; ++i) deep += bracket;
    EXPECT_FALSE(parse(fmt::format("func.func @main() {{\n  %0 = stablehlo.add {}", deep)).ok());
    EXPECT_FALSE(parse(fmt::format("func.func @main() {{\n  %0 = \"a.b\"() {{x = {}", deep)).ok());
    EXPECT_FALSE(parse(deep).ok());
  }
  std::string modules;
  for (int i = 0; i < 20000; ++i) modules += "module {";
  EXPECT_FALSE(parse(modules).ok());
}

TEST(MlirParse, RefusesRecursion) {
  const Status status = status_of("func.func @main() {\n  call @main() : () -> ()\n  return\n}");
  EXPECT_EQ(status.rule, "M6");
  EXPECT_EQ(
      status_of(
          "#a = #a\nfunc.func @main() {\n  %0 = \"stablehlo.constant\"() {value = #a} : () -> tensor<f32>\n  return\n}")
          .rule,
      "M1");
}

}  // namespace
}  // namespace garner::mlir
