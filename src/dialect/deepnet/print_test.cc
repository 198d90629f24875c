#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numeric>

#include "garner/deepnet.h"

namespace garner::deepnet {
namespace {

template <class T>
std::vector<T> iota(std::size_t count) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), T{});
  return values;
}

TEST(Deepnet, DN25_FloatsAreNineWide) {
  EXPECT_EQ(deepnet::to_string(tensor({1.3, 2.1})), "[   1.3000    2.1000]");
  EXPECT_EQ(deepnet::to_string(tensor({-1.5F, 0.25F})), "[   -1.500    0.2500]");
  EXPECT_EQ(deepnet::to_string(scalar(12345.678)), "12345.6780");
}

TEST(Deepnet, DN25_IntegersAreFourWideBytesThree) {
  EXPECT_EQ(deepnet::to_string(tensor({1, -20, 30000})), "[   1  -20 30000]");
  EXPECT_EQ(deepnet::to_string(tensor<Index>({7})), "[   7]");
  EXPECT_EQ(deepnet::to_string(tensor<std::uint8_t>({7, 255})), "[  7 255]");
}

TEST(Deepnet, DN25_Bools) {
  const bool values[] = {true, false};
  EXPECT_EQ(deepnet::to_string(View(values, {2})), "[true  false]");
}

TEST(Deepnet, DN25_RowsAreIndentedByTheirDepth) {
  EXPECT_EQ(deepnet::to_string(tensor({{1, 2}, {3, 4}})), "[[   1    2]\n [   3    4]]");
  EXPECT_EQ(deepnet::to_string(tensor({{{1}, {2}}, {{3}, {4}}})), "[[[   1]\n  [   2]]\n [[   3]\n  [   4]]]");
}

TEST(Deepnet, DN25_TenEntriesAreShown) {
  EXPECT_EQ(deepnet::to_string(iota<std::int32_t>(10)), "[   0    1    2    3    4    5    6    7    8    9]");
}

TEST(Deepnet, DN25_OfMoreTheFirstFiveAndLastFour) {
  EXPECT_EQ(deepnet::to_string(iota<std::int32_t>(11)), "[   0    1    2    3    4  ...    7    8    9   10]");
  EXPECT_EQ(deepnet::to_string(View(iota<Index>(12))), "[   0    1    2    3    4 ...    8    9   10   11]");
  EXPECT_EQ(deepnet::to_string(iota<std::uint8_t>(12)), "[  0   1   2   3   4 ...   8   9  10  11]");
  EXPECT_EQ(deepnet::to_string(iota<float>(12)),
            "[   0.0000    1.0000    2.0000    3.0000    4.0000       ...    8.0000    9.0000   10.0000   11.0000]");
}

TEST(Deepnet, DN25_LongOuterDimensionsAreCutToo) {
  const auto values = iota<std::int32_t>(12);
  EXPECT_EQ(deepnet::to_string(View(values.data(), {12, 1})),
            "[[   0]\n [   1]\n [   2]\n [   3]\n [   4]\n  ...\n [   8]\n [   9]\n [  10]\n [  11]]");
}

TEST(Deepnet, DN25_Empty) {
  EXPECT_EQ(deepnet::to_string(View(static_cast<const float*>(nullptr), {0})), "[]");
  EXPECT_EQ(deepnet::to_string(View(static_cast<const float*>(nullptr), {2, 0})), "[[]\n []]");
}

TEST(Deepnet, DN25_NumbersWithoutAFormInTheSource) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(deepnet::to_string(tensor({std::nan(""), infinity, -infinity})), "[      NaN  Infinity -Infinity]");
  EXPECT_EQ(deepnet::to_string(tensor<std::int16_t>({-3})), "[  -3]");
  EXPECT_EQ(deepnet::to_string(tensor({std::complex<float>(1, 2)})), "[(1+2j)]");
}

TEST(Deepnet, DN25_AnInvalidViewPrintsItsRule) {
  EXPECT_EQ(deepnet::to_string(View(static_cast<const float*>(nullptr), {3})).front(), '<');
}

TEST(Deepnet, DN25_AsTheGuideWritesIt) {
  EXPECT_EQ(to_doc_string(tensor({1.3, 2.1, 0.0, 0.3})), "[1.3000    2.1000    0.0000    0.3000]");
  EXPECT_EQ(to_doc_string(tensor({{0.0, 0.6}, {2.0, 2.1}})), "[[   0.0000    0.6000]\n [   2.0000    2.1000]]");
  EXPECT_EQ(to_doc_string(View(static_cast<const float*>(nullptr), {0})), "[]");
}

TEST(Deepnet, DN26_PositionsAsLiterals) {
  EXPECT_EQ(deepnet::to_string(Axes{1, 3}), "[1L; 3L]");
  EXPECT_EQ(deepnet::to_string(Axes{}), "[]");
  EXPECT_EQ(deepnet::to_string(std::optional<Axes>(Axes{0, 2})), "Some [0L; 2L]");
  EXPECT_EQ(deepnet::to_string(std::optional<Axes>()), "None");
  EXPECT_EQ(deepnet::to_string(std::vector<Axes>{{0, 0}, {0, 1}}), "seq [[0L; 0L]; [0L; 1L]]");
}

TEST(Deepnet, DN26_IndexTensorsAsLiterals) {
  EXPECT_EQ(to_doc_string(tensor<Index>({3, 3})), "[3L; 3L]");
  const std::vector<Index> rows{0, 0, 0, 2, 1, 1};
  EXPECT_EQ(to_doc_string(View(rows.data(), {3, 2})), "[[0L; 0L]\n [0L; 2L]\n [1L; 1L]]");
}

}  // namespace
}  // namespace garner::deepnet
