#include "garner/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "garner/error.h"

namespace garner {
namespace {

template <class T>
std::vector<T> values_of(const Tensor& t) {
  return {t.as<T>(), t.as<T>() + t.elements()};
}

TEST(TensorLiteral, RanksOneToFour) {
  EXPECT_EQ(tensor({1, 2, 3}).shape(), Axes{3});
  EXPECT_EQ(tensor({{1, 2, 3}, {4, 5, 6}}).shape(), (Axes{2, 3}));
  EXPECT_EQ(tensor({{{1, 2}}, {{3, 4}}, {{5, 6}}}).shape(), (Axes{3, 1, 2}));
  const Tensor t = tensor({{{{1}, {2}}, {{3}, {4}}}, {{{5}, {6}}, {{7}, {8}}}});
  EXPECT_EQ(t.shape(), (Axes{2, 2, 2, 1}));
  EXPECT_EQ(values_of<int>(t), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(TensorLiteral, DtypeComesFromTheElements) {
  EXPECT_EQ(tensor({1.5, 2.5}).dtype(), DType::kF64);
  EXPECT_EQ(tensor({1.5F}).dtype(), DType::kF32);
  EXPECT_EQ(tensor({std::uint8_t{1}}).dtype(), DType::kU8);
  EXPECT_EQ(tensor({{std::complex<float>(1, 2)}}).dtype(), DType::kC64);
}

TEST(TensorLiteral, Bool) {
  const Tensor t = tensor({{true, false}, {false, true}});
  EXPECT_EQ(t.dtype(), DType::kBool);
  EXPECT_EQ(values_of<std::uint8_t>(t), (std::vector<std::uint8_t>{1, 0, 0, 1}));
  EXPECT_EQ(scalar(true).as<std::uint8_t>()[0], 1);
}

TEST(TensorLiteral, Scalar) {
  const Tensor t = scalar(std::int16_t{-7});
  EXPECT_EQ(t.rank(), 0);
  EXPECT_EQ(t.elements(), 1);
  EXPECT_EQ(t.as<std::int16_t>()[0], -7);
}

TEST(TensorLiteral, Empty) {
  EXPECT_EQ(tensor<float>(std::initializer_list<float>{}).shape(), Axes{0});
  EXPECT_EQ((detail::flatten<int>({std::initializer_list<int>{}, std::initializer_list<int>{}}).shape), (Axes{2, 0}));
}

template <class F>
std::string rule_thrown(F&& f) {
  try {
    f();
  } catch (const ArgumentError& e) { return e.rule(); }
  return "nothing";
}

TEST(TensorLiteral, V7_RowsDiffer) {
  EXPECT_EQ(rule_thrown([] { tensor({{1, 2}, {3}}); }), "V7");
  EXPECT_EQ(rule_thrown([] { tensor({{{1, 2}, {3, 4}}, {{5, 6}}}); }), "V7");
  EXPECT_EQ(rule_thrown([] { tensor({{1, 2}, std::initializer_list<int>{}}); }), "V7");
}

/// Through flatten, because the shape it gives is what the copy then believes.
TEST(TensorLiteral, V7_FirstRowEmpty) {
  using Row = std::initializer_list<int>;
  EXPECT_EQ(rule_thrown([] { (void)detail::flatten<int>({Row{}, Row{1, 2}}); }), "V7");
}

TEST(Tensor, DefaultIsEmptyF32) {
  const Tensor t;
  EXPECT_EQ(t.dtype(), DType::kF32);
  EXPECT_EQ(t.shape(), Axes{0});
  EXPECT_EQ(t.bytes(), 0);
}

TEST(Tensor, CopiesShareAndClonesDoNot) {
  Tensor t = tensor({1, 2, 3}), copy = t;
  const Tensor clone = value_or_throw(t.clone());
  t.as<int>()[0] = 9;
  EXPECT_EQ(copy.as<int>()[0], 9);
  EXPECT_EQ(values_of<int>(clone), (std::vector<int>{1, 2, 3}));
}

TEST(Tensor, MemoryOutlivesTheFirstCopy) {
  Tensor copy;
  { copy = tensor({4, 5}); }
  EXPECT_EQ(values_of<int>(copy), (std::vector<int>{4, 5}));
}

TEST(Tensor, ZerosOfEveryDtype) {
  for (const DTypeInfo& d : kDTypes) {
    const auto t = Tensor::zeros(d.dtype, {3, 5});
    ASSERT_TRUE(t.ok());
    EXPECT_EQ(t->bytes(), 15 * width(d.dtype));
    const auto* bytes = t->as<unsigned char>();
    EXPECT_EQ(std::accumulate(bytes, bytes + t->bytes(), 0), 0) << d.name;
  }
}

TEST(Tensor, RulesOfShapes) {
  constexpr Index kMax = std::numeric_limits<Index>::max();
  EXPECT_EQ(Tensor::empty(DType::kF32, {-1}).status().rule, "V1");
  EXPECT_EQ(Tensor::empty(DType::kF32, {kMax}).status().rule, "V2");
  EXPECT_EQ(Tensor::empty(DType::kU8, {kMax, 2}).status().rule, "V2");
  EXPECT_TRUE(Tensor::empty(DType::kF32, {0, kMax}).ok());
}

TEST(Tensor, V6_NoMemory) {
  for (const Index bytes : {Index{1} << 50, Index{1} << 62, std::numeric_limits<Index>::max()}) {
    const auto t = Tensor::empty(DType::kU8, {bytes});
    ASSERT_FALSE(t.ok()) << bytes;
    EXPECT_EQ(t.status().rule, "V6");
    EXPECT_EQ(t.status().code, Code::kMemory);
    EXPECT_EQ(Tensor::zeros(DType::kU8, {bytes}).status().rule, "V6");
  }
}

TEST(Contiguous, CopiesAnyStrides) {
  const std::vector<int> m{0, 1, 2, 3, 4, 5};
  const auto transposed = contiguous(View(m.data(), {3, 2}, {1, 3}));
  const auto reversed = contiguous(View(m.data() + 5, {6}, {-1}));
  const auto repeated = contiguous(View(m.data() + 2, {2, 2}, {0, 1}));
  EXPECT_EQ(values_of<int>(*transposed), (std::vector<int>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values_of<int>(*reversed), (std::vector<int>{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(values_of<int>(*repeated), (std::vector<int>{2, 3, 2, 3}));
}

TEST(Contiguous, RefusesWhatIsNoView) {
  EXPECT_EQ(contiguous(View(DType::kF32, nullptr, {3})).status().rule, "V4");
  EXPECT_EQ(contiguous(View(DType::kF32, nullptr, {0, 3}))->shape(), (Axes{0, 3}));
}

TEST(SameBits, ComparesPatterns) {
  const float nan = std::nanf("");
  EXPECT_TRUE(same_bits(tensor({nan, 1.0F}), tensor({nan, 1.0F})));
  EXPECT_FALSE(same_bits(tensor({nan}), tensor({-nan})));
  EXPECT_FALSE(same_bits(tensor({0.0F}), tensor({-0.0F})));
}

TEST(SameBits, NeedsSameDtypeAndShape) {
  EXPECT_FALSE(same_bits(tensor({0}), tensor({0.0F})));
  EXPECT_FALSE(same_bits(tensor({1, 2}), tensor({{1, 2}})));
  EXPECT_TRUE(same_bits(Tensor(), Tensor()));
  EXPECT_FALSE(same_bits(value_or_throw(Tensor::empty(DType::kF32, {0, 2})), Tensor()));
}

TEST(SameBits, SeesThroughStrides) {
  const std::vector<int> m{0, 1, 2, 3};
  EXPECT_TRUE(same_bits(View(m.data() + 3, {2}, {-2}), tensor({3, 1})));
  EXPECT_FALSE(same_bits(View(m.data(), {2}, {2}), tensor({0, 1})));
}

TEST(Tensor, ReshapedLooksAtTheSameMemory) {
  Tensor a = tensor({1, 2, 3, 4, 5, 6});
  EXPECT_FALSE(a.shares_memory());
  {
    const Tensor b = a.reshaped({2, 3});
    EXPECT_TRUE(a.shares_memory() && b.shares_memory());
    EXPECT_EQ(b.data(), a.data());
    EXPECT_TRUE(same_bits(b, tensor({{1, 2, 3}, {4, 5, 6}})));
  }
  EXPECT_FALSE(a.shares_memory());
  EXPECT_FALSE(Tensor().shares_memory());
}

}  // namespace
}  // namespace garner
