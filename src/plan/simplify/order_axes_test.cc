#include <gtest/gtest.h>

#include "plan/simplify/simplify.h"

namespace garner {
namespace {

constexpr const char* kBefore =
    "gather f32 (i:2, j:3, k:4)\n"
    "  indexed [2,3,9] = (i, j, %0) stride (27,9,1)\n"
    "  dense [2,3,4] = (i, j, k) stride (1,-8,2)\n"
    "  %0 i64 [4] = (k) stride (5) in [0,9) trap\n"
    "  fill [3] = (j) stride (1)\n";

constexpr const char* kAfter =
    "gather f32 (i:3, j:4, k:2)\n"
    "  indexed [2,3,9] = (k, i, %0) stride (27,9,1)\n"
    "  dense [3,4,2] = (i, j, k) stride (-8,2,1)\n"
    "  %0 i64 [4] = (j) stride (5) in [0,9) trap\n"
    "  fill [3] = (i) stride (1)\n";

TEST(OrderAxes, N4_DenseStridesFall) {
  IndexPlan plan = *parse_plan(kBefore);
  EXPECT_TRUE(order_axes(plan));
  EXPECT_EQ(print(plan), kAfter);
  EXPECT_FALSE(order_axes(plan));
}

/// The order of a scatter decides which write is last and how sums round.
TEST(OrderAxes, N4_ScattersKeepTheirOrder) {
  IndexPlan plan = *parse_plan(
      "scatter f32 add (i:2, j:3)\n indexed [9] = (%0) stride (1)\n dense [2,3] = (i, j) stride (1,2)\n"
      " %0 i64 [3] = (j) stride (1) in [0,9) drop");
  const IndexPlan before = plan;
  EXPECT_FALSE(order_axes(plan));
  EXPECT_EQ(plan, before);
}

}  // namespace
}  // namespace garner
