#include <gtest/gtest.h>

#include "plan/simplify/simplify.h"

namespace garner {
namespace {

constexpr const char* kBefore =
    "gather f32 (i:1, j:3, k:1)\n"
    "  indexed [9,5] = (%0 + 7*i, j + 2*k) stride (5,1)\n"
    "  dense [1,3,1] = (i, j, k) stride (3,1,1)\n"
    "  %0 i64 [1,3] = (i, j) stride (3,1) in [0,2) trap\n"
    "  mask [3,1] = (j, k) stride (1,1)\n";

constexpr const char* kAfter =
    "gather f32 (i:3)\n"
    "  indexed [9,5] = (%0, i) stride (5,1)\n"
    "  dense [3] = (i) stride (1)\n"
    "  %0 i64 [3] = (i) stride (1) in [0,2) trap\n"
    "  mask [3] = (i) stride (1)\n";

TEST(DropUnitAxes, N1_TakesThemOutEverywhere) {
  IndexPlan plan = *parse_plan(kBefore);
  EXPECT_TRUE(drop_unit_axes(plan));
  EXPECT_EQ(print(plan), kAfter);
  EXPECT_FALSE(drop_unit_axes(plan));
}

TEST(DropUnitAxes, N1_AllOfThemLeavesRankZero) {
  IndexPlan plan =
      *parse_plan("gather f32 (i:1, j:1)\n indexed [4] = (i + j + 3) stride (1)\n dense [1] = (i) stride (1)");
  EXPECT_TRUE(drop_unit_axes(plan));
  EXPECT_EQ(print(plan), "gather f32 ()\n  indexed [4] = (3) stride (1)\n  dense [] = () stride ()\n");
}

}  // namespace
}  // namespace garner
