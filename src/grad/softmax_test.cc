#include "grad/test_grad.h"

namespace garner::grad {
namespace {

using garner::index::for_each_dtype;

TEST(Softmax, GradientsAreDifferences) {
  for_seeds(12, [&](Numbers& numbers) {
    Axes shape = numbers.shape(2);
    shape.push_back(1 + numbers.shapes().below(4));
    const auto rank = static_cast<Index>(shape.size());
    const Index axis = numbers.shapes().below(2 * rank) - rank;
    for (const auto op : {softmax, log_softmax}) {
      const Function f = [&](const Inputs& in) { return op(in[0], axis); };
      expect_gradients(f, {numbers.tensor(shape)});
      expect_gradients(gradient_of(f), {numbers.tensor(shape)});
    }
  });
}

TEST(Softmax, GradientsOfCrossEntropy) {
  for_seeds(8, [&](Numbers& numbers) {
    const Index rows = 1 + numbers.shapes().below(4), classes = 1 + numbers.shapes().below(5);
    Tensor target = value_or_throw(Tensor::empty(DType::kI64, {rows}));
    for (Index i = 0; i < rows; ++i) target.as<Index>()[i] = numbers.shapes().below(classes);
    const Function f = [&](const Inputs& in) { return cross_entropy(in[0], target); };
    expect_gradients(f, {numbers.tensor({rows, classes})});
    expect_gradients(gradient_of(f), {numbers.tensor({rows, classes})});
  });
}

/// By the definition, in double.
std::vector<double> plain_softmax(const std::vector<double>& x) {
  std::vector<double> out;
  double sum = 0;
  for (const double v : x) sum += std::exp(v);
  for (const double v : x) out.push_back(std::exp(v) / sum);
  return out;
}

template <class T>
double tolerance() {
  return std::is_same_v<T, double> ? 1e-14 : is_float8_v<T> ? 0.13 : is_half_v<T> ? 0.005 : 1e-6;
}

TEST(Softmax, EveryDtypeEqualsTheDefinition) {
  for_each_dtype(4, [&]<class T>(Random& random, DType dtype) {
    Numbers numbers(static_cast<unsigned>(random.below(100)));
    const Tensor a = numbers.tensor({3, 5, 2}, {}, dtype);
    const Index axis = random.below(3);
    if (kind(dtype) != Kind::kFloat) {
      EXPECT_EQ(rule_of([&] { softmax(Var(a), axis); }), "G6");
      EXPECT_EQ(rule_of([&] { log_softmax(Var(a), axis); }), "G6");
      return;
    }
    if constexpr (std::is_floating_point_v<Compute<T>>) {
      std::vector<std::vector<T>> found, logs;
      const auto collect = [](auto& to) { return [&to](const std::vector<T>& lane, Index) { to.push_back(lane); }; };
      garner::index::for_each_lane<T>(softmax(Var(a), axis).value(), axis, collect(found));
      garner::index::for_each_lane<T>(log_softmax(Var(a), axis).value(), axis, collect(logs));
      garner::index::for_each_lane<T>(a, axis, [&](const std::vector<T>& lane, Index l) {
        std::vector<double> wide;
        for (const T& v : lane) wide.push_back(to_compute(v));
        const auto wanted = plain_softmax(wide);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          const auto at = static_cast<std::size_t>(l);
          EXPECT_NEAR(to_compute(found[at][i]), wanted[i], tolerance<T>() * wanted[i]);
          EXPECT_NEAR(to_compute(logs[at][i]), std::log(wanted[i]),
                      tolerance<T>() * (1 + std::abs(std::log(wanted[i]))));
        }
      });
    }
  });
}

TEST(Softmax, LargeSmallAndNone) {
  const Var big(tensor({1000.0, 1000.0})), small(tensor({-1000.0, 0.0}));
  EXPECT_TRUE(same_bits(softmax(big).value(), tensor({0.5, 0.5})));
  EXPECT_EQ(item(log_softmax(small), 0), -1000);
  const Var masked(tensor({-kInfinity, 0.0})), nothing(tensor({-kInfinity, -kInfinity})), odd(tensor({kNan, 1.0}));
  EXPECT_TRUE(same_bits(softmax(masked).value(), tensor({0.0, 1.0})));
  EXPECT_TRUE(std::isnan(item(softmax(nothing))));
  EXPECT_TRUE(std::isnan(item(softmax(odd), 1)));
  EXPECT_EQ(softmax(Var(value_or_throw(Tensor::zeros(DType::kF32, {2, 0})))).shape(), (Axes{2, 0}));
  EXPECT_EQ(softmax(Var(value_or_throw(Tensor::zeros(DType::kF32, {2, 0}))), 0).shape(), (Axes{2, 0}));
}

TEST(Softmax, CrossEntropyOfEveryTargetDtype) {
  const Var logits(tensor({{1.0, 2.0, 3.0}, {1.0, 1.0, 1.0}}), true);
  const double wanted = (-std::log(plain_softmax({1, 2, 3})[2]) + std::log(3.0)) / 2;
  for (const DTypeInfo& d : kDTypes) {
    Tensor target = value_or_throw(Tensor::zeros(d.dtype, {2}));
    if (!is_integer(d.dtype)) {
      EXPECT_EQ(rule_of([&] { cross_entropy(logits, target); }), "G6") << d.name;
      continue;
    }
    dispatch(d.dtype, [&]<class T>() { target.as<T>()[0] = convert<T>(2.0); });
    EXPECT_NEAR(item(cross_entropy(logits, target)), wanted, 1e-14) << d.name;
  }
}

TEST(Softmax, CrossEntropyOfAnyTargetMemory) {
  const Var logits(tensor({{1.0, 2.0, 3.0}, {1.0, 5.0, 1.0}}));
  const Index spread[] = {1, 9, 2};  // every second one, from the end
  const View target(spread + 2, {2}, {-2});
  EXPECT_TRUE(same_bits(cross_entropy(logits, target).value(), cross_entropy(logits, tensor({2LL, 1LL})).value()));
}

TEST(Softmax, CrossEntropyOfNothing) {
  const Var logits(value_or_throw(Tensor::zeros(DType::kF64, {0, 3})), true);
  const Var loss = cross_entropy(logits, value_or_throw(Tensor::zeros(DType::kI64, {0})));
  EXPECT_TRUE(std::isnan(item(loss)));
  loss.backward();
  EXPECT_EQ(logits.grad().shape(), (Axes{0, 3}));
}

TEST(Softmax, G5_G6_G9_Refusals) {
  const Var logits(tensor({{1.0, 2.0, 3.0}, {1.0, 1.0, 1.0}}));
  EXPECT_EQ(rule_of([&] { cross_entropy(logits, tensor({1, 3})); }), "G9");
  EXPECT_EQ(rule_of([&] { cross_entropy(logits, tensor({-1, 0})); }), "G9");
  EXPECT_EQ(rule_of([&] { cross_entropy(logits, tensor({UINT64_MAX, std::uint64_t{0}})); }), "G9");
  EXPECT_EQ(rule_of([&] { cross_entropy(logits, tensor({1, 1, 1})); }), "G5");
  EXPECT_EQ(rule_of([&] { cross_entropy(logits, tensor({{1, 1}})); }), "G5");
  EXPECT_EQ(rule_of([&] { cross_entropy(Var(tensor({1.0})), tensor({1})); }), "G5");
  EXPECT_EQ(rule_of([&] { softmax(logits, 2); }), "G5");
  EXPECT_EQ(rule_of([&] { softmax(Var(scalar(1.0))); }), "G5");
  try {
    cross_entropy(logits, tensor({1, 3}));
  } catch (const IndexError& e) { EXPECT_STREQ(e.what(), "cross_entropy: target[1] is 3, allowed [0, 3)"); }
}

}  // namespace
}  // namespace garner::grad
