#include <gtest/gtest.h>

#include "plan/simplify/simplify.h"

namespace garner {
namespace {

std::string merged(const char* text) {
  IndexPlan plan = *parse_plan(text);
  merge_axes(plan);
  EXPECT_FALSE(merge_axes(plan)) << text;
  return print(plan);
}

TEST(MergeAxes, N5_WholeTurnsMerge) {
  EXPECT_EQ(merged("gather f32 (i:2, j:3, k:4)\n indexed [24] = (12*i + 4*j + k) stride (1)\n dense [2,3,4] = (i, j, "
                   "k) stride (12,4,1)"),
            "gather f32 (i:24)\n  indexed [24] = (i) stride (1)\n  dense [24] = (i) stride (1)\n");
}

TEST(MergeAxes, N5_OnlyWhatFitsEverywhere) {
  EXPECT_EQ(merged("gather f32 (i:2, j:3, k:4)\n indexed [9,12] = (%0, 4*j + k) stride (12,1)\n"
                   " dense [2,3,4] = (i, j, k) stride (12,4,1)\n %0 i64 [2] = (i) stride (1) in [0,9) trap"),
            "gather f32 (i:2, j:12)\n  indexed [9,12] = (%0, j) stride (12,1)\n  dense [2,12] = (i, j) stride (12,1)\n"
            "  %0 i64 [2] = (i) stride (1) in [0,9) trap\n");
}

TEST(MergeAxes, N5_StillAxesMerge) {
  EXPECT_EQ(merged("gather f32 (i:2, j:3)\n indexed [] = () stride ()\n dense [2,3] = (i, j) stride (3,1)"),
            "gather f32 (i:6)\n  indexed [] = () stride ()\n  dense [6] = (i) stride (1)\n");
}

TEST(MergeAxes, N5_PaddingAndMasksKeepThemApart) {
  for (const char* text :
       {"gather f32 (i:2, j:3)\n  indexed [6] = (3*i + j) stride (1)\n  dense [2,3] = (i, j) stride (4,1)\n",
        "gather f32 (i:2, j:3)\n  indexed [6] = (3*i + j) stride (1)\n  dense [2,3] = (i, j) stride (3,1)\n  mask [3] "
        "= (j) stride (1)\n",
        "gather f32 (i:2, j:3)\n  indexed [6] = (3*i + j) stride (1)\n  dense [2,3] = (i, j) stride (3,1)\n  fill [2] "
        "= (i) stride (1)\n"})
    EXPECT_EQ(merged(text), text);
}

TEST(MergeAxes, N5_ScattersMerge) {
  EXPECT_EQ(merged("scatter f32 add (i:2, j:3)\n indexed [9] = (%0) stride (1)\n dense [2,3] = (i, j) stride (3,1)\n"
                   " %0 i64 [2,3] = (i, j) stride (3,1) in [0,9) drop"),
            "scatter f32 add (i:6)\n  indexed [9] = (%0) stride (1)\n  dense [6] = (i) stride (1)\n"
            "  %0 i64 [6] = (i) stride (1) in [0,9) drop\n");
}

}  // namespace
}  // namespace garner
