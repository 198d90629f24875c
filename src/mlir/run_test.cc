// What operations compute, in modules that check themselves; and what they refuse.
#include "mlir/test_mlir.h"

#include <random>

#include "tensor/walk.h"

namespace garner::mlir {
namespace {

// ---- views and arrays ----

TEST(MlirRun, SlicesTransposesReversesAndReshapes) {
  expect_runs(R"(
  %x = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %0 = stablehlo.slice %x [1:3, 0:4:3] : (tensor<3x4xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[4, 7], [8, 11]]> : tensor<2x2xi32>
  %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x4xi32>) -> tensor<4x3xi32>
  %2 = stablehlo.reshape %1 : (tensor<4x3xi32>) -> tensor<2x6xi32>
  check.expect_eq_const %2, dense<[[0, 4, 8, 1, 5, 9], [2, 6, 10, 3, 7, 11]]> : tensor<2x6xi32>
  %3 = stablehlo.reverse %0, dims = [0, 1] : tensor<2x2xi32>
  check.expect_eq_const %3, dense<[[11, 8], [7, 4]]> : tensor<2x2xi32>
  %4 = stablehlo.slice %x [2:2, 1:4] : (tensor<3x4xi32>) -> tensor<0x3xi32>
  %5 = stablehlo.reverse %4, dims = [0] : tensor<0x3xi32>
  check.expect_eq_const %5, dense<> : tensor<0x3xi32>
  %6 = "stablehlo.slice"(%x) {limit_indices = dense<[1, 4]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} : (tensor<3x4xi32>) -> tensor<1x2xi32>
  check.expect_eq_const %6, dense<[[0, 2]]> : tensor<1x2xi32>
  %7 = stablehlo.constant dense<5> : tensor<i32>
  %8 = stablehlo.slice %7 [] : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %8, dense<5> : tensor<i32>)");
}

TEST(MlirRun, BroadcastsJoinsCountsAndPads) {
  expect_runs(R"(
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %0, dense<[[1, 2], [1, 2], [1, 2]]> : tensor<3x2xi32>
  %1 = stablehlo.iota dim = 0 : tensor<3x1xi32>
  %2 = stablehlo.concatenate %0, %1, %0, dim = 1 : (tensor<3x2xi32>, tensor<3x1xi32>, tensor<3x2xi32>) -> tensor<3x5xi32>
  check.expect_eq_const %2, dense<[[1, 2, 0, 1, 2], [1, 2, 1, 1, 2], [1, 2, 2, 1, 2]]> : tensor<3x5xi32>
  %z = stablehlo.constant dense<9> : tensor<i32>
  %3 = stablehlo.pad %x, %z, low = [1], high = [2], interior = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<6xi32>
  check.expect_eq_const %3, dense<[9, 1, 9, 2, 9, 9]> : tensor<6xi32>
  %4 = stablehlo.pad %x, %z, low = [-1], high = [0], interior = [2] : (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %4, dense<[9, 9, 2]> : tensor<3xi32>
  %5 = stablehlo.pad %x, %z, low = [-9], high = [10], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %5, dense<9> : tensor<3xi32>
  %6 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x3xf32>
  check.expect_eq_const %6, dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf32>)");
}

TEST(MlirRun, PutsNewAxesInFront) {
  expect_runs(R"(
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.broadcast %x, sizes = [2, 1] : (tensor<2xi32>) -> tensor<2x1x2xi32>
  check.expect_eq_const %0, dense<[[[1, 2]], [[1, 2]]]> : tensor<2x1x2xi32>
  %1 = "mhlo.broadcast"(%x) {broadcast_sizes = dense<0> : tensor<1xi64>} : (tensor<2xi32>) -> tensor<0x2xi32>
  check.expect_eq_const %1, dense<> : tensor<0x2xi32>)");
  expect_breaks(R"(
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.broadcast %x, sizes = [-2] : (tensor<2xi32>) -> tensor<2x2xi32>)",
                "M6", "it gives [-2,2]");
}

/// What others take as attributes, as operands.
TEST(MlirRun, TakesShapesAndRangesFromValues) {
  constexpr std::string_view kOperands = R"(
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %l = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %t = stablehlo.constant dense<[1, 2]> : tensor<2xi32>)";
  expect_runs(fmt::format("{}{}", kOperands, R"(
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %0, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %1 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %1, dense<[[0, 0], [1, 1], [2, 2]]> : tensor<3x2xi32>
  %2 = stablehlo.dynamic_broadcast_in_dim %t, %s, dims = [1] : (tensor<2xi32>, tensor<2xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %2, dense<[[1, 2], [1, 2], [1, 2]]> : tensor<3x2xi32>
  %3 = stablehlo.constant dense<[2, 3]> : tensor<2xindex>
  %4 = stablehlo.convert %3 : (tensor<2xindex>) -> tensor<2xi32>
  %5 = stablehlo.real_dynamic_slice %x, %l, %4, %t : (tensor<2x3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x1xi32>
  check.expect_eq_const %5, dense<[[2], [5]]> : tensor<2x1xi32>
  %6 = stablehlo.constant dense<9> : tensor<i32>
  %7 = stablehlo.dynamic_pad %5, %6, %l, %l, %l : (tensor<2x1xi32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %7, dense<[[9, 2, 9], [9, 5, 9]]> : tensor<2x3xi32>)"));
  const auto breaks = [&](std::string_view last, std::string_view rule, std::string_view words) {
    expect_breaks(fmt::format("{}\n  %0 = stablehlo.{}", kOperands, last), rule, words);
  };
  breaks("dynamic_reshape %x, %s : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<6xi32>", "M7", "the shape is [3,2]");
  breaks("dynamic_reshape %x, %x : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<6xi32>", "M6", "of rank 2");
  breaks("dynamic_iota %s, %s, dim = 0 : (tensor<2xi64>, tensor<2xi64>) -> tensor<3x2xi32>", "M6", "2 operands");
  breaks("dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<?x2xi32>", "M3", "an extent is ?");
}

/// pad against its definition: result[low + i * (interior + 1)] = x[i] where that is inside.
TEST(MlirRun, RandomPaddings) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937 random(seed);
    const auto number = [&](int lo, int hi) { return std::uniform_int_distribution<Index>(lo, hi)(random); };
    const Index n = number(0, 5), low = number(-6, 4), high = number(-6, 4), interior = number(0, 3);
    const Index extent = low + n + std::max<Index>(n - 1, 0) * interior + high;
    if (extent < 0) continue;
    Tensor x = *Tensor::empty(DType::kI32, {n}), wanted = *Tensor::zeros(DType::kI32, {extent});
    for (Index i = 0; i < n; ++i) {
      x.as<int>()[i] = static_cast<int>(i) + 1;
      const Index at = low + i * (interior + 1);
      if (at >= 0 && at < extent) wanted.as<int>()[at] = static_cast<int>(i) + 1;
    }
    const auto results = results_of(
        fmt::format("func.func @main(%x: tensor<{0}xi32>) -> tensor<{1}xi32> {{\n"
                    "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
                    "  %0 = stablehlo.pad %x, %z, low = [{2}], high = [{3}], interior = [{4}] : (tensor<{0}xi32>, "
                    "tensor<i32>) -> tensor<{1}xi32>\n  return %0 : tensor<{1}xi32>\n}}",
                    n, extent, low, high, interior),
        {x});
    ASSERT_FALSE(results.empty());
    EXPECT_TRUE(same_bits(results[0], wanted)) << to_string(results[0]) << " wanted " << to_string(wanted);
  }
}

/// The lowest bits come first.
TEST(MlirRun, BitsOfOtherWidths) {
  expect_runs(R"(
  %x = stablehlo.constant dense<[0x0000000100020003, -1]> : tensor<2xi64>
  %0 = stablehlo.bitcast_convert %x : (tensor<2xi64>) -> tensor<2x4xui16>
  check.expect_eq_const %0, dense<[[3, 2, 1, 0], [65535, 65535, 65535, 65535]]> : tensor<2x4xui16>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<2x4xui16>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2x4xui16>) -> tensor<2xui64>
  check.expect_eq_const %2, dense<[0x0003000200010000, 0xFFFFFFFFFFFFFFFF]> : tensor<2xui64>
  %3 = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %4 = stablehlo.bitcast_convert %3 : (tensor<complex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %4, dense<[1.0, 2.0]> : tensor<2xf32>
  %5 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %6 = stablehlo.bitcast_convert %5 : (tensor<2xi1>) -> tensor<2xi1>
  check.expect_eq %5, %6 : tensor<2xi1>)");
  for (const std::string_view type : {"3xf16", "2xf16", "2x2xf32", "3x2xf16", "2xi1", "1xf64"})
    expect_breaks(fmt::format("  %x = stablehlo.constant dense<0.0> : tensor<2xf32>\n"
                              "  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<{}>",
                              type),
                  "M6", "bitcast_convert");
}

// ---- element by element ----

TEST(MlirRun, IntegersWrapAndDivideAsInXla) {
  expect_runs(R"(
  %a = stablehlo.constant dense<[7, -7, -128, 127, 5]> : tensor<5xi8>
  %b = stablehlo.constant dense<[0, 2, -1, 1, -3]> : tensor<5xi8>
  %0 = stablehlo.divide %a, %b : tensor<5xi8>
  check.expect_eq_const %0, dense<[-1, -3, -128, 127, -1]> : tensor<5xi8>
  %1 = stablehlo.remainder %a, %b : tensor<5xi8>
  check.expect_eq_const %1, dense<[7, -1, 0, 0, 2]> : tensor<5xi8>
  %2 = stablehlo.add %a, %a : tensor<5xi8>
  check.expect_eq_const %2, dense<[14, -14, 0, -2, 10]> : tensor<5xi8>
  %3 = stablehlo.negate %a : tensor<5xi8>
  check.expect_eq_const %3, dense<[-7, 7, -128, -127, -5]> : tensor<5xi8>
  %s = stablehlo.constant dense<[1, 7, 8, -1, 100]> : tensor<5xi8>
  %4 = stablehlo.shift_left %a, %s : tensor<5xi8>
  check.expect_eq_const %4, dense<[14, -128, 0, 0, 0]> : tensor<5xi8>
  %5 = stablehlo.shift_right_arithmetic %a, %s : tensor<5xi8>
  check.expect_eq_const %5, dense<[3, -1, -1, 0, 0]> : tensor<5xi8>
  %6 = stablehlo.shift_right_logical %a, %s : tensor<5xi8>
  check.expect_eq_const %6, dense<[3, 1, 0, 0, 0]> : tensor<5xi8>
  %u = stablehlo.constant dense<65535> : tensor<2xui16>
  %7 = stablehlo.multiply %u, %u : tensor<2xui16>
  check.expect_eq_const %7, dense<1> : tensor<2xui16>
  %8 = stablehlo.power %a, %b : tensor<5xi8>
  check.expect_eq_const %8, dense<[1, 49, 0, 127, 0]> : tensor<5xi8>
  %9 = stablehlo.abs %a : tensor<5xi8>
  check.expect_eq_const %9, dense<[7, 7, -128, 127, 5]> : tensor<5xi8>)");
}

TEST(MlirRun, FloatsKnowNanAndZeros) {
  expect_runs(R"(
  %a = stablehlo.constant dense<[1.0, nan, -0.0, 0.0, -inf]> : tensor<5xf32>
  %b = stablehlo.constant dense<[2.0, 1.0, 0.0, -0.0, nan]> : tensor<5xf32>
  %0 = stablehlo.maximum %a, %b : tensor<5xf32>
  check.expect_eq_const %0, dense<[2.0, nan, 0.0, 0.0, nan]> : tensor<5xf32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<5xf32>) -> tensor<5xi32>
  %2 = stablehlo.slice %1 [2:4] : (tensor<5xi32>) -> tensor<2xi32>
  check.expect_eq_const %2, dense<0> : tensor<2xi32>
  %3 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %3, dense<[true, false, true, false, true]> : tensor<5xi1>
  %4 = stablehlo.compare LE, %a, %b : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %4, dense<[true, false, true, true, false]> : tensor<5xi1>
  %5 = "stablehlo.compare"(%a, %a) {comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %5, dense<[false, true, false, false, false]> : tensor<5xi1>
  %lo = stablehlo.constant dense<-1.0> : tensor<f32>
  %hi = stablehlo.constant dense<0.5> : tensor<f32>
  %6 = stablehlo.clamp %lo, %a, %hi : (tensor<f32>, tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  check.expect_eq_const %6, dense<[0.5, nan, 0.0, 0.0, -1.0]> : tensor<5xf32>
  %7 = stablehlo.remainder %a, %b : tensor<5xf32>
  check.expect_eq_const %7, dense<[1.0, nan, nan, nan, nan]> : tensor<5xf32>)");
}

TEST(MlirRun, ConvertsAsInXla) {
  expect_runs(R"(
  %a = stablehlo.constant dense<[1.9, -1.9, nan, inf, -inf, 300.0]> : tensor<6xf32>
  %0 = stablehlo.convert %a : (tensor<6xf32>) -> tensor<6xi8>
  check.expect_eq_const %0, dense<[1, -1, 0, 127, -128, 127]> : tensor<6xi8>
  %1 = stablehlo.convert %a : (tensor<6xf32>) -> tensor<6xui64>
  check.expect_eq_const %1, dense<[1, 0, 0, 18446744073709551615, 0, 300]> : tensor<6xui64>
  %2 = stablehlo.convert %a : (tensor<6xf32>) -> tensor<6xi1>
  check.expect_eq_const %2, dense<true> : tensor<6xi1>
  %3 = stablehlo.convert %0 : (tensor<6xi8>) -> tensor<6xcomplex<f32>>
  %4 = stablehlo.real %3 : (tensor<6xcomplex<f32>>) -> tensor<6xf32>
  check.expect_eq_const %4, dense<[1.0, -1.0, 0.0, 127.0, -128.0, 127.0]> : tensor<6xf32>
  %5 = stablehlo.convert %0 : (tensor<6xi8>) -> tensor<6xui32>
  check.expect_eq_const %5, dense<[1, 4294967295, 0, 127, 4294967168, 127]> : tensor<6xui32>)");
}

TEST(MlirRun, StretchesOperandsAsChloDoes) {
  expect_runs(R"(
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %r = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %c = stablehlo.constant dense<[[100], [200]]> : tensor<2x1xi32>
  %s = stablehlo.constant dense<3> : tensor<i32>
  %0 = chlo.broadcast_add %x, %r : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[11, 22, 33], [14, 25, 36]]> : tensor<2x3xi32>
  %1 = chlo.broadcast_subtract %c, %r {broadcast_dimensions = array<i64: 1>} : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %1, dense<[[90, 80, 70], [190, 180, 170]]> : tensor<2x3xi32>
  %2 = chlo.broadcast_compare %x, %s {comparison_direction = #chlo<comparison_direction GT>} : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi1>
  %3 = "chlo.broadcast_select"(%2, %c, %r) : (tensor<2x3xi1>, tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %3, dense<[[10, 20, 30], [200, 200, 200]]> : tensor<2x3xi32>)");
  constexpr std::string_view kTwo =
      "  %x = stablehlo.constant dense<1> : tensor<2x3xi32>\n  %y = stablehlo.constant dense<1> : tensor<2xi32>\n";
  expect_breaks(
      fmt::format("{}  %0 = chlo.broadcast_add %x, %y : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>", kTwo),
      "M6", "operand 1 has shape [2]");
  expect_breaks(fmt::format("{}  %0 = chlo.broadcast_add %x, %y {{broadcast_dimensions = array<i64: 0>}} : "
                            "(tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>",
                            kTwo),
                "M6", "broadcast_dimensions are [0]");
}

/// Complex numbers by the real parts first.
TEST(MlirRun, ClampsComplexNumbers) {
  expect_runs(R"(
  %x = stablehlo.constant dense<[(0.0, 5.0), (1.0, 9.0), (2.0, 0.0), (3.0, 1.0)]> : tensor<4xcomplex<f32>>
  %l = stablehlo.constant dense<(1.0, 1.0)> : tensor<complex<f32>>
  %h = stablehlo.constant dense<(3.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.clamp %l, %x, %h : (tensor<complex<f32>>, tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.0, 1.0), (1.0, 9.0), (2.0, 0.0), (3.0, 0.0)]> : tensor<4xcomplex<f32>>)");
}

/// The same elements on one thread and on many, in any layout.
TEST(MlirRun, LargeArraysGiveTheSameOnThreads) {
  const auto module = parse(R"(func.func @main() -> tensor<700x900xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<700x900xf32>
  %1 = stablehlo.iota dim = 1 : tensor<900x700xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<900x700xf32>) -> tensor<700x900xf32>
  %3 = stablehlo.multiply %0, %2 : tensor<700x900xf32>
  %4 = stablehlo.reverse %3, dims = [1] : tensor<700x900xf32>
  %5 = stablehlo.add %4, %0 : tensor<700x900xf32>
  return %5 : tensor<700x900xf32>
})");
  ASSERT_TRUE(module.ok()) << module.status().message;
  const auto one = run(*module, {}, "main", {.threads = 1}), many = run(*module, {}, "main", {.threads = 7});
  ASSERT_TRUE(one.ok() && many.ok());
  EXPECT_TRUE(same_bits((*one)[0], (*many)[0]));
  EXPECT_EQ((*one)[0].as<float>()[3 * 900 + 5], 3.F * 3 + 3);  // x[3][899 - 5] * 3, where iota of 900x700 runs to 699
}

// ---- bodies ----

TEST(MlirRun, ReducesInBothForms) {
  expect_runs(R"(
  %x = stablehlo.constant dense<[[1, 5, 2], [4, 3, 6]]> : tensor<2x3xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[5, 8, 8]> : tensor<3xi32>
  %1 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %1, dense<6> : tensor<i32>
  %2 = "stablehlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.subtract %b, %a : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %2, dense<[-2, 7]> : tensor<2xi32>
  %3 = stablehlo.reduce(%x init: %z) across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
   reducer(%a: tensor<i32>, %b: tensor<i32>)  {
    %s = stablehlo.multiply %a, %z : tensor<i32>
    %t = stablehlo.add %s, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }
  check.expect_eq_const %3, dense<[2, 6]> : tensor<2xi32>
  %4 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq %4, %x : tensor<2x3xi32>)");
}

/// A million tenths, where one after the other would be wrong by 958.
TEST(MlirRun, SumsManyFloatsWell) {
  expect_runs(R"(
  %x = stablehlo.constant dense<0.1> : tensor<1000x1000xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<1000x1000xf32>, tensor<f32>) -> tensor<f32>
  check.expect_almost_eq_const %0, dense<100000.0> : tensor<f32> {tolerance = 5.0 : f64})");
}

TEST(MlirRun, ReducesSeveralOperands) {
  expect_runs(R"(
  %x = stablehlo.constant dense<[[1.0, 5.0, 5.0], [4.0, 3.0, nan]]> : tensor<2x3xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.reduce(%x init: %z), (%i init: %c) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%ia: tensor<i32>, %ib: tensor<i32>)  {
    %2 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %ia, %ib, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %a, %b : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %ia, %ib : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  check.expect_eq_const %1#1, dense<[1, 2]> : tensor<2xi32>)");
}

TEST(MlirRun, SortsByAnyComparator) {
  expect_runs(R"(
  %k = stablehlo.constant dense<[[3, 1, 3, 2], [0, 0, 1, 0]]> : tensor<2x4xi32>
  %v = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %0:2 = "stablehlo.sort"(%k, %v) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<2x4xi32>, tensor<2x4xi32>) -> (tensor<2x4xi32>, tensor<2x4xi32>)
  check.expect_eq_const %0#0, dense<[[3, 3, 2, 1], [1, 0, 0, 0]]> : tensor<2x4xi32>
  check.expect_eq_const %0#1, dense<[[0, 2, 3, 1], [2, 0, 1, 3]]> : tensor<2x4xi32>
  %1 = "stablehlo.sort"(%k) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<2x4xi32>) -> tensor<2x4xi32>
  check.expect_eq_const %1, dense<[[0, 0, 1, 0], [3, 1, 3, 2]]> : tensor<2x4xi32>
  %no = stablehlo.constant dense<true> : tensor<i1>
  %2 = "stablehlo.sort"(%k) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %no : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<2x4xi32>) -> tensor<2x4xi32>)");
}

TEST(MlirRun, TopKKnowsNanAndZeros) {
  expect_runs(R"(
  %x = stablehlo.constant dense<[0x7C00, -0.0, 0x7E00, 0xFE00, 0.0, 0xFC00, 3.0]> : tensor<7xf16>
  %0:2 = chlo.top_k(%x, k = 7) : tensor<7xf16> -> (tensor<7xf16>, tensor<7xi32>)
  check.expect_eq_const %0#1, dense<[2, 0, 6, 4, 1, 5, 3]> : tensor<7xi32>
  %1 = stablehlo.bitcast_convert %0#0 : (tensor<7xf16>) -> tensor<7xui16>
  check.expect_eq_const %1, dense<[0x7E00, 0x7C00, 0x4200, 0, 0x8000, 0xFC00, 0xFE00]> : tensor<7xui16>
  %2:2 = chlo.top_k(%x, k = 2) {largest = false} : tensor<7xf16> -> (tensor<2xf16>, tensor<2xi32>)
  check.expect_eq_const %2#1, dense<[3, 5]> : tensor<2xi32>)");
}

/// The names by which JAX called top_k before, and what it calls approx_max_k.
TEST(MlirRun, FirstOfManyByOtherNames) {
  const auto results = results_of(R"(
func.func @more(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @main(%x: tensor<4xf32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  %1:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64}} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  %2 = stablehlo.iota dim = 0 : tensor<4xi32>
  %3 = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.constant dense<-1> : tensor<i32>
  %5:2 = stablehlo.custom_call @ApproxTopK(%x, %2, %3, %4) {called_computations = [@more], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#1, %1#1, %5#0, %5#1 : tensor<2xi32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>
}
)",
                                  {tensor({3.F, 9.F, 1.F, 9.F})});
  ASSERT_EQ(results.size(), 4U);
  EXPECT_TRUE(same_bits(results[0], tensor({2, 0})));
  EXPECT_TRUE(same_bits(results[1], tensor({1, 3})));
  EXPECT_TRUE(same_bits(results[2], tensor({9.F, 9.F})));
  EXPECT_TRUE(same_bits(results[3], tensor({1, 3})));
  constexpr std::string_view kCall =
      "  %x = stablehlo.constant dense<1.0> : tensor<3xf32>\n  %0 = stablehlo.custom_call @ApproxTopK(%x, %x) {{{}}} : "
      "(tensor<3xf32>, tensor<3xf32>) -> tensor<2xf32>";
  const auto breaks = [&](std::string_view attributes, std::string_view rule, std::string_view words) {
    expect_breaks(fmt::format(kCall, attributes), rule, words);
  };
  breaks("", "M5", "mhlo.backend_config");
  breaks("mhlo.backend_config = {reduction_dim = 1 : i64}", "M6", "reduction_dim is 1");
  breaks("mhlo.backend_config = {top_k = 2 : i64}, called_computations = [@none]", "M4", "comparator");
}

/// Along one axis, the elements an index of any rank names; some axes may go together.
TEST(MlirRun, SelectsAsTorchDoes) {
  expect_runs(R"(
  %x = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]]> : tensor<2x2x3xi32>
  %i = stablehlo.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %s = stablehlo.constant dense<1> : tensor<i64>
  %0 = "stablehlo.torch_index_select"(%x, %s) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x2x3xi32>, tensor<i64>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[4, 5, 6], [10, 11, 12]]> : tensor<2x3xi32>
  %1 = "stablehlo.torch_index_select"(%x, %i) {dim = -1 : i64, batch_dims = 1 : i64} : (tensor<2x2x3xi32>, tensor<2x2xi32>) -> tensor<2x2x2xi32>
  check.expect_eq_const %1, dense<[[[3, 1], [6, 4]], [[8, 8], [11, 11]]]> : tensor<2x2x2xi32>
  %2 = "mhlo.torch_index_select"(%x, %i) {dim = 2 : i64, batch_dims = 0 : i64} : (tensor<2x2x3xi32>, tensor<2x2xi32>) -> tensor<2x2x2x2xi32>
  check.expect_eq_const %2, dense<[[[[3, 1], [2, 2]], [[6, 4], [5, 5]]], [[[9, 7], [8, 8]], [[12, 10], [11, 11]]]]> : tensor<2x2x2x2xi32>)");
  for (const std::string_view entries : {"dim = 2, batch_dims = 0", "dim = 0, batch_dims = 1", "dim = -3"})
    expect_breaks(fmt::format("  %x = stablehlo.constant dense<1> : tensor<2x2xi32>\n  %0 = "
                              "\"stablehlo.torch_index_select\"(%x, %x) {{{}}} : (tensor<2x2xi32>, tensor<2x2xi32>) -> "
                              "tensor<2x2xi32>",
                              entries),
                  "M6", "dim is");
}

TEST(MlirRun, ScattersWithAnyBody) {
  expect_runs(R"(
  %x = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %i = stablehlo.constant dense<[[0], [2], [0], [7]]> : tensor<4x1xi32>
  %u = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.constant dense<100> : tensor<i32>
    %d = func.call @twice(%b) : (tensor<i32>) -> tensor<i32>
    %e = stablehlo.subtract %c, %a : tensor<i32>
    %f = stablehlo.add %e, %d : tensor<i32>
    stablehlo.return %f : tensor<i32>
  }) : (tensor<3xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[14, 20, 74]> : tensor<3xi32>
  %y = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %w = stablehlo.constant dense<[0.5, 9.0, 0.25, 7.0]> : tensor<4xf32>
  %1:2 = "stablehlo.scatter"(%x, %y, %i, %u, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<f32>):
    %p = stablehlo.compare LT, %b, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %m = stablehlo.select %p, %d, %b : tensor<i1>, tensor<f32>
    %n = stablehlo.select %p, %c, %a : tensor<i1>, tensor<i32>
    stablehlo.return %n, %m : tensor<i32>, tensor<f32>
  }) : (tensor<3xi32>, tensor<3xf32>, tensor<4x1xi32>, tensor<4xi32>, tensor<4xf32>) -> (tensor<3xi32>, tensor<3xf32>)
  check.expect_eq_const %1#0, dense<[10, 20, 2]> : tensor<3xi32>
  check.expect_eq_const %1#1, dense<[1.0, 2.0, 9.0]> : tensor<3xf32>
  return
}
func.func private @twice(%arg0: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<i32>
  return %0 : tensor<i32>
}
func.func private @end() {)");
}

/// StableHLO leaves out the elements of a window outside, XLA the window.
TEST(MlirRun, WindowsOverTheEdge) {
  const auto module = parse(R"(func.func @main() -> tensor<4xi32> {
  %x = stablehlo.constant dense<0> : tensor<4xi32>
  %i = stablehlo.constant dense<3> : tensor<1xi32>
  %u = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<4xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
})");
  ASSERT_TRUE(module.ok()) << module.status().message;
  EXPECT_TRUE(same_bits(run(*module, {})->at(0), tensor({0, 0, 0, 1})));
  EXPECT_TRUE(
      same_bits(run(*module, {}, "main", {}, stablehlo::OutOfBounds::kSkipWindow)->at(0), tensor({0, 0, 0, 0})));
}

TEST(MlirRun, ReduceWindowAndMap) {
  expect_runs(R"(
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[1, 3, 6, 10]> : tensor<4xi32>
  %1 = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 2>, window_dilations = array<i64: 2>, window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %1, dense<[3, 5, 7]> : tensor<3xi32>
  %2 = "stablehlo.map"(%x, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %2, dense<[1, 4, 9, 16]> : tensor<4xi32>)");
}

// ---- what runs next ----

TEST(MlirRun, LoopsAndBranches) {
  expect_runs(R"(
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<10> : tensor<i32>
  %0:2 = stablehlo.while(%i = %z, %sum = %z) : tensor<i32>, tensor<i32> attributes {some.flag}
   cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %s = stablehlo.add %sum, %i : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %s : tensor<i32>, tensor<i32>
  }
  check.expect_eq_const %0#1, dense<45> : tensor<i32>
  %1 = "stablehlo.case"(%n) ({
    stablehlo.return %z : tensor<i32>
  }, {
    %t = stablehlo.negate %n : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %1, dense<-10> : tensor<i32>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %2 = "stablehlo.if"(%yes) ({
    stablehlo.return %one : tensor<i32>
  }, {
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %2, dense<1> : tensor<i32>)");
}

// ---- checks ----

TEST(MlirRun, M9_ChecksSayWhatDiffers) {
  constexpr std::string_view kTwo =
      "  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>\n"
      "  %b = stablehlo.constant dense<[[1.0, 2.5], [3.0, 5.0]]> : tensor<2x2xf32>\n";
  const auto with = [&](std::string_view check) { return fmt::format("{}  {}", kTwo, check); };
  expect_breaks(with("stablehlo.custom_call @check.expect_eq(%a, %b) {has_side_effect = true} : (tensor<2x2xf32>, "
                     "tensor<2x2xf32>) -> ()"),
                "M9", "line 4, column 3: check.expect_eq: element [0,1] is 2.0, expected 2.5; 2 of 4 differ");
  expect_breaks(with("check.expect_close %a, %b, max_ulp_difference = 3 : tensor<2x2xf32>, tensor<2x2xf32>"), "M9",
                "expect_close");
  expect_breaks(with("check.expect_almost_eq %a, %b, tolerance = 0.6 : tensor<2x2xf32>"), "M9", "1 of 4");
  expect_runs(with("check.expect_almost_eq %a, %b, tolerance = 1.0 : tensor<2x2xf32>"));
  expect_runs(with("stablehlo.custom_call @check.expect_close(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()"));
  expect_runs(
      "  %a = stablehlo.constant dense<5.000> : tensor<f16>\n  %b = stablehlo.constant dense<5.010> : tensor<f16>\n"
      "  check.expect_close %a, %b, max_ulp_difference = 3 : tensor<f16>, tensor<f16>");
  expect_runs(
      "  %a = stablehlo.constant dense<5.0> : tensor<f64>\n"
      "  check.expect_almost_eq_const %a, dense<5.1> : tensor<f64> {tolerance = 0.11 : f64}");
}

// ---- what operations refuse ----

TEST(MlirRun, M9_AssertionsSayTheirMessage) {
  constexpr std::string_view kAssertion =
      "  %x = stablehlo.constant dense<[true, {}]> : tensor<2xi1>\n  stablehlo.custom_call @shape_assertion(%x, %x) "
      "{{error_message = \"a is {{0}}\", has_side_effect = true}} : (tensor<2xi1>, tensor<2xi1>) -> ()\n"
      "  stablehlo.trace %x, \"seen\" : tensor<2xi1>";
  expect_runs(fmt::format(kAssertion, "true"));
  expect_breaks(fmt::format(kAssertion, "false"), "M9", "stablehlo.custom_call: a is {0}");
}

TEST(MlirRun, M5_M6_M7_OperationsMustFit) {
  const std::string x =
      "  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>\n"
      "  %y = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n";
  const auto breaks = [&](std::string_view line, std::string_view rule, std::string_view part) {
    expect_breaks(fmt::format("{}  {}", x, line), rule, part);
  };
  breaks("%0 = stablehlo.add %x, %y : tensor<2x2xi32>", "M6", "operands are of i32 and f32");
  breaks("%0 = stablehlo.add %x : tensor<2x2xi32>", "M6", "it has 1 operands");
  breaks("%0 = stablehlo.add %x, %x : tensor<4xi32>", "M6", "has shape [2,2], allowed [4]");
  breaks("%0 = stablehlo.add %x, %x : tensor<2x2xf32>", "M7",
         "result 0 is tensor<2x2xi32>, the text says tensor<2x2xf32>");
  breaks("%0 = stablehlo.and %y, %y : tensor<2xf32>", "M6", "does not take");
  breaks("%0 = stablehlo.compare XX, %x, %x : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>", "M5", "XX");
  breaks("%0 = stablehlo.transpose %x, dims = [0, 0] : (tensor<2x2xi32>) -> tensor<2x2xi32>", "M6", "not different");
  breaks("%0 = stablehlo.transpose %x, dims = [0, 2] : (tensor<2x2xi32>) -> tensor<2x2xi32>", "M6", "allowed [0, 2)");
  breaks("%0 = stablehlo.transpose %x : (tensor<2x2xi32>) -> tensor<2x2xi32>", "M5", "it has no dims or permutation");
  breaks("%0 = stablehlo.reshape %x : (tensor<2x2xi32>) -> tensor<3xi32>", "M6", "as many elements");
  breaks("%0 = stablehlo.slice %x [0:3, 0:2] : (tensor<2x2xi32>) -> tensor<3x2xi32>", "M6", "a range is 0:3:1");
  breaks("%0 = stablehlo.slice %x [0:2:0, 0:2] : (tensor<2x2xi32>) -> tensor<2x2xi32>", "M6", "a step above 0");
  breaks("%0 = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<2xf32>) -> tensor<3xf32>", "M6", "extent 2");
  breaks("%0 = stablehlo.iota dim = 2 : tensor<2x2xi32>", "M6", "dim is 2");
  breaks("%0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x2xi32>, tensor<2xf32>) -> tensor<4x2xi32>", "M6",
         "operands are of");
  breaks(
      "%0 = stablehlo.pad %y, %y, low = [0], high = [0], interior = [0] : (tensor<2xf32>, tensor<2xf32>) -> "
      "tensor<2xf32>",
      "M6", "padding value");
  breaks(
      "%0 = stablehlo.reduce(%y init: %y) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, "
      "tensor<2xf32>) -> tensor<f32>",
      "M6", "its start [2]");
  breaks(
      "%0 = \"stablehlo.sort\"(%y) ({\n  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n  stablehlo.return %a : "
      "tensor<i32>\n}) : (tensor<2xf32>) -> tensor<2xf32>",
      "M6", "comparator");
  breaks(
      "%0 = \"stablehlo.map\"(%y) ({\n  ^bb0(%a: tensor<f32>):\n  %b = stablehlo.iota dim = 0 : tensor<3xf32>\n  "
      "stablehlo.return %a : tensor<f32>\n}) : (tensor<2xf32>) -> tensor<2xf32>",
      "M2", "stablehlo.iota is not offered inside a body");
  breaks("%0 = \"stablehlo.gather\"(%y, %x) {slice_sizes = [1]} : (tensor<2xf32>, tensor<2x2xi32>) -> tensor<2xf32>",
         "M5", "dimension_numbers");
  breaks(
      "%0 = \"stablehlo.gather\"(%y, %x) {dimension_numbers = #stablehlo.gather<start_index_map = [5], "
      "index_vector_dim = 1>, slice_sizes = [1]} : (tensor<2xf32>, tensor<2x2xi32>) -> tensor<2xf32>",
      "gather_C3", "line 4, column 8: stablehlo.gather");
}

}  // namespace
}  // namespace garner::mlir
