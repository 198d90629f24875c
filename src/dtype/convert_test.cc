#include "dtype/convert.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace garner {
namespace {

using C64 = std::complex<float>;
using C128 = std::complex<double>;

Bool odd_byte(std::uint8_t byte) { return std::bit_cast<Bool>(byte); }

TEST(Convert, ToItselfKeepsEveryBit) {
  EXPECT_EQ(convert<Bool>(odd_byte(0x80)).byte, 0x80);
  EXPECT_EQ(convert<Float8E5M2>(std::bit_cast<Float8E5M2>(std::uint8_t{0xfd})).bits, 0xfd);
  EXPECT_EQ(convert<std::uint64_t>(std::numeric_limits<std::uint64_t>::max()), ~std::uint64_t{0});
}

TEST(Convert, AnyNonZeroByteIsTrue) {
  for (int byte = 0; byte < 256; ++byte) {
    const Bool b = odd_byte(static_cast<std::uint8_t>(byte));
    EXPECT_EQ(static_cast<bool>(b), byte != 0);
    EXPECT_EQ(convert<std::int32_t>(b), byte != 0 ? 1 : 0);
    EXPECT_EQ(convert<float>(b), byte != 0 ? 1.0F : 0.0F);
  }
}

TEST(Convert, ToBoolIsNotZero) {
  EXPECT_TRUE(convert<Bool>(-3));
  EXPECT_TRUE(convert<Bool>(0.25F));  // not through an integer
  EXPECT_FALSE(convert<Bool>(-0.0));
  EXPECT_TRUE(convert<Bool>(std::nan("")));
  EXPECT_TRUE(convert<Bool>(Eigen::half(0.5F)));
  EXPECT_TRUE(convert<Bool>(Float8E4M3(0x1p-9F)));
  EXPECT_EQ(convert<Bool>(7).byte, 1);
}

TEST(Convert, ComplexToRealKeepsTheRealPart) {
  EXPECT_EQ(convert<float>(C128(2.5, 9)), 2.5F);
  EXPECT_EQ(convert<std::int32_t>(C64(-2, 1)), -2);
  EXPECT_TRUE(convert<Bool>(C64(0, 1)));  // NumPy and PyTorch: anything but 0
  EXPECT_EQ(convert<C64>(C128(1.5, -2)), C64(1.5F, -2));
}

TEST(Convert, RealToComplexHasNoImaginaryPart) {
  EXPECT_EQ(convert<C64>(3), C64(3, 0));
  EXPECT_EQ(convert<C128>(Eigen::half(0.5F)), C128(0.5, 0));
  EXPECT_EQ(convert<C64>(Float8E5M2(2.0F)), C64(2, 0));
}

TEST(Convert, SmallFloatsRoundToEven) {
  EXPECT_EQ(static_cast<float>(convert<Eigen::half>(2049.0F)), 2048.0F);
  EXPECT_EQ(static_cast<float>(convert<Eigen::bfloat16>(257.0F)), 256.0F);
  EXPECT_EQ(static_cast<float>(convert<Float8E4M3>(17.0F)), 16.0F);
  EXPECT_EQ(static_cast<float>(convert<Float8E5M2>(9.0)), 8.0F);
}

TEST(Convert, IntegersWrapIntoNarrowerOnes) {
  EXPECT_EQ(convert<std::int8_t>(std::int32_t{300}), 44);
  EXPECT_EQ(convert<std::uint8_t>(std::int64_t{-1}), 255);
}

TEST(Convert, AnyFloatToAnyInteger) {
  EXPECT_EQ(convert<std::int32_t>(-2.9), -2);
  EXPECT_EQ(convert<std::uint64_t>(0x1.8p63), std::uint64_t{3} << 62);
  EXPECT_EQ(convert<std::uint8_t>(-1.0F), 255);
  for (const double beyond : {0x1p64, -0x1p80, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    EXPECT_EQ(convert<std::int64_t>(beyond), INT64_MIN);
    EXPECT_EQ(convert<std::int32_t>(beyond), 0);
  }
  EXPECT_EQ(convert<std::int64_t>(0x1p63), INT64_MIN);
  EXPECT_EQ(convert<std::int16_t>(Eigen::half(INFINITY)), 0);
}

TEST(Convert, SmallFloatsComputeInFloat) {
  static_assert(std::is_same_v<Compute<Eigen::half>, float> && std::is_same_v<Compute<Eigen::bfloat16>, float>);
  static_assert(std::is_same_v<Compute<Float8E4M3>, float> && std::is_same_v<Compute<Float8E5M2>, float>);
  static_assert(std::is_same_v<Compute<double>, double> && std::is_same_v<Compute<std::int8_t>, std::int8_t>);
  EXPECT_EQ(to_compute(Float8E4M3(1.5F)), 1.5F);
}

}  // namespace
}  // namespace garner
