#include <gtest/gtest.h>

#include <ostream>

#include "plan/simplify/simplify.h"

namespace garner {
namespace {

struct Fold {
  const char* what;
  const char* before;
  const char* after;
};

void PrintTo(const Fold& f, std::ostream* out) { *out << f.what; }

class FoldAffineAxes : public testing::TestWithParam<Fold> {};

TEST_P(FoldAffineAxes, N2) {
  IndexPlan plan = *parse_plan(GetParam().before);
  ASSERT_TRUE(verify(plan).ok()) << verify(plan).message;
  fold_affine_axes(plan);
  EXPECT_EQ(print(plan), GetParam().after) << GetParam().what;
  EXPECT_FALSE(fold_affine_axes(plan));
  EXPECT_TRUE(verify(plan).ok()) << verify(plan).message;
}

INSTANTIATE_TEST_SUITE_P(
    Examples, FoldAffineAxes,
    testing::Values(
        Fold{"affine axes become one of stride 1",
             "gather f32 (i:3, j:4)\n indexed [3,4] = (i, j) stride (4,1)\n dense [3,4] = (i, j) stride (4,1)",
             "gather f32 (i:3, j:4)\n"
             "  indexed [12] = (4*i + j) stride (1)\n"
             "  dense [3,4] = (i, j) stride (4,1)\n"},
        Fold{"a term stays, its window moves, and its extent is the end of its bounds",
             "gather f32 (i:3, j:2)\n indexed [9] = (%0 + j + 1) stride (5)\n dense [3,2] = (i, j) stride (2,1)\n"
             " %0 i64 [3] = (i) stride (1) in [0,7) trap",
             "gather f32 (i:3, j:2)\n"
             "  indexed [7,6] = (%0, 5*j) stride (5,1) base 5\n"
             "  dense [3,2] = (i, j) stride (2,1)\n"
             "  %0 i64 [3] = (i) stride (1) in [0,7) trap\n"},
        Fold{"negative strides start at the lowest element",
             "gather f32 (i:4)\n indexed [4] = (i) stride (-2) base 6\n dense [4] = (i) stride (1)",
             "gather f32 (i:4)\n  indexed [7] = (-2*i + 6) stride (1)\n  dense [4] = (i) stride (1)\n"},
        Fold{"a fixed position is only an offset",
             "gather f32 (i:4)\n indexed [9,4] = (3, i) stride (4,0)\n dense [4] = (i) stride (1)",
             "gather f32 (i:4)\n  indexed [] = () stride () base 12\n  dense [4] = (i) stride (1)\n"},
        Fold{"bounds at position need their window",
             "gather f32 (i:4)\n indexed [9] = (%0 + i) stride (3)\n dense [4] = (i) stride (1)\n"
             " %0 i64 [] = () stride () in [0,9) fill at position",
             "gather f32 (i:4)\n  indexed [9] = (%0 + i) stride (3)\n  dense [4] = (i) stride (1)\n"
             "  %0 i64 [] = () stride () in [0,9) fill at position\n"}));

}  // namespace
}  // namespace garner
