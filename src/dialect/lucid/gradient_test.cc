// The gradients of lucid's document: LU12–LU15, and what it prints.
#include <gtest/gtest.h>

#include "garner/call.h"
#include "garner/error.h"
#include "garner/grad.h"
#include "garner/lucid.h"

namespace garner::lucid {
namespace {

using grad::Var;

grad::Lowering gathering(const Tensor& index) {
  return [index](const std::vector<View>& v) { return lower_gather(v[0], 1, index); };
}

TEST(LucidGradient, LU12_LU13_LU15_LU17_TheDocumentsExample) {
  const Var x = grad::lucid_leaf(tensor({{10LL, 20LL, 30LL}, {40LL, 50LL, 60LL}}), "x");
  const Var out = grad::call({x}, gathering(tensor({{2, 1}, {0, 2}})));
  EXPECT_EQ(to_string(out.value()), "[[30 20]\n [40 60]]");
  grad::sum(out).backward();
  EXPECT_EQ(x.grad().dtype(), DType::kI64);
  EXPECT_EQ(to_string(x.grad().value()), "[[0 1 1]\n [1 0 1]]");
}

TEST(LucidGradient, LU13_DuplicatesAddUpAndOtherRowsGetNothing) {
  const Var x(tensor({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}}), true);
  const Tensor index = tensor({{1, 1, 1}});
  grad::call({x}, gathering(index)).backward(Var(tensor({{1.0, 10.0, 100.0}})));
  EXPECT_TRUE(same_bits(x.grad().value(), tensor({{0.0, 111.0}, {0.0, 0.0}, {0.0, 0.0}})));
}

TEST(LucidGradient, LU14_TheIndexGetsZeros) {
  const Tensor x = tensor({{1.0, 2.0}}), index = tensor({{1, 0, 1}});
  const Call call{"lucid", "gather", {{"", {x}}, {"dim", {Index{1}}}, {"index", {index}}}};
  const auto gradients = value_or_throw(vjp(call, {tensor({{1.0, 2.0, 4.0}})}));
  EXPECT_TRUE(same_bits(std::get<Tensor>(gradients[0].value.held), tensor({{2.0, 5.0}})));
  EXPECT_TRUE(gradients[1].value.is_none());
  EXPECT_TRUE(same_bits(std::get<Tensor>(gradients[2].value.held), tensor({{0, 0, 0}})));
}

TEST(LucidGradient, LU15_BackwardSeedsOnes) {
  const Var x(tensor({{1.0, 2.0}}), true);
  grad::call({x}, gathering(tensor({{1, 1}}))).backward();
  EXPECT_TRUE(same_bits(x.grad().value(), tensor({{0.0, 2.0}})));
}

TEST(LucidGradient, LU6_ABadIndexIsFoundForwards) {
  const Var x(tensor({{1.0, 2.0}}), true);
  EXPECT_THROW(grad::call({x}, gathering(tensor({{2}}))), IndexError);
}

}  // namespace
}  // namespace garner::lucid
