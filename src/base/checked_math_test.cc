#include "base/checked_math.h"

#include <gtest/gtest.h>

#include <limits>

namespace garner {
namespace {

constexpr Index kMax = std::numeric_limits<Index>::max();
constexpr Index kMin = std::numeric_limits<Index>::min();

struct Pair {
  Index a, b;
  std::optional<Index> out;
};

TEST(CheckedMath, Mul) {
  const Pair cases[] = {{6, 7, 42},
                        {kMax, 1, kMax},
                        {kMax, 2, std::nullopt},
                        {kMin, -1, std::nullopt},  // the one product of two small-looking numbers that does not fit
                        {kMin, 1, kMin},
                        {Index{1} << 32, Index{1} << 31, std::nullopt},
                        {Index{1} << 31, Index{1} << 31, Index{1} << 62},
                        {0, kMin, 0}};
  for (const Pair& c : cases) EXPECT_EQ(checked_mul(c.a, c.b), c.out) << c.a << " * " << c.b;
}

TEST(CheckedMath, Add) {
  const Pair cases[] = {
      {2, 3, 5}, {kMax, 0, kMax}, {kMax, 1, std::nullopt}, {kMin, -1, std::nullopt}, {kMin, kMax, -1}};
  for (const Pair& c : cases) EXPECT_EQ(checked_add(c.a, c.b), c.out) << c.a << " + " << c.b;
}

TEST(CheckedMath, MulAdd) {
  EXPECT_EQ(checked_mul_add(3, 4, 5), 17);
  EXPECT_EQ(checked_mul_add(kMax, 1, 1), std::nullopt);
  // The product alone must fit: no wider type is used in between.
  EXPECT_EQ(checked_mul_add(kMax, 2, kMin), std::nullopt);
  EXPECT_EQ(checked_mul_add(-1, kMax, kMax), 0);
}

struct Product {
  Axes extents;
  std::optional<Index> out;
};

TEST(CheckedMath, Product) {
  const Product cases[] = {{{}, 1},
                           {{7}, 7},
                           {{2, 3, 4}, 24},
                           {{0}, 0},
                           {{kMax, kMax, 0}, 0},  // empty, however large the others
                           {{0, kMax, kMax}, 0},
                           {{kMax, 1}, kMax},
                           {{kMax, 2}, std::nullopt},
                           {{Index{1} << 21, Index{1} << 21, Index{1} << 21}, std::nullopt}};
  for (const Product& c : cases) EXPECT_EQ(checked_product(c.extents), c.out) << c.extents.size();
}

}  // namespace
}  // namespace garner
