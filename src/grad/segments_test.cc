#include "grad/test_grad.h"

namespace garner::grad {
namespace {

using Segmented = Var (*)(const Var&, const View&, Index);

constexpr Segmented kAll[] = {segment_sum, segment_mean, segment_min, segment_max, segment_prod};

TEST(Segments, GradientsEqualDifferences) {
  for_seeds(4, [](Numbers& numbers) {
    const Tensor data = numbers.off_zero({6, 2}), ids = tensor<Index>({2, 0, 2, 1, 2, 0});
    for (const Segmented of : kAll) expect_gradients([&](const Inputs& v) { return of(v[0], ids, 3); }, {data});
  });
}

TEST(Segments, SecondDerivatives) {
  for_seeds(3, [](Numbers& numbers) {
    const Tensor data = numbers.off_zero({4}), ids = tensor<Index>({1, 0, 1, 1});
    for (const Segmented of : kAll) {
      const Function square = [&](const Inputs& v) { return of(v[0] * v[0], ids, 2); };
      expect_gradients(gradient_of(square), {data}, 1e-5);
    }
  });
}

TEST(Segments, TheFirstOfEqualRowsHasIt) {
  const Var data(tensor<double>({3, 5, 5, INFINITY}), true);
  segment_max(data, tensor<Index>({0, 0, 0, 1}), 3).backward(Var(tensor({1.0, 10.0, 100.0})));
  EXPECT_TRUE(same_bits(data.grad().value(), tensor({0.0, 1.0, 0.0, 10.0})));
  const Var low(tensor<double>({INFINITY, INFINITY}), true);  // what an empty segment holds, and yet a row
  segment_min(low, tensor<Index>({0, 0}), 1).backward();
  EXPECT_TRUE(same_bits(low.grad().value(), tensor({1.0, 0.0})));
}

TEST(Segments, BagsOfRows) {
  for_seeds(4, [](Numbers& numbers) {
    const Tensor table = numbers.tensor({4, 3}), weights = numbers.tensor({5});
    const Tensor indices = tensor<Index>({1, 3, 3, 0, 2}), begins = tensor<Index>({0, 2, 2, 5});
    const BagInput plain{indices, begins}, padded{indices, begins, Index{3}};
    for (const BagInput& bags : {plain, padded}) {
      expect_gradients([&](const Inputs& v) { return embedding_bag_sum(v[0], bags); }, {table});
      expect_gradients([&](const Inputs& v) { return embedding_bag_sum(v[0], bags, v[1]); }, {table, weights});
      expect_gradients([&](const Inputs& v) { return embedding_bag_mean(v[0], bags); }, {table});
      expect_gradients([&](const Inputs& v) { return embedding_bag_max(v[0], bags); }, {table});
    }
  });
}

TEST(Segments, EmptyBagsAreZero) {
  const Var table(tensor({{1.0, -2.0}}), true);
  const Tensor none = value_or_throw(Tensor::zeros(DType::kI64, {0})), begins = tensor<Index>({0, 0});
  for (const Var& out : {embedding_bag_sum(table, {none, begins}), embedding_bag_mean(table, {none, begins}),
                         embedding_bag_max(table, {none, begins})})
    EXPECT_TRUE(same_bits(out.value(), tensor({{0.0, 0.0}})));
}

TEST(Segments, Refusals) {
  const Var table(tensor({{1.0, 2.0}}), true);
  const Tensor index = tensor<Index>({0}), far = tensor<Index>({1}), begins = tensor<Index>({0, 1});
  EXPECT_EQ(rule_of([&] { (void)embedding_bag_sum(table, {far, begins}); }), "IX7");
  EXPECT_EQ(rule_of([&] { (void)embedding_bag_sum(table, {index, tensor<Index>({0, 2})}); }), "IX8");
  EXPECT_EQ(rule_of([&] { (void)segment_sum(table, far, 1); }), "IX7");
  EXPECT_EQ(rule_of([&] { (void)segment_sum(table, tensor({0.5}), 1); }), "IX3");
}

}  // namespace
}  // namespace garner::grad
