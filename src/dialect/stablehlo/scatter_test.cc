// What .case files cannot say: user functions, several operands at once, results into given memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "garner/error.h"
#include "garner/stablehlo.h"

namespace garner::stablehlo {
namespace {

/// Elements of a vector.
const ScatterDims kElements{.inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}, .index_vector_dim = 1};

TEST(Stablehlo, scatter_C23_UserFunctionOnOneOperand) {
  const auto minus = computation<float>([](float old, float next) { return old - next; });
  const auto results = scatter({tensor({10.F, 20.F})}, tensor({1, 1}), {tensor({1.F, 2.F})}, kElements, minus);
  ASSERT_EQ(results.size(), 1U);
  EXPECT_TRUE(same_bits(results[0], tensor({10.F, 17.F})));
}

/// The largest value seen at each place and who brought it.
Computation keep_largest() {
  return computation<float, int>(
      [](const auto& old, const auto& next) { return std::get<0>(next) > std::get<0>(old) ? next : old; });
}

TEST(Stablehlo, scatter_C23_UserFunctionOnTwoOperandsTogether) {
  const Tensor best = tensor({0.F, 0.F, 5.F}), who = tensor({-1, -1, -1});
  const Tensor where = tensor<Index>({0, 1, 0, 2, 7, 0});
  const Tensor values = tensor({1.F, 2.F, 9.F, 4.F, 8.F, 3.F}), ids = tensor({10, 11, 12, 13, 14, 15});
  for (const int threads : {1, 2, 7}) {
    const ScatterOptions options{.run = {.threads = threads, .kernel = ""}};
    const auto results = scatter({best, who}, where, {values, ids}, kElements, keep_largest(), options);
    ASSERT_EQ(results.size(), 2U);
    EXPECT_TRUE(same_bits(results[0], tensor({9.F, 2.F, 5.F}))) << threads;
    EXPECT_TRUE(same_bits(results[1], tensor({12, 11, -1}))) << threads;
  }
}

TEST(Stablehlo, scatter_C24_InputsStayAsTheyAre) {
  const Tensor best = tensor({0.F}), who = tensor({-1});
  scatter({best, who}, tensor({0}), {tensor({1.F}), tensor({5})}, kElements, keep_largest());
  EXPECT_TRUE(same_bits(best, tensor({0.F})));
  EXPECT_TRUE(same_bits(who, tensor({-1})));
}

TEST(Stablehlo, scatter_C23_UserFunctionWithWindowsOverTheEdge) {
  const ScatterDims windows{.update_window_dims = {1}, .scatter_dims_to_operand_dims = {0}, .index_vector_dim = 1};
  const auto minus = computation<int>([](int old, int next) { return old - next; });
  const Tensor input = tensor({0, 0, 0}), updates = tensor({{1, 2}, {3, 4}}), starts = tensor({2, 0});
  EXPECT_TRUE(same_bits(scatter({input}, starts, {updates}, windows, minus)[0], tensor({-3, -4, -1})));
  const ScatterOptions options{.out_of_bounds = OutOfBounds::kSkipWindow};
  EXPECT_TRUE(same_bits(scatter({input}, starts, {updates}, windows, minus, options)[0], tensor({-3, -4, 0})));
}

TEST(Stablehlo, scatter_C25_ResultsHaveTheComputationsType) {
  const auto add = computation<double>([](double old, double next) { return old + next; });
  const auto results = scatter({tensor({1.F, 2.F})}, tensor({0}), {tensor({0.5F})}, kElements, add);
  EXPECT_TRUE(same_bits(results[0], tensor({1.5, 2.0})));
}

TEST(Stablehlo, scatter_C25_BuiltInComputationsTooCanBeWider) {
  const Computation wide{.combine = Combine::kAdd, .user = {}, .types = {DType::kI64}};
  const auto results = scatter({tensor({2147483647})}, tensor({0}), {tensor({1})}, kElements, wide);
  EXPECT_TRUE(same_bits(results[0], tensor({Index{2147483648}})));
}

std::string rule_of(const Computation& computation) {
  const auto jobs = lower_scatter({tensor({1.F, 2.F})}, tensor({0}), {tensor({0.5F})}, kElements, computation);
  EXPECT_EQ(jobs.status().code, jobs.ok() ? Code::kOk : Code::kType);
  return jobs.status().rule;
}

TEST(Stablehlo, scatter_C23_TypesOfTheComputation) {
  const auto first = [](auto old, auto) { return old; };
  EXPECT_EQ(rule_of(computation<float>(first)), "");
  EXPECT_EQ(rule_of(computation<int>(first)), "scatter_C23") << "another kind of number";
  EXPECT_EQ(rule_of(computation<std::complex<float>>(first)), "scatter_C23") << "another kind of number";
  EXPECT_EQ(rule_of(computation<float, float>(first)), "scatter_C23") << "two operands";
  EXPECT_EQ(rule_of({.combine = Combine::kAdd, .user = {}, .types = {DType::kF16}}), "scatter_C23") << "narrower";
}

TEST(Stablehlo, scatter_C23_FunctionAndWordBelongTogether) {
  EXPECT_EQ(rule_of({.combine = Combine::kUser}), "scatter_C23") << "no function";
  EXPECT_EQ(rule_of({.combine = Combine::kCompareExchange}), "scatter_C23") << "not a function of two values";
}

TEST(Stablehlo, scatter_C24_ResultOfAnotherShapeIsUntouched) {
  const Tensor input = tensor({1, 2}), where = tensor({0}), update = tensor({5});
  const auto jobs = lower_scatter({input}, where, {update}, kElements);
  std::vector<int> out(3, -1);
  EXPECT_FALSE(run_into((*jobs)[0], MutableView(out)).ok());
  EXPECT_THAT(out, testing::Each(-1));
}

TEST(Stablehlo, scatter_C25_ResultOfAnotherDtypeIsRefused) {
  const Tensor input = tensor({1, 2}), where = tensor({0}), update = tensor({5});
  const auto jobs = lower_scatter({input}, where, {update}, kElements);
  std::vector<float> out(2, -1);
  EXPECT_EQ(run_into((*jobs)[0], MutableView(out)).code, Code::kType);
}

TEST(Stablehlo, scatter_C5_OneJobPerInputUnlessAUserJoinsThem) {
  const Tensor a = tensor({1, 2}), b = tensor({5}), where = tensor({0});
  EXPECT_EQ(lower_scatter({a, a}, where, {b, b}, kElements)->size(), 2U);
  const auto first = computation<int, int>([](const auto& old, const auto&) { return old; });
  EXPECT_EQ(lower_scatter({a, a}, where, {b, b}, kElements, first)->size(), 1U);
}

TEST(Stablehlo, scatter_C6_MessageNamesTheUpdate) {
  const auto jobs = lower_scatter({tensor({1, 2})}, tensor({0}), {tensor({5.F})}, kElements);
  EXPECT_EQ(jobs.status().message, "stablehlo.scatter: updates[0] is f32, allowed i32 (the dtype of its input)");
}

}  // namespace
}  // namespace garner::stablehlo
