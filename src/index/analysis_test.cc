#include "garner/analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "garner/error.h"
#include "garner/torch.h"

namespace garner {
namespace {

using ::testing::ElementsAre;

std::vector<Index> values(const Tensor& t) { return {t.as<Index>(), t.as<Index>() + t.elements()}; }

IndexFacts facts(const View& indices, Index extent) { return value_or_throw(analyse(indices, extent)).facts(); }

TEST(Analyse, FactsOfSmallOnes) {
  const IndexFacts f = facts(tensor({3LL, 0LL, 3LL, 7LL}), 8);
  EXPECT_EQ(std::tuple(f.count, f.extent, f.min, f.max), std::tuple(4, 8, 0, 7));
  EXPECT_EQ(std::tuple(f.in_range, f.sorted, f.unique), std::tuple(true, false, false));
  EXPECT_FALSE(facts(tensor({3LL, 0LL}), 3).in_range);
  EXPECT_FALSE(facts(tensor({-1LL, 0LL}), 3).in_range);
  EXPECT_TRUE(facts(tensor({2, 0, 1}), 3).unique);
  EXPECT_TRUE(facts(tensor({0, 1, 1}), 3).sorted);
  EXPECT_FALSE(facts(tensor({0, 1, 1}), 3).unique);
}

TEST(Analyse, NothingAndOne) {
  const Tensor none = value_or_throw(Tensor::empty(DType::kI32, {0}));
  const IndexFacts f = facts(none, 5);
  EXPECT_EQ(std::tuple(f.count, f.min, f.max, f.in_range, f.sorted, f.unique), std::tuple(0, 0, -1, true, true, true));
  EXPECT_EQ(values(*value_or_throw(analyse(none, 5)).segments()), std::vector<Index>{0});
  EXPECT_TRUE(facts(tensor({std::uint8_t{4}}), 5).in_range);
}

TEST(Analyse, EveryIndexTypeAndManyPieces) {
  for (const DType dtype : {DType::kI32, DType::kI64, DType::kU32, DType::kU64}) {
    Tensor t = value_or_throw(Tensor::empty(dtype, {300000}));
    for (Index i = 0; i < t.elements(); ++i) {
      if (width(dtype) == 4) t.as<std::int32_t>()[i] = static_cast<std::int32_t>(i);
      else t.as<std::int64_t>()[i] = i;
    }
    const IndexFacts f = facts(t, 300000);
    EXPECT_EQ(std::tuple(f.min, f.max, f.sorted, f.unique, f.in_range), std::tuple(0, 299999, true, true, true));
  }
}

TEST(Analyse, PermutationAndSegments) {
  const AnalysedIndices a = value_or_throw(analyse(tensor({5LL, 2LL, 5LL, 0LL, 2LL}), 6));
  EXPECT_THAT(values(*a.permutation()), ElementsAre(3, 1, 4, 0, 2));
  EXPECT_THAT(values(*a.segments()), ElementsAre(0, 1, 3, 5));
}

TEST(Analyse, AxesDoNotCount) {
  const AnalysedIndices a = value_or_throw(analyse(tensor({{5LL, 1LL}, {7LL, 1LL}}), 8));
  EXPECT_FALSE(a.facts().unique);
  EXPECT_THAT(values(*a.permutation()), ElementsAre(1, 3, 0, 2));
}

TEST(Analyse, RefusesFloatsAndNegativeExtents) {
  EXPECT_EQ(analyse(tensor({1.0}), 3).status().rule, "P6");
  EXPECT_EQ(analyse(tensor({1LL}), -1).status().rule, "IX6");
}

TEST(Analyse, ProvedIndicesGiveTheSameAndBadOnesTheSameError) {
  const Tensor table = tensor({{1.F, 2.F}, {3.F, 4.F}, {5.F, 6.F}});
  const AnalysedIndices good = value_or_throw(analyse(tensor({2LL, 0LL}), 3));
  EXPECT_EQ(to_string(torch::index_select(table, 0, good.view())), "[[5. 6.]\n [1. 2.]]");
  const AnalysedIndices bad = value_or_throw(analyse(tensor({2LL, 3LL}), 3));
  EXPECT_THROW(torch::index_select(table, 0, bad.view()), IndexError);
  // Proved for one extent, asked with a smaller one.
  EXPECT_THROW(torch::index_select(tensor({{1.F}, {2.F}}), 0, good.view()), IndexError);
}

TEST(Analyse, TheCopyIsItsOwn) {
  std::vector<Index> ids{1, 0};
  const AnalysedIndices a = value_or_throw(analyse(View(ids), 2));
  ids[0] = 1000;
  const Tensor table = tensor({{1.F}, {2.F}});
  EXPECT_EQ(to_string(torch::index_select(table, 0, a.view())), "[[2.]\n [1.]]");
  EXPECT_THROW(torch::index_select(table, 0, View(ids)), IndexError);
}

TEST(Analyse, ForgottenWithTheLastCopy) {
  const Tensor table = tensor({{1.F}, {2.F}});
  for (int i = 0; i < 100; ++i) {
    const auto a = analyse(tensor({1LL, 0LL}), 2);
    const AnalysedIndices copy = *a;
    EXPECT_NO_THROW(torch::index_select(table, 0, copy.view()));
  }
  EXPECT_THROW(torch::index_select(table, 0, tensor({7LL, 0LL})), IndexError);
}

}  // namespace
}  // namespace garner
