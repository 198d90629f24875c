// Corners of the gather and scatter rules that central differences do not reach: ties, zeros, duplicates, NaN, views.
#include <cmath>

#include "garner/torch.h"
#include "grad/test_grad.h"
#include "run/job_builder.h"

namespace garner::grad {
namespace {

/// x[index] (op)= u along the first axis.
Lowering scattering(const Tensor& index, Combine combine, OutOfRange outside = OutOfRange::kTrap) {
  return [index, combine, outside](const std::vector<View>& v) -> Result<Job> {
    auto job = JobBuilder::scatter("test.scatter", v[0], v[1], combine);
    job.look_up(0, job.term(index, {0}, {.hi = v[0].extent(0), .policy = outside}, "index", "T1"));
    return std::move(job).build();
  };
}

std::vector<Tensor> both_gradients(const Tensor& x, const Tensor& u, const Lowering& lower, const Tensor& seed,
                                   Ties ties = Ties::kFirst) {
  const Var a(x, true), b(u, true);
  call({a, b}, lower, ties).backward(Var(seed));
  return {a.grad().value(), b.grad().value()};
}

TEST(ScatterRules, TheFirstOfEqualCandidatesHasItAll) {
  const auto lower = scattering(tensor<Index>({0, 0, 1, 1}), Combine::kMax);
  const auto g = both_gradients(tensor({5.0, 1.0}), tensor({5.0, 2.0, 7.0, 7.0}), lower, tensor({1.0, 10.0}));
  EXPECT_TRUE(same_bits(g[0], tensor({1.0, 0.0})));
  EXPECT_TRUE(same_bits(g[1], tensor({0.0, 0.0, 10.0, 0.0})));
}

TEST(ScatterRules, EqualCandidatesShare) {
  const auto lower = scattering(tensor<Index>({0, 0, 1, 1}), Combine::kMin);
  const auto g =
      both_gradients(tensor({5.0, 9.0}), tensor({5.0, 8.0, 7.0, 7.0}), lower, tensor({1.0, 10.0}), Ties::kEven);
  EXPECT_TRUE(same_bits(g[0], tensor({0.5, 0.0})));
  EXPECT_TRUE(same_bits(g[1], tensor({0.5, 0.0, 5.0, 5.0})));
}

TEST(ScatterRules, ANaNThatWonHasTheGradient) {
  const auto lower = scattering(tensor<Index>({0, 0}), Combine::kMax);
  const auto g = both_gradients(tensor({5.0}), tensor({std::nan(""), 8.0}), lower, tensor({1.0}));
  EXPECT_TRUE(same_bits(g[0], tensor({0.0})));
  EXPECT_TRUE(same_bits(g[1], tensor({1.0, 0.0})));
}

TEST(ScatterRules, ProductsWithZeros) {
  const auto lower = scattering(tensor<Index>({0, 0, 1, 1, 2}), Combine::kMul);
  const auto g =
      both_gradients(tensor({2.0, 3.0, 0.0}), tensor({0.0, 5.0, 0.0, 0.0, 7.0}), lower, tensor({1.0, 1.0, 10.0}));
  EXPECT_TRUE(same_bits(g[0], tensor({0.0, 0.0, 70.0})));
  EXPECT_TRUE(same_bits(g[1], tensor({10.0, 0.0, 0.0, 0.0, 0.0})));
}

TEST(ScatterRules, G10_NoSecondDerivativeOfAProductWithAZero) {
  const Var x(tensor({2.0}), true), u(tensor({0.0, 5.0}), true);
  const Var y = call({x, u}, scattering(tensor<Index>({0, 0}), Combine::kMul));
  EXPECT_EQ(rule_of([&] { (void)gradients({y}, {x}, {}, {.create_graph = true}); }), "G10");
}

TEST(ScatterRules, ComplexProductsConjugate) {
  using C = std::complex<double>;
  const Var x(tensor({C(1, 2)}), true), u(tensor({C(3, -1)}), true);
  call({x, u}, scattering(tensor<Index>({0}), Combine::kMul)).backward();
  EXPECT_LT(std::abs(x.grad().value().as<C>()[0] - C(3, 1)), 1e-14);
  EXPECT_LT(std::abs(u.grad().value().as<C>()[0] - C(1, -2)), 1e-14);
}

TEST(ScatterRules, WhatWasOverwrittenHasNoSayEvenInNaN) {
  const auto lower = scattering(tensor<Index>({1, 1, 9}), Combine::kAssign, OutOfRange::kDrop);
  const auto g = both_gradients(tensor({1.0, 2.0}), tensor({3.0, 4.0, 5.0}), lower, tensor({1.0, std::nan("")}));
  EXPECT_TRUE(same_bits(g[0], tensor({1.0, 0.0})));
  EXPECT_EQ(g[1].as<double>()[0], 0);
  EXPECT_TRUE(std::isnan(g[1].as<double>()[1]));
  EXPECT_EQ(g[1].as<double>()[2], 0);
}

TEST(ScatterRules, BitsAndFetchesHaveNone) {
  const Var x(tensor({1.0, 2.0}), true), u(tensor({3.0}), true);
  const Lowering fetching = [](const std::vector<View>& v) -> Result<Job> {
    auto job = JobBuilder::scatter("test.fetch", v[0], v[1], Combine::kAdd);
    job.follow(0, 0).fetch();
    return std::move(job).build();
  };
  EXPECT_EQ(rule_of([&] { call({x, u}, fetching); }), "G10");
  const NoGrad quiet;
  EXPECT_EQ(call({x, u}, fetching).elements(), 1);
}

TEST(GatherRules, AFilledReadSendsItsGradientToTheFill) {
  const Var x(tensor({1.0, 2.0}), true), fill(tensor({7.0}), true);
  const Tensor index = tensor<Index>({1, 5, -1, 1});
  const Var y = call({x, fill}, [&](const std::vector<View>& v) -> Result<Job> {
    auto job = JobBuilder::gather("test.fill", v[0], {4});
    job.look_up(0, job.term(index, {0}, {.hi = 2, .policy = OutOfRange::kFill}, "index", "T1"));
    return std::move(job.fill(v[1])).build();
  });
  EXPECT_TRUE(same_bits(y.value(), tensor({2.0, 7.0, 7.0, 2.0})));
  y.backward(Var(tensor({1.0, 10.0, 100.0, 1000.0})));
  EXPECT_TRUE(same_bits(x.grad().value(), tensor({0.0, 1001.0})));
  EXPECT_TRUE(same_bits(fill.grad().value(), tensor({110.0})));
}

TEST(GatherRules, ThroughAViewOfTheInput) {
  const Var x(tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}), true);
  // The second column, backwards, read twice.
  const Var y = call({x}, [](const std::vector<View>& v) -> Result<Job> {
    const View column(DType::kF64, static_cast<const double*>(v[0].data()) + 4, {2, 2}, {-3, 0});
    auto job = JobBuilder::gather("test.view", column, {2, 2});
    job.follow(0, 0).follow(1, 1);
    return std::move(job).build();
  });
  EXPECT_TRUE(same_bits(y.value(), tensor({{5.0, 5.0}, {2.0, 2.0}})));
  y.backward(Var(tensor({{1.0, 10.0}, {100.0, 1000.0}})));
  EXPECT_TRUE(same_bits(x.grad().value(), tensor({{0.0, 1100.0, 0.0}, {0.0, 11.0, 0.0}})));
}

TEST(GatherRules, IndicesMayChangeAfterTheCall) {
  Tensor index = tensor<Index>({1, 0});
  const Var x(tensor({1.0, 2.0}), true);
  const Var y = call({x}, [&](const std::vector<View>& v) { return torch::lower_gather(v[0], 0, index); });
  index.as<Index>()[0] = 99;
  y.backward(Var(tensor({1.0, 10.0})));
  EXPECT_TRUE(same_bits(x.grad().value(), tensor({10.0, 1.0})));
}

TEST(GatherRules, G11_AnInputThatIsNotRead) {
  const Var x(tensor({1.0, 2.0}), true), other(tensor({1.0}), true);
  const Tensor index = tensor<Index>({1, 0});
  const auto lower = [&](const std::vector<View>& v) { return torch::lower_gather(v[0], 0, index); };
  EXPECT_EQ(rule_of([&] { call({x, other}, lower); }), "G11");
}

TEST(Vjp, OfAJobAlone) {
  const Tensor x = tensor({1.0, 2.0, 3.0}), index = tensor<Index>({2, 2}), u = tensor({5.0, 7.0});
  const Job add = value_or_throw(torch::lower_scatter_add(x, 0, index, u));
  const JobGradients g = vjp(add, tensor({1.0, 10.0, 100.0}));
  EXPECT_TRUE(same_bits(*g.operand, tensor({1.0, 10.0, 100.0})));
  EXPECT_TRUE(same_bits(*g.updates, tensor({100.0, 100.0})));
  EXPECT_FALSE(g.fill.has_value());
  EXPECT_EQ(rule_of([&] { (void)vjp(add, tensor({1.0})); }), "G3");
  EXPECT_EQ(rule_of([&] { (void)vjp(add, tensor({1.F, 2.F, 3.F})); }), "G3");
}

TEST(Vjp, OfNothing) {
  const Tensor x = tensor({1.0, 2.0}), none = value_or_throw(Tensor::zeros(DType::kI64, {0}));
  const Job job = value_or_throw(torch::lower_index_select(x, 0, none));
  const JobGradients g = vjp(job, value_or_throw(Tensor::zeros(DType::kF64, {0})));
  EXPECT_TRUE(same_bits(*g.operand, tensor({0.0, 0.0})));
}

}  // namespace
}  // namespace garner::grad
