#include "kernel/common/combine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dtype/convert.h"

namespace garner {
namespace {

using C64 = std::complex<float>;

/// combine(a, b) by the loop over runs; the loop over targets must agree to the bit.
template <class T>
T once(Combine combine, T a, T b) {
  const Combiner combiner = combiner_for(combine, dtype_of<T>);
  T run = a, at = a;
  combiner.run(&run, &b, 1);
  const Index zero = 0;
  combiner.at(&at, &b, 1, {.count = 1, .offset = &zero, .valid = nullptr, .lo = 0, .hi = 1});
  EXPECT_EQ(std::memcmp(&run, &at, sizeof(T)), 0);
  return run;
}

template <class T>
void expect_wraps() {
  constexpr T kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  EXPECT_EQ(once<T>(Combine::kAdd, kHigh, 1), kLow);
  EXPECT_EQ(once<T>(Combine::kMul, kHigh, 2), static_cast<T>(-2));
  EXPECT_EQ(once<T>(Combine::kMul, kHigh, kHigh), 1);
  EXPECT_EQ(once<T>(Combine::kMin, kLow, kHigh), kLow);
  EXPECT_EQ(once<T>(Combine::kMax, kLow, kHigh), kHigh);
  EXPECT_EQ(once<T>(Combine::kAnd, 12, 10), 8);
  EXPECT_EQ(once<T>(Combine::kOr, 12, 10), 14);
  EXPECT_EQ(once<T>(Combine::kXor, 12, 10), 6);
  EXPECT_EQ(once<T>(Combine::kAssign, 12, 10), 10);
}

TEST(Combine, IntegersWrapAround) {
  expect_wraps<std::int8_t>();
  expect_wraps<std::int16_t>();
  expect_wraps<std::int32_t>();
  expect_wraps<std::int64_t>();
  expect_wraps<std::uint8_t>();
  expect_wraps<std::uint16_t>();  // 65535 * 65535 overflows int, to which it would be promoted
  expect_wraps<std::uint32_t>();
  expect_wraps<std::uint64_t>();
}

template <class T>
float number(T v) {
  return static_cast<float>(v);
}

template <class T>
void expect_nan_wins() {
  const T nan = convert<T>(std::nanf("")), one = convert<T>(1.0F);
  for (const Combine c : {Combine::kMin, Combine::kMax, Combine::kAdd, Combine::kMul}) {
    EXPECT_TRUE(std::isnan(number(once<T>(c, nan, one)))) << name(c);
    EXPECT_TRUE(std::isnan(number(once<T>(c, one, nan)))) << name(c);
  }
}

TEST(Combine, NanWins) {
  expect_nan_wins<float>();
  expect_nan_wins<double>();
  expect_nan_wins<Eigen::half>();
  expect_nan_wins<Eigen::bfloat16>();
  expect_nan_wins<Float8E4M3>();
  expect_nan_wins<Float8E5M2>();
}

TEST(Combine, MinAndMaxOfFloats) {
  EXPECT_EQ(once(Combine::kMin, 2.0F, -3.0F), -3.0F);
  EXPECT_EQ(once(Combine::kMax, 2.0F, -3.0F), 2.0F);
  EXPECT_EQ(once(Combine::kMin, 1.0, std::numeric_limits<double>::infinity()), 1.0);
}

struct Truth {
  Combine combine;
  int ff, ft, tf, tt;
};

TEST(Combine, Bool) {
  for (const Truth& t :
       {Truth{Combine::kAdd, 0, 1, 1, 1}, Truth{Combine::kMul, 0, 0, 0, 1}, Truth{Combine::kAnd, 0, 0, 0, 1},
        Truth{Combine::kOr, 0, 1, 1, 1}, Truth{Combine::kXor, 0, 1, 1, 0}, Truth{Combine::kMin, 0, 0, 0, 1},
        Truth{Combine::kMax, 0, 1, 1, 1}, Truth{Combine::kAssign, 0, 1, 0, 1}}) {
    EXPECT_EQ(once(t.combine, Bool(false), Bool(false)).byte, t.ff) << name(t.combine);
    EXPECT_EQ(once(t.combine, Bool(false), Bool(true)).byte, t.ft) << name(t.combine);
    EXPECT_EQ(once(t.combine, Bool(true), Bool(false)).byte, t.tf) << name(t.combine);
    EXPECT_EQ(once(t.combine, Bool(true), Bool(true)).byte, t.tt) << name(t.combine);
  }
}

TEST(Combine, OddBytesOfBoolAreTrue) {
  Bool two, four;
  two.byte = 2;
  four.byte = 4;
  EXPECT_EQ(once(Combine::kAnd, two, four).byte, 1);
  EXPECT_EQ(once(Combine::kXor, two, four).byte, 0);
  EXPECT_EQ(once(Combine::kAdd, two, Bool(false)).byte, 1);
}

/// Each step rounds to the type, so that a thousand halves do not add as a thousand floats.
TEST(Combine, SmallFloatsRoundAfterEveryStep) {
  EXPECT_EQ(number(once(Combine::kAdd, Eigen::half(2048.0F), Eigen::half(1.0F))), 2048.0F);
  EXPECT_EQ(number(once(Combine::kAdd, Eigen::bfloat16(256.0F), Eigen::bfloat16(1.0F))), 256.0F);
  EXPECT_EQ(number(once(Combine::kAdd, Float8E4M3(16.0F), Float8E4M3(1.0F))), 16.0F);
  EXPECT_EQ(number(once(Combine::kAdd, Float8E5M2(8.0F), Float8E5M2(1.0F))), 8.0F);
  EXPECT_EQ(number(once(Combine::kMul, Float8E4M3(1.125F), Float8E4M3(1.125F))), 1.25F);
}

TEST(Combine, SmallFloatsOverflowTheirOwnWay) {
  EXPECT_TRUE(std::isinf(number(once(Combine::kMul, Eigen::half(300.0F), Eigen::half(300.0F)))));
  EXPECT_TRUE(std::isnan(number(once(Combine::kAdd, Float8E4M3(448.0F), Float8E4M3(448.0F)))));
  EXPECT_TRUE(std::isinf(number(once(Combine::kAdd, Float8E5M2(57344.0F), Float8E5M2(57344.0F)))));
}

TEST(Combine, Complex) {
  EXPECT_EQ(once(Combine::kMul, C64(1, 2), C64(3, -4)), C64(11, 2));
  EXPECT_EQ(once(Combine::kAdd, C64(1, 2), C64(3, -4)), C64(4, -2));
  EXPECT_EQ(once(Combine::kAssign, C64(1, 2), C64(3, -4)), C64(3, -4));
}

/// Assigning moves bytes: a NaN keeps its pattern, a bool its byte.
TEST(Combine, AssignKeepsEveryBit) {
  for (const DTypeInfo& d : kDTypes) {
    std::array<unsigned char, 16> from{}, to{};
    from.fill(0xf9);
    combiner_for(Combine::kAssign, d.dtype).run(to.data(), from.data(), 1);
    for (int i = 0; i < 16; ++i) EXPECT_EQ(to[static_cast<std::size_t>(i)], i < width(d.dtype) ? 0xf9 : 0) << d.name;
  }
}

TEST(Combine, RunsSideBySide) {
  std::vector<int> to{1, 2, 3, 4};
  const std::vector<int> from{10, 20, 30};
  combiner_for(Combine::kAdd, DType::kI32).run(to.data(), from.data(), 3);
  EXPECT_EQ(to, (std::vector<int>{11, 22, 33, 4}));
}

TEST(Combine, TargetsInOrderAndOnlyThoseOwned) {
  std::vector<int> to(4, 0);
  const std::vector<int> from{1, -1, 2, -1, 3, -1, 4, -1, 5};
  const std::vector<Index> offset{1, 1, 0, 3, 2};
  const std::vector<std::uint8_t> valid{1, 1, 1, 1, 0};
  combiner_for(Combine::kAssign, DType::kI32)
      .at(to.data(), from.data(), 2, {.count = 5, .offset = offset.data(), .valid = valid.data(), .lo = 1, .hi = 3});
  EXPECT_EQ(to, (std::vector<int>{0, 2, 0, 0}));  // 0 and 3 belong to others, 2 is skipped, the second write to 1 stays
}

}  // namespace
}  // namespace garner
