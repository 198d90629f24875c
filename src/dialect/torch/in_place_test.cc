// The forms that change memory the caller has, and what a case cannot say of torch.
#include <gmock/gmock.h>

#include "garner/error.h"
#include "garner/torch.h"

namespace garner::torch {
namespace {

using ::testing::ElementsAre;

Tensor places(std::initializer_list<Index> values) { return tensor<Index>(values); }

/// The rule a call breaks, "" for none.
template <class Call>
std::string rule_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) { return error.rule(); }
  return "";
}

TEST(Torch, ScatterInPlace) {
  std::vector<float> x{1, 2, 3};
  scatter_(x, 0, places({2, 0}), tensor({7.0F, 8.0F}));
  EXPECT_THAT(x, ElementsAre(8, 2, 7));
  scatter_(x, -1, places({1}), 5);
  EXPECT_THAT(x, ElementsAre(8, 5, 7));
  scatter_(x, 0, places({1, 1}), 2.0, Write::kMultiply);
  EXPECT_THAT(x, ElementsAre(8, 20, 7));
  scatter_add_(x, 0, places({0, 0}), tensor({1.0F, 1.0F}));
  EXPECT_THAT(x, ElementsAre(10, 20, 7));
}

TEST(Torch, ReductionsInPlace) {
  std::vector<double> x{1, 2, 3};
  scatter_reduce_(x, 0, places({0, 0, 1}), tensor({4.0, 8.0, 5.0}), {Reduce::kMean, false});
  EXPECT_THAT(x, ElementsAre(6, 5, 3));
  index_reduce_(x, 0, places({2, 2}), tensor({4.0, 2.0}), {Reduce::kProd, true});
  EXPECT_THAT(x, ElementsAre(6, 5, 24));
}

TEST(Torch, SlicesInPlace) {
  std::vector<int> x{1, 2, 3, 4, 5, 6};
  const MutableView rows(x.data(), {3, 2}), columns(x.data(), {2, 3}, {1, 2});
  index_add_(rows, 0, places({2, 2}), tensor({{10, 10}, {1, 1}}), 2);
  EXPECT_THAT(x, ElementsAre(1, 2, 3, 4, 27, 28));
  index_copy_(columns, 1, places({1}), tensor({{7}, {8}}));
  EXPECT_THAT(x, ElementsAre(1, 2, 7, 8, 27, 28));
  index_fill_(columns, 0, places({-1}), 0);
  EXPECT_THAT(x, ElementsAre(1, 0, 7, 0, 27, 0));
}

TEST(Torch, AllElementsInPlace) {
  std::vector<int> x{1, 2, 3, 4};
  const MutableView transposed(x.data(), {2, 2}, {1, 2});
  put_(transposed, places({1, -1}), tensor({9, 8}));  // row-major positions of the transposed matrix
  EXPECT_THAT(x, ElementsAre(1, 2, 9, 8));
  index_put_(transposed, {std::nullopt, places({0})}, scalar(5), true);
  EXPECT_THAT(x, ElementsAre(6, 7, 9, 8));
}

TEST(Torch, MasksInPlace) {
  std::vector<float> x{1, 2, 3};
  masked_fill_(x, tensor({true, false, true}), -1);
  EXPECT_THAT(x, ElementsAre(-1, 2, -1));
  masked_scatter_(x, tensor({true, true, false}), tensor({5.0F, 6.0F, 7.0F}));
  EXPECT_THAT(x, ElementsAre(5, 6, -1));
}

TEST(Torch, TO22_InPlaceTheMaskBroadcastsToSelf) {
  std::vector<float> x{1, 2, 3};
  const Tensor column = tensor({{true}, {false}});
  EXPECT_EQ(rule_of([&] { masked_fill_(x, column, 9); }), "TO22");
  EXPECT_EQ(rule_of([&] { masked_scatter_(x, column, tensor({1.0F, 2.0F, 3.0F})); }), "TO22");
  EXPECT_THAT(x, ElementsAre(1, 2, 3));
}

TEST(Torch, Rank0InPlace) {
  float x = 1;
  const MutableView self(&x, Axes{});
  scatter_(self, 0, scalar<Index>(0), scalar(3.0F));
  index_add_(self, 0, scalar<Index>(0), scalar(2.0F), 4);
  EXPECT_EQ(x, 11);
  scatter_reduce_(self, 0, scalar<Index>(0), scalar(5.0F), {Reduce::kMean});
  EXPECT_EQ(x, 8);
  put_(self, scalar<Index>(-1), scalar(6.0F));
  EXPECT_EQ(x, 6);
  masked_fill_(self, scalar(true), 7);
  EXPECT_EQ(x, 7);
}

TEST(Torch, ARefusedCallLeavesSelf) {
  std::vector<float> x{1, 2, 3};
  const Tensor one = tensor({1.0F}), three = places({3});
  EXPECT_EQ(rule_of([&] { scatter_(x, 1, places({0}), one); }), "TO1");
  EXPECT_EQ(rule_of([&] { scatter_(x, 0, places({0}), tensor({1})); }), "TO3");
  EXPECT_EQ(rule_of([&] { scatter_(x, 0, places({0}), 1e300); }), "TO4");
  EXPECT_EQ(rule_of([&] { index_add_(x, 0, places({0, 1}), one); }), "TO11");
  EXPECT_EQ(rule_of([&] { put_(x, three, one); }), "TO8");
  EXPECT_EQ(rule_of([&] { scatter_reduce_(x, 0, three, one, {Reduce::kAmax, false}); }), "TO8");
  EXPECT_EQ(rule_of([&] { index_reduce_(x, 0, places({0}), one, {Reduce::kSum}); }), "TO9");
  EXPECT_THAT(x, ElementsAre(1, 2, 3));
}

TEST(Torch, SelfMayNotOverlapTheSource) {
  std::vector<float> x{1, 2, 3};
  EXPECT_EQ(rule_of([&] { scatter_(x, 0, places({0}), View(x)); }), "P11");
}

TEST(Torch, ErrorClasses) {
  const Tensor x = tensor({1, 2, 3});
  EXPECT_THROW(gather(x, 1, places({0})), IndexError);
  EXPECT_THROW(gather(x, 0, places({3})), IndexError);
  EXPECT_THROW(gather(x, 0, tensor({0.5F})), ArgumentError);
  EXPECT_THROW(torch::argmax(tensor({std::complex<float>(1)})), TypeError);
  EXPECT_THROW(scatter_reduce(tensor({true}), 0, places({0}), tensor({true}), {Reduce::kMean}), UnsupportedError);
}

TEST(Torch, TO8_NamesTheFirstOffender) {
  try {
    index_put(tensor({{1, 2}, {3, 4}}), {places({0, 1}), places({1, -3})}, scalar(0));
    FAIL() << "no error";
  } catch (const IndexError& e) {
    EXPECT_STREQ(e.what(), "torch.index_put: indices[1][1] is -3, allowed [-2, 2) on axis 1 of operand [2,2]");
  }
}

TEST(Torch, TO4_ComplexNumbers) {
  const std::complex<double> i(0, 1);
  EXPECT_EQ(rule_of([&] { torch::masked_fill(tensor({1}), tensor({true}), i); }), "TO4");
  EXPECT_EQ(to_string(torch::masked_fill(tensor({false}), tensor({true}), i)), to_string(tensor({true})));
  const Tensor z = torch::masked_fill(tensor({std::complex<float>(2)}), tensor({true}), i);
  EXPECT_EQ(z.as<std::complex<float>>()[0], std::complex<float>(0, 1));
}

TEST(Torch, A5_AMeanIsNoPlan) {
  const Tensor x = tensor({1.0, 2.0}), at = places({0});
  EXPECT_EQ(lower_scatter_reduce(x, 0, at, tensor({1.0}), {Reduce::kMean}).status().rule, "A5");
  EXPECT_EQ(lower_index_reduce(x, 0, at, tensor({1.0}), {Reduce::kAmax, false}).status().rule, "A5");
  EXPECT_TRUE(lower_index_reduce(x, 0, at, tensor({1.0}), {Reduce::kAmax}).ok());
}

}  // namespace
}  // namespace garner::torch
