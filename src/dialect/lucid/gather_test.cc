// What a .case cannot show of lucid: printing, the operation counter, exceptions, and memory it does not own.
#include <gtest/gtest.h>

#include "garner/error.h"
#include "garner/lucid.h"

namespace garner::lucid {
namespace {

const Tensor kX = tensor({{10, 20, 30}, {40, 50, 60}});
const Tensor kIndex = tensor({{2, 1}, {0, 2}});

TEST(Lucid, LU16_PrintsAsNumPyDoes) { EXPECT_EQ(to_string(gather(kX, 1, kIndex)), "[[30 20]\n [40 60]]"); }

TEST(Lucid, LU20_CountsOnePerIndex) { EXPECT_EQ(gather_flops(kIndex), 4); }

TEST(Lucid, LU3_ThrowsWhatPythonCallsValueError) { EXPECT_THROW(gather(kX, 2, kIndex), ArgumentError); }
TEST(Lucid, LU7_ThrowsWhatPythonCallsTypeError) { EXPECT_THROW(gather(kX, 1, tensor({{0.5F}})), TypeError); }

TEST(Lucid, LU6_NamesTheFirstOffender) {
  try {
    gather(kX, 1, tensor({{2, 1}, {0, 3}}));
    FAIL() << "no error";
  } catch (const IndexError& e) {
    EXPECT_EQ(e.rule(), "LU6");
    EXPECT_STREQ(e.what(), "lucid.gather: index[1,1] is 3, allowed [0, 3) on axis 1 of operand [2,3]");
  }
}

/// The transpose of x, read in place: strides (1, 3).
TEST(Lucid, LU10_ReadsStridedMemoryInPlace) {
  const View transposed(kX.as<int>(), {3, 2}, {1, 3});
  EXPECT_EQ(to_string(gather(transposed, 0, tensor({{2, 0}}))), "[[30 40]]");
}

}  // namespace
}  // namespace garner::lucid
