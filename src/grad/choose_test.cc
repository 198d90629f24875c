#include "grad/test_grad.h"

namespace garner::grad {
namespace {

/// Numbers that are all different, in no order.
Tensor mixed(Numbers& numbers, const Axes& shape) {
  Tensor t = numbers.tensor(shape);
  for (Index i = 0; i < t.elements(); ++i) t.as<double>()[i] += static_cast<double>(i * 37 % 101);
  return t;
}

TEST(Choose, SortAndTopKSendGradientsBack) {
  for_seeds(6, [](Numbers& numbers) {
    const Tensor a = mixed(numbers, {3, 5});
    expect_gradients([](const Inputs& v) { return sort(v[0], 0).values; }, {a});
    expect_gradients([](const Inputs& v) { return sort(v[0], -1, true).values; }, {a});
    expect_gradients([](const Inputs& v) { return top_k(v[0], 2, 1).values; }, {a});
    expect_gradients([](const Inputs& v) { return top_k(v[0], 2, 0, false).values; }, {a});
  });
}

TEST(Choose, MasksAndWhere) {
  for_seeds(6, [](Numbers& numbers) {
    const Tensor a = numbers.tensor({2, 3}), b = numbers.tensor({3}), mask = tensor({{true, false, true}});
    expect_gradients([&](const Inputs& v) { return masked_select(v[0], mask); }, {a});
    expect_gradients([&](const Inputs& v) { return masked_select(v[0], tensor({{true}, {false}})); }, {b});
    expect_gradients([&](const Inputs& v) { return where(mask, v[0], v[1]); }, {a, b});
    expect_gradients([&](const Inputs& v) { return where(mask, v[0], v[0] * v[1]); }, {a, b});
  });
}

TEST(Choose, SecondDerivatives) {
  for_seeds(3, [](Numbers& numbers) {
    const Tensor a = mixed(numbers, {4}), b = numbers.tensor({4}), mask = tensor({true, false, true, true});
    const Function f = [&](const Inputs& v) {
      const Var top = top_k(v[0], 2).values, some = where(mask, v[0], v[1]);
      return sum(top * top) + sum(some * some * v[1]);
    };
    expect_gradients(gradient_of(f), {a, b}, 1e-5);
  });
}

TEST(Choose, G5_Refusals) {
  const Var a(tensor({1.0, 2.0}), true);
  EXPECT_EQ(rule_of([&] { (void)where(tensor({true, false, true}), a, a); }), "G5");
  EXPECT_EQ(rule_of([&] { (void)masked_select(a, tensor({true, false, true})); }), "G5");
  EXPECT_EQ(rule_of([&] { (void)masked_select(a, tensor({1, 0})); }), "G5");
  EXPECT_EQ(rule_of([&] { (void)take_along(a, tensor<Index>({0}), 1); }), "G5");
  EXPECT_EQ(rule_of([&] { (void)take_along(a, tensor<Index>({2}), 0); }), "IX7");
  EXPECT_EQ(rule_of([&] { (void)top_k(a, 3); }), "IX6");
}

TEST(Choose, GradientsOfConstantsAreNotRecorded) {
  const Var a(tensor({3.0, 1.0, 2.0}));
  EXPECT_FALSE(sort(a).values.requires_grad());
  EXPECT_TRUE(same_bits(sort(a).indices, tensor<Index>({1, 2, 0})));
}

}  // namespace
}  // namespace garner::grad
