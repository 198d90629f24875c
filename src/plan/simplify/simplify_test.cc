// The normal form as a whole: what plans of real calls become.
#include <gtest/gtest.h>

#include <ostream>

#include "garner/error.h"
#include "plan/simplify/simplify.h"

namespace garner {
namespace {

struct Example {
  const char* what;
  const char* before;
  const char* after;
};

void PrintTo(const Example& e, std::ostream* out) { *out << e.what; }

class Simplify : public testing::TestWithParam<Example> {};

TEST_P(Simplify, NormalForm) {
  const IndexPlan before = value_or_throw(parse_plan(GetParam().before));
  ASSERT_TRUE(verify(before).ok()) << verify(before).message;
  const IndexPlan after = simplify(before);
  EXPECT_EQ(print(after), GetParam().after) << GetParam().what;
  EXPECT_EQ(simplify(after), after);
  EXPECT_TRUE(verify(after).ok()) << verify(after).message;
}

INSTANTIATE_TEST_SUITE_P(
    Examples, Simplify,
    testing::Values(
        Example{
            "a gather of rows over a matrix of indices has two axes",
            "gather f32 (i:5, j:2, k:3, l:4)\n indexed [100,3,4] = (%0, k, l) stride (12,4,1)\n"
            " dense [5,2,3,4] = (i, j, k, l) stride (24,12,4,1)\n %0 i64 [5,2] = (i, j) stride (2,1) in [0,100) trap",
            "gather f32 (i:10, j:12)\n  indexed [100,12] = (%0, j) stride (12,1)\n  dense [10,12] = (i, j) stride "
            "(12,1)\n"
            "  %0 i64 [10] = (i) stride (1) in [0,100) trap\n"},
        Example{"a u8 index into 256 entries is never checked",
                "gather f32 (i:7)\n indexed [256] = (%0) stride (1)\n dense [7] = (i) stride (1)\n"
                " %0 u8 [7] = (i) stride (1) in [0,256) trap",
                "gather f32 (i:7)\n  indexed [256] = (%0) stride (1)\n  dense [7] = (i) stride (1)\n"
                "  %0 u8 [7] = (i) stride (1) in [0,256) promise\n"},
        Example{
            "two reversed axes of an operand are one walk backwards",
            "gather f32 (i:2, j:3)\n indexed [2,3] = (i, j) stride (-3,-1) base 5\n dense [2,3] = (i, j) stride (3,1)",
            "gather f32 (i:6)\n  indexed [6] = (-i + 5) stride (1)\n  dense [6] = (i) stride (1)\n"},
        Example{"a copy is one axis",
                "gather f32 (i:2, j:1, k:3)\n indexed [2,1,3] = (i, j, k) stride (3,3,1)\n dense [2,1,3] = (i, j, k) "
                "stride (3,3,1)",
                "gather f32 (i:6)\n  indexed [6] = (i) stride (1)\n  dense [6] = (i) stride (1)\n"},
        Example{"a gather into a transposed result walks the result",
                "gather f32 (i:2, j:3)\n indexed [2,3] = (i, j) stride (3,1)\n dense [2,3] = (i, j) stride (1,2)",
                "gather f32 (i:3, j:2)\n  indexed [6] = (i + 3*j) stride (1)\n  dense [3,2] = (i, j) stride (2,1)\n"},
        Example{"a scatter from transposed updates stays as it is",
                "scatter f32 assign (i:2, j:3)\n indexed [9] = (%0) stride (1)\n dense [2,3] = (i, j) stride (1,2)\n"
                " %0 i64 [3] = (j) stride (1) in [0,9) drop",
                "scatter f32 assign (i:2, j:3)\n  indexed [9] = (%0) stride (1)\n  dense [2,3] = (i, j) stride (1,2)\n"
                "  %0 i64 [3] = (j) stride (1) in [0,9) drop\n"},
        Example{"one element",
                "gather f32 (i:1)\n indexed [4,5] = (%0, 2) stride (5,1)\n dense [1] = (i) stride (1)\n"
                " %0 i32 [1] = (i) stride (1) in [0,4) wrap 4 trap",
                "gather f32 ()\n  indexed [4] = (%0) stride (5) base 2\n  dense [] = () stride ()\n"
                "  %0 i32 [] = () stride () in [0,4) wrap 4 trap\n"},
        Example{"an empty domain is left alone",
                "gather f32 (i:1, j:0)\n indexed [4] = (9*i) stride (1)\n dense [1,0] = (i, j) stride (1,1)",
                "gather f32 (i:1, j:0)\n  indexed [4] = (9*i) stride (1)\n  dense [1,0] = (i, j) stride (1,1)\n"}));

}  // namespace
}  // namespace garner
