#include <random>

#include "mlir/test_mlir.h"
#include "tensor/cast.h"

namespace garner::mlir {
namespace {

Tensor constant(std::string_view body, std::string_view type) {
  const auto results = results_of(fmt::format(
      "func.func @main() -> {1} {{\n %0 = stablehlo.constant dense<{0}> : {1}\n return %0 : {1}\n}}", body, type));
  return results.empty() ? Tensor() : results[0];
}

void expect_bad(std::string_view body, std::string_view type, std::string_view part) {
  expect_breaks(fmt::format("  %0 = stablehlo.constant dense<{}> : {}", body, type), "M1", part);
}

TEST(MlirLiteral, ReadsNestedRows) {
  EXPECT_TRUE(same_bits(constant("[[1, 2, 3], [4, 5, -6]]", "tensor<2x3xi32>"), tensor({{1, 2, 3}, {4, 5, -6}})));
  EXPECT_TRUE(same_bits(constant("[[[1.5]], [[-2.0]]]", "tensor<2x1x1xf32>"), tensor({{{1.5F}}, {{-2.F}}})));
  EXPECT_TRUE(same_bits(constant("[true, false]", "tensor<2xi1>"), tensor({true, false})));
  EXPECT_EQ(constant("[ 1 ,\n // two\n 2 ]", "tensor<2xi8>").as<std::int8_t>()[1], 2);
}

TEST(MlirLiteral, ReadsOneNumberForAll) {
  EXPECT_TRUE(same_bits(constant("7", "tensor<2x2xi64>"), tensor({{7LL, 7LL}, {7LL, 7LL}})));
  EXPECT_TRUE(same_bits(constant("-0.5", "tensor<f64>"), scalar(-0.5)));
  EXPECT_EQ(constant("3", "tensor<2x0xi32>").elements(), 0);
}

TEST(MlirLiteral, ReadsNothing) {
  EXPECT_EQ(constant("", "tensor<0x3xf32>").shape(), (Axes{0, 3}));
  EXPECT_EQ(constant("[]", "tensor<0xui8>").shape(), Axes{0});
  EXPECT_EQ(constant("[[], []]", "tensor<2x0xui8>").shape(), (Axes{2, 0}));
}

TEST(MlirLiteral, ReadsBitsOfFloats) {
  EXPECT_EQ(to_string(constant("[0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001]", "tensor<4xf32>")),
            to_string(tensor({HUGE_VALF, -HUGE_VALF, NAN, 1e-45F})));
  EXPECT_EQ(to_string(constant("0x7C00", "tensor<f16>")), "inf");
  EXPECT_EQ(to_string(constant("0xFF80", "tensor<bf16>")), "-inf");
  EXPECT_EQ(to_string(constant("0x7FF0000000000000", "tensor<f64>")), "inf");
  EXPECT_EQ(to_string(constant("0x38", "tensor<f8E4M3FN>")), "1.0");
  EXPECT_EQ(to_string(constant("[inf, -inf, nan]", "tensor<3xf32>")), "[ inf -inf  nan]");
}

TEST(MlirLiteral, ReadsIntegersToTheirEnds) {
  EXPECT_EQ(constant("-9223372036854775808", "tensor<i64>").as<Index>()[0], INT64_MIN);
  EXPECT_EQ(constant("18446744073709551615", "tensor<ui64>").as<std::uint64_t>()[0], UINT64_MAX);
  EXPECT_EQ(constant("0xFF", "tensor<ui8>").as<std::uint8_t>()[0], 255);
  EXPECT_EQ(constant("0xFF", "tensor<i8>").as<std::int8_t>()[0], -1);
  EXPECT_EQ(constant("-0x80", "tensor<i8>").as<std::int8_t>()[0], -128);
}

TEST(MlirLiteral, ReadsComplexNumbers) {
  using C = std::complex<float>;
  EXPECT_TRUE(same_bits(constant("[(1.0, -2.0), (0x7F800000,3.0e+00)]", "tensor<2xcomplex<f32>>"),
                        tensor({C(1, -2), C(HUGE_VALF, 3)})));
  EXPECT_TRUE(same_bits(constant("(1.0, 2.0)", "tensor<2xcomplex<f64>>"),
                        tensor({std::complex<double>(1, 2), std::complex<double>(1, 2)})));
}

TEST(MlirLiteral, ReadsBytes) {
  EXPECT_TRUE(same_bits(constant("\"0x0100000002000000FFFFFFFF\"", "tensor<3xi32>"), tensor({1, 2, -1})));
  EXPECT_TRUE(same_bits(constant("\"0x0000803F\"", "tensor<2xf32>"), tensor({1.F, 1.F})));  // one for all
  EXPECT_TRUE(same_bits(constant("\"0x0100\"", "tensor<2xi1>"), tensor({true, false})));  // a byte each
  EXPECT_TRUE(same_bits(constant("\"0x05\"", "tensor<3xi1>"), tensor({true, false, true})));  // a bit each
  EXPECT_EQ(to_string(constant("\"0xFF01\"", "tensor<9xi1>")),
            "[ True  True  True  True  True  True  True  True  True]");
}

TEST(MlirLiteral, ReadsNumbersTooSmallAsZero) {
  EXPECT_EQ(constant("1.0e-999", "tensor<f64>").as<double>()[0], 0.0);
  EXPECT_EQ(to_string(constant("1.0e-60", "tensor<f32>")), "0.0");
}

TEST(MlirLiteral, M1_RefusesWhatDoesNotFit) {
  expect_bad("[1, 2, 3]", "tensor<2xi32>", "has shape [3], allowed [2]");
  expect_bad("[[1, 2], [3]]", "tensor<2x2xi32>", "has shape");
  expect_bad("[1, [2]]", "tensor<2xi32>", "has shape");
  expect_bad("[[1], 2]", "tensor<2x1xi32>", "has shape");
  expect_bad("", "tensor<2xi32>", "has shape");
  expect_bad("256", "tensor<ui8>", "'256' is no u8");
  expect_bad("-1", "tensor<ui8>", "'-1' is no u8");
  expect_bad("0x1FF", "tensor<ui8>", "'0x1FF' is no u8");
  expect_bad("1.5", "tensor<i32>", "'1.5' is no i32");
  expect_bad("2", "tensor<i1>", "'2' is no bool");
  expect_bad("true", "tensor<f32>", "'true' is no f32");
  expect_bad("1.0e+999", "tensor<f64>", "is no f64");
  expect_bad("1.0e+6", "tensor<f16>", "is no f16");
  expect_bad("(1.0, 2.0)", "tensor<f32>", "is no f32");
  expect_bad("[(1.0, 2.0), 3.0]", "tensor<2xcomplex<f32>>", "has shape");
  expect_bad("[1, 2", "tensor<2xi32>", "cannot read");
  expect_bad("[1 2]", "tensor<2xi32>", "cannot read");
  expect_bad("[1,, 2]", "tensor<2xi32>", "cannot read");
  expect_bad("\"0x010\"", "tensor<2xi8>", "bytes");
  expect_bad("\"0x010203\"", "tensor<2xi8>", "has 3 bytes, allowed 2 or 1");
  expect_bad("\"0x\"", "tensor<2xi8>", "bytes");
  expect_bad("\"hello\"", "tensor<2xi8>", "cannot read");
  expect_bad(std::string(5000, '['), "tensor<2xi8>", "cannot read");
}

/// One number for very many elements takes no memory for them.
TEST(MlirLiteral, KeepsOneNumberAsOne) {
  expect_runs("  %0 = stablehlo.constant dense<1> : tensor<1000000x1000000xi8>");
  expect_runs(
      "  %0 = \"stablehlo.constant\"() <{value = dense<1> : tensor<1000000x1000000xi8>}> : () -> "
      "tensor<1000000x1000000xi8>");
}

TEST(MlirLiteral, RoundTripsRandomNumbers) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::mt19937_64 random(seed);
    std::string bits, decimals;
    Tensor wanted = *Tensor::empty(DType::kF64, {8});
    for (Index i = 0; i < 8; ++i) {
      const double value =
          std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 200) - 150);
      wanted.as<double>()[i] = value;
      bits += fmt::format("{}0x{:016X}", i == 0 ? "" : ", ", std::bit_cast<std::uint64_t>(value));
      decimals += fmt::format("{}{:.17e}", i == 0 ? "" : ", ", value);
    }
    EXPECT_TRUE(same_bits(constant(fmt::format("[{}]", bits), "tensor<8xf64>"), wanted));
    EXPECT_TRUE(same_bits(constant(fmt::format("[{}]", decimals), "tensor<8xf64>"), wanted));
  }
}

}  // namespace
}  // namespace garner::mlir
