#include "base/effort.h"
#include "grad/test_grad.h"

namespace garner::grad {
namespace {

using garner::index::for_each_dtype;
using garner::index::plain_equal;

using Reduce = Var (*)(const Var&, const Over&);

/// Some axes of a shape, perhaps none or all, perhaps counted from the end.
Over random_over(Random& random, Index rank) {
  if (random.one_in(4)) return {std::nullopt, random.one_in(2)};
  Axes axes;
  for (Index a = 0; a < rank; ++a)
    if (random.one_in(2)) axes.push_back(random.one_in(2) ? a : a - rank);
  if (random.one_in(2)) std::reverse(axes.begin(), axes.end());
  return {axes, random.one_in(2)};
}

Axes positive_shape(Numbers& numbers) { return numbers.shapes().shape(numbers.shapes().below(4), 4, false); }

// ---- gradients ----

TEST(Reductions, GradientsAreDifferences) {
  for (const Reduce op : {sum, mean, max, min})
    for_seeds(25, [&](Numbers& numbers) {
      const Axes shape = positive_shape(numbers);
      const Over over = random_over(numbers.shapes(), static_cast<Index>(shape.size()));
      const Function f = [&](const Inputs& in) { return op(in[0], over); };
      const Function curved = [&](const Inputs& in) { return op(in[0] * in[0], over); };
      expect_gradients(f, {numbers.tensor(shape)});
      expect_gradients(gradient_of(curved), {numbers.tensor(shape)});
      if (op != sum && op != mean) return;
      expect_gradients(f, {numbers.tensor(shape, {}, DType::kC128)});
      expect_gradients(gradient_of(curved), {numbers.tensor(shape, {}, DType::kC128)});
    });
}

TEST(Reductions, EmptyGradients) {
  const Var x(value_or_throw(Tensor::zeros(DType::kF64, {3, 0})), true);
  sum(x, {.axes = Axes{1}}).backward();
  EXPECT_EQ(x.grad().shape(), (Axes{3, 0}));
  mean(x).backward();
  EXPECT_EQ(x.grad().shape(), (Axes{3, 0}));
}

TEST(Reductions, TheFirstOfEqualElementsGetsTheGradient) {
  const Var x(tensor({{1.0, 3.0, 3.0}, {3.0, 0.0, 0.0}}), true);
  const auto of = [&](const Var& y) { return gradients({y}, {x})[0].value(); };
  EXPECT_TRUE(same_bits(of(max(x)), tensor({{0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}})));
  EXPECT_TRUE(same_bits(of(max(x, {.axes = Axes{1}})), tensor({{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}})));
  EXPECT_TRUE(same_bits(of(max(x, {.axes = Axes{0}})), tensor({{0.0, 1.0, 1.0}, {1.0, 0.0, 0.0}})));
  EXPECT_TRUE(same_bits(of(min(x)), tensor({{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}})));
}

TEST(Reductions, NanWinsAndTakesTheGradient) {
  const Var x(tensor({1.0, kNan, 3.0, kNan}), true);
  for (const Reduce op : {max, min}) {
    const Var y = op(x, {});
    EXPECT_TRUE(std::isnan(item(y)));
    EXPECT_TRUE(same_bits(gradients({y}, {x})[0].value(), tensor({0.0, 1.0, 0.0, 0.0})));
  }
}

// ---- every dtype against a plain loop ----

/// The elements that become each result, in row-major order.
template <class T>
std::vector<std::vector<T>> groups(const Tensor& a, const Over& over) {
  const Index rank = a.rank();
  std::vector<bool> goes(static_cast<std::size_t>(rank), !over.axes);
  for (const Index axis : over.axes.value_or(Axes{}))
    goes[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = true;
  Axes kept;
  for (std::size_t d = 0; d < goes.size(); ++d) kept.push_back(goes[d] ? 1 : a.shape()[d]);
  const Axes stride = row_major(kept), from = row_major(a.shape());
  Index count = 1;
  for (const Index n : kept) count *= n;
  std::vector<std::vector<T>> out(static_cast<std::size_t>(count));
  walk_positions(a.shape(), [&](const Axes& at) {
    Index group = 0;
    for (std::size_t d = 0; d < goes.size(); ++d) group += goes[d] ? 0 : at[d] * stride[d];
    out[static_cast<std::size_t>(group)].push_back(a.as<T>()[dot(at, from)]);
  });
  return out;
}

template <class T>
T plain_sum(const std::vector<T>& values) {
  using Wide = std::conditional_t<is_complex_v<T>, std::complex<double>,
                                  std::conditional_t<is_index_v<T>, std::uint64_t, double>>;
  Wide sum{};
  for (const T& v : values) sum += static_cast<Wide>(to_compute(v));
  if constexpr (is_complex_v<T> || is_index_v<T>) return static_cast<T>(sum);
  else return static_cast<T>(static_cast<Compute<T>>(sum));
}

template <class T>
void expect_extremes(const Tensor& a, const Over& over, const std::vector<std::vector<T>>& wanted) {
  const Tensor high = max(Var(a), over).value(), low = min(Var(a), over).value();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    T most = wanted[i][0], least = wanted[i][0];
    for (const T& v : wanted[i]) {
      if (garner::index::strictly_less(most, v)) most = v;
      if (garner::index::plain_nan(v) || (!garner::index::plain_nan(least) && garner::index::strictly_less(v, least)))
        least = v;
    }
    EXPECT_TRUE(plain_equal(high.as<T>()[i], most));
    EXPECT_TRUE(plain_equal(low.as<T>()[i], least));
  }
}

TEST(Reductions, EveryDtypeEqualsThePlainLoop) {
  for_each_dtype(20, [&]<class T>(Random& random, DType dtype) {
    const Axes shape = random.shape(random.below(4), 30);
    const Tensor a = value_or_throw(contiguous(random.view(dtype, shape).view));
    const Over over = random_over(random, a.rank());
    if constexpr (std::is_same_v<T, Bool>) {
      for (const Reduce op : {sum, max, min}) EXPECT_EQ(rule_of([&] { op(Var(a), over); }), "G6");
    } else {
      const auto wanted = groups<T>(a, over);
      const Tensor is = sum(Var(a), over).value();
      ASSERT_EQ(is.elements(), static_cast<Index>(wanted.size()));
      for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_TRUE(plain_equal(is.as<T>()[i], plain_sum(wanted[i])));
      if constexpr (is_complex_v<T>) EXPECT_EQ(rule_of([&] { max(Var(a), over); }), "G6");
      else if (a.elements() > 0) expect_extremes(a, over, wanted);
    }
    const bool divides = kind(dtype) == Kind::kFloat || kind(dtype) == Kind::kComplex;
    EXPECT_EQ(rule_of([&] { mean(Var(a), over); }), divides ? "" : "G6");
  });
}

TEST(Reductions, LongAndWide) {
  for (const Axes& shape : {Axes{300000}, Axes{3, 100000}, Axes{100000, 3}, Axes{400, 700}, Axes{50, 80, 70}})
    for_seeds(effort(6, 1), [&](Numbers& numbers) {
      SCOPED_TRACE(list(shape));
      const Tensor a = numbers.tensor(shape, {}, DType::kF32);
      const Over over = random_over(numbers.shapes(), a.rank());
      const Tensor is = sum(Var(a), over).value();
      const auto wanted = groups<float>(a, over);
      for (std::size_t i = 0; i < wanted.size(); ++i)
        ASSERT_NEAR(is.as<float>()[i], plain_sum(wanted[i]), 1e-5 * (1 + std::abs(plain_sum(wanted[i]))));
      expect_extremes(a, over, wanted);
    });
}

TEST(Reductions, TheOrderDoesNotDependOnThreads) {
  Numbers numbers(5);
  constexpr Index kMany = effort(1000000, 100000);
  for (const Axes& shape : {Axes{3 * kMany}, Axes{kMany / 500, 1500}, Axes{kMany, 3}, Axes{3, kMany}}) {
    const Var a(numbers.tensor(shape));
    for (const Over& over : {Over{}, Over{Axes{0}}, Over{Axes{-1}}}) {
      const Tensor one = with_cores(1, [&] { return sum(a, over).value(); });
      for (const int cores : {2, 5})
        EXPECT_TRUE(same_bits(one, with_cores(cores, [&] { return sum(a, over).value(); })));
    }
  }
}

TEST(Reductions, SumsAreRoundedOnce) {
  const auto half = [](const std::vector<float>& values) {
    Tensor t = value_or_throw(Tensor::empty(DType::kF16, {static_cast<Index>(values.size())}));
    for (std::size_t i = 0; i < values.size(); ++i) t.as<Eigen::half>()[i] = Eigen::half(values[i]);
    return Var(t);
  };
  const auto as_float = [](const Var& v) { return static_cast<float>(*v.value().as<Eigen::half>()); };
  EXPECT_EQ(as_float(sum(half(std::vector<float>(5000, 1)))), 5000);  // adding in f16 would stop at 2048
  EXPECT_EQ(as_float(mean(half(std::vector<float>(8, 65504)))), 65504);  // the sum has no f16
  // Just above the middle of two f16; by way of float it would be the middle, and fall.
  EXPECT_EQ(as_float(sum(half({1, 0x1p-11F, 0x1p-24F}))), 1 + 0x1p-10F);
  EXPECT_EQ(as_float(sum(half({-1, -0x1p-11F, -0x1p-24F}))), -1 - 0x1p-10F);
  EXPECT_EQ(as_float(sum(half({1, 0x1p-11F, -0x1p-24F}))), 1);
}

TEST(Reductions, Nothing) {
  const Var x(value_or_throw(Tensor::zeros(DType::kF32, {2, 0})));
  EXPECT_TRUE(same_bits(sum(x).value(), scalar(0.0F)));
  EXPECT_TRUE(same_bits(sum(x, {.axes = Axes{1}}).value(), tensor({0.0F, 0.0F})));
  EXPECT_EQ(sum(x, {.axes = Axes{0}}).shape(), (Axes{0}));
  EXPECT_TRUE(std::isnan(*mean(x).value().as<float>()));
  EXPECT_EQ(rule_of([&] { max(x); }), "G5");
  EXPECT_EQ(rule_of([&] { max(x, {.axes = Axes{1}}); }), "G5");
  EXPECT_EQ(max(x, {.axes = Axes{0}}).shape(), (Axes{0}));
  EXPECT_TRUE(same_bits(sum(Var(scalar(3))).value(), scalar(3)));
}

TEST(Reductions, G5_Axes) {
  const Var x(tensor({{1.0, 2.0}}));
  EXPECT_EQ(rule_of([&] { sum(x, {.axes = Axes{2}}); }), "G5");
  EXPECT_EQ(rule_of([&] { mean(x, {.axes = Axes{-3}}); }), "G5");
  EXPECT_EQ(rule_of([&] { max(x, {.axes = Axes{1, -1}}); }), "G5");
  EXPECT_EQ(sum(x, {.axes = Axes{0}, .keepdims = true}).shape(), (Axes{1, 2}));
  EXPECT_TRUE(same_bits(sum(x, {.axes = Axes{}}).value(), x.value()));
}

}  // namespace
}  // namespace garner::grad
