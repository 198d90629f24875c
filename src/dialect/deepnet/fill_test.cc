// The forms that write into memory the caller has, and what a conformance case cannot say.
#include <gmock/gmock.h>

#include "garner/deepnet.h"
#include "garner/dlpack.h"
#include "garner/error.h"

namespace garner::deepnet {
namespace {

using ::testing::ElementsAre;

Tensor source() { return tensor({{0.0, 0.1, 0.2, 0.3}, {1.0, 1.1, 1.2, 1.3}, {2.0, 2.1, 2.2, 2.3}}); }

/// The rule a call breaks, "" for none.
template <class Call>
std::string rule_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) { return error.rule(); }
  return "";
}

TEST(Deepnet, DN17_TwoCallsOfTheGuide) {
  const Tensor i0 = tensor<Index>({1, 2, 0, 0}), i1 = tensor<Index>({3, 1, 0, 3}), j1 = tensor<Index>({3, 1, 0});
  EXPECT_TRUE(same_bits(gather({i0, i1}, source()), tensor({1.3, 2.1, 0.0, 0.3})));
  EXPECT_TRUE(same_bits(gather({std::nullopt, j1}, source()), tensor({0.3, 1.1, 2.0})));
}

TEST(Deepnet, DN24_FillGatherOverwritesTheTarget) {
  std::vector<double> target(4, 9.0);
  fill_gather(target, {tensor<Index>({1, 2, 0, 0}), tensor<Index>({3, 1, 0, 3})}, source());
  EXPECT_THAT(target, ElementsAre(1.3, 2.1, 0.0, 0.3));
}

TEST(Deepnet, DN24_FillGatherBroadcastsToTheTarget) {
  std::vector<double> target(4, 9.0);
  fill_gather(MutableView(target.data(), {2, 2}), {tensor<Index>({2}), tensor<Index>({0, 3})}, source());
  EXPECT_THAT(target, ElementsAre(2.0, 2.3, 2.0, 2.3));
}

TEST(Deepnet, DN24_FillGatherAllNoneCopiesTheCorner) {
  std::vector<double> target(4, 9.0);
  FillGather(MutableView(target.data(), {2, 2}), {std::nullopt, std::nullopt}, source());
  EXPECT_THAT(target, ElementsAre(0.0, 0.1, 1.0, 1.1));
}

TEST(Deepnet, DN24_FillGatherKeepsWhatLiesBetweenStrides) {
  std::vector<double> target(6, 9.0);
  fill_gather(MutableView(target.data(), {3}, {2}), {std::nullopt, tensor<Index>({3, 1, 0})}, source());
  EXPECT_THAT(target, ElementsAre(0.3, 9.0, 1.1, 9.0, 2.0, 9.0));
}

TEST(Deepnet, DN24_FillScatterZeroesTheTargetFirst) {
  std::vector<double> target(4, 9.0);
  fill_scatter(target, {tensor<Index>({1, 1, 3})}, tensor({1.0, 2.0, 4.0}));
  EXPECT_THAT(target, ElementsAre(0.0, 3.0, 0.0, 4.0));
  FillScatter(target, {tensor<Index>({0})}, tensor({5.0}));
  EXPECT_THAT(target, ElementsAre(5.0, 0.0, 0.0, 0.0));
}

TEST(Deepnet, DN24_ARefusedFillLeavesTheTarget) {
  std::vector<double> target(4, 9.0);
  const Tensor two = tensor<Index>({0, 1}), values = tensor({1.0, 2.0, 3.0});
  EXPECT_EQ(rule_of([&] { fill_gather(target, {two, two}, values); }), "DN11");
  EXPECT_EQ(rule_of([&] { fill_gather(target, {two}, values); }), "DN13");
  EXPECT_EQ(rule_of([&] { fill_gather(target, {tensor<Index>({0}), std::nullopt}, source()); }), "DN15");
  EXPECT_EQ(rule_of([&] { fill_gather(target, {std::nullopt}, values); }), "DN16");
  EXPECT_EQ(rule_of([&] { fill_gather(target, {tensor({0.5})}, values); }), "DN0");
  EXPECT_EQ(rule_of([&] { fill_scatter(target, {two}, values); }), "DN18");
  EXPECT_EQ(rule_of([&] { fill_scatter(target, {std::nullopt}, tensor({1.0, 2.0, 3.0, 4.0, 5.0})); }), "DN21");
  EXPECT_NE(rule_of([&] { fill_scatter(target, {tensor<Index>({0})}, tensor({1.0F})); }), "");
  EXPECT_THAT(target, ElementsAre(9.0, 9.0, 9.0, 9.0));
}

TEST(Deepnet, DN16_DN21_ErrorClasses) {
  EXPECT_THROW(gather({tensor<Index>({3})}, tensor({1.0})), IndexError);
  EXPECT_THROW(gather({std::nullopt, tensor<Index>({0, 0, 0, 0})}, source()), IndexError);
  EXPECT_THROW(scatter({tensor<Index>({3})}, {2}, tensor({1.0})), IndexError);
  EXPECT_THROW(gather({std::nullopt}, tensor({1.0})), ArgumentError);
  EXPECT_THROW(gather({tensor({0.0})}, tensor({1.0})), TypeError);
}

TEST(Deepnet, DN23_SourceAndIndicesOnDifferentDevices) {
  const Tensor values = tensor({1.0, 2.0, 3.0}), index = tensor<Index>({0, 1});
  const Device cuda{DeviceKind::kCuda, 0};
  EXPECT_EQ(rule_of([&] { gather({index}, View(values).on(cuda)); }), "P23");
  EXPECT_EQ(rule_of([&] { scatter({View(index).on(cuda)}, {4}, tensor({1.0, 2.0})); }), "P23");
}

}  // namespace
}  // namespace garner::deepnet
