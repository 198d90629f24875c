#include "garner/float8.h"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>

namespace garner::float8 {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

struct Named {
  const char* name;
  Format format;
};
void PrintTo(const Named& n, std::ostream* out) { *out << n.name; }

class Float8 : public testing::TestWithParam<Named> {
 protected:
  Format format() const { return GetParam().format; }
  float value(int bits) const { return decode(static_cast<std::uint8_t>(bits), format()); }
};

TEST_P(Float8, EveryPatternComesBack) {
  for (int bits = 0; bits < 256; ++bits) {
    const std::uint8_t again = encode(value(bits), format());
    if (std::isnan(value(bits))) EXPECT_EQ(again & 0x7f, nan_bits(format())) << bits;
    else EXPECT_EQ(again, bits);
  }
}

TEST_P(Float8, NegativePatternsMirrorPositiveOnes) {
  for (int bits = 0; bits < 128; ++bits) {
    if (std::isnan(value(bits))) EXPECT_TRUE(std::isnan(value(bits | 0x80))) << bits;
    else EXPECT_EQ(value(bits | 0x80), -value(bits)) << bits;
  }
}

TEST_P(Float8, FinitePatternsRise) {
  for (int bits = 1; bits <= largest_bits(format()); ++bits) EXPECT_LT(value(bits - 1), value(bits)) << bits;
}

/// Half way between neighbours goes to the even pattern; a hair to either side goes to that side.
TEST_P(Float8, TiesGoToEven) {
  for (int bits = 0; bits < largest_bits(format()); ++bits) {
    const float half_way = (value(bits) + value(bits + 1)) / 2;  // exact: float has far more bits
    EXPECT_EQ(encode(half_way, format()), bits + bits % 2) << bits;
    EXPECT_EQ(encode(std::nextafter(half_way, 0.0F), format()), bits) << bits;
    EXPECT_EQ(encode(std::nextafter(half_way, kInf), format()), bits + 1) << bits;
  }
}

TEST_P(Float8, SignedZero) {
  EXPECT_EQ(encode(0.0F, format()), 0x00);
  EXPECT_EQ(encode(-0.0F, format()), 0x80);
  EXPECT_TRUE(std::signbit(value(0x80)));
  EXPECT_EQ(value(0x80), 0.0F);
}

TEST_P(Float8, TooSmallBecomesZeroOfItsSign) {
  const float smallest = value(1);
  EXPECT_EQ(encode(smallest / 2, format()), 0x00);  // a tie with zero, which is even
  EXPECT_EQ(encode(-smallest / 2, format()), 0x80);
  EXPECT_EQ(encode(std::nextafter(smallest / 2, 1.0F), format()), 0x01);
  EXPECT_EQ(encode(std::numeric_limits<float>::denorm_min(), format()), 0x00);
}

TEST_P(Float8, TooLargeBecomesInfinityOrNan) {
  for (const float v : {1e6F, std::numeric_limits<float>::max(), kInf}) {
    EXPECT_EQ(encode(v, format()), infinity_bits(format())) << v;
    EXPECT_EQ(encode(-v, format()), infinity_bits(format()) | 0x80) << v;
  }
}

TEST_P(Float8, NanStaysNan) {
  EXPECT_EQ(encode(std::nanf(""), format()) & 0x7f, nan_bits(format()));
  EXPECT_TRUE(std::isnan(value(nan_bits(format()))));
}

INSTANTIATE_TEST_SUITE_P(Formats, Float8, testing::Values(Named{"e4m3fn", kE4M3}, Named{"e5m2", kE5M2}),
                         [](const auto& info) { return std::string(info.param.name); });

struct Known {
  std::uint8_t bits;
  float value;
};

TEST(Float8E4M3, KnownValues) {
  for (const Known& k : {Known{0x01, 0x1p-9F}, Known{0x07, 0x1.cp-7F}, Known{0x08, 0x1p-6F}, Known{0x38, 1.0F},
                         Known{0x7e, 448.0F}, Known{0xfe, -448.0F}})
    EXPECT_EQ(decode(k.bits, kE4M3), k.value) << int{k.bits};
}

TEST(Float8E5M2, KnownValues) {
  for (const Known& k : {Known{0x01, 0x1p-16F}, Known{0x03, 0x1.8p-15F}, Known{0x04, 0x1p-14F}, Known{0x3c, 1.0F},
                         Known{0x7b, 57344.0F}, Known{0x7c, kInf}, Known{0xfc, -kInf}})
    EXPECT_EQ(decode(k.bits, kE5M2), k.value) << int{k.bits};
}

TEST(Float8E4M3, TheEdgeOfOverflow) {
  EXPECT_EQ(encode(464.0F, kE4M3), 0x7e);  // a tie with what would be 480; 448 is the even one
  EXPECT_EQ(encode(std::nextafter(464.0F, kInf), kE4M3), 0x7f);
}

TEST(Float8E5M2, TheEdgeOfOverflow) {
  EXPECT_EQ(encode(std::nextafter(61440.0F, 0.0F), kE5M2), 0x7b);
  EXPECT_EQ(encode(61440.0F, kE5M2), 0x7c);  // a tie with what would be 65536, which is the even one
}

TEST(Float8E5M2, ThreeNanPatterns) {
  for (const int bits : {0x7d, 0x7e, 0x7f}) EXPECT_TRUE(std::isnan(decode(static_cast<std::uint8_t>(bits), kE5M2)));
}

TEST(Float8Value, ConvertsThroughFloat) {
  EXPECT_EQ(static_cast<float>(Float8E4M3(1.0625F)), 1.0F);  // a tie of 1 and 1.125
  EXPECT_EQ(static_cast<float>(Float8E5M2(1.125F)), 1.0F);
  EXPECT_EQ(Float8E4M3().bits, 0);
}

}  // namespace
}  // namespace garner::float8
