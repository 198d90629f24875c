#include "base/effort.h"
#include "grad/matmul.h"
#include "grad/test_grad.h"

namespace garner::grad {
namespace {

using garner::index::for_each_dtype;
using garner::index::plain_equal;

struct Shapes {
  Axes a, b, result;
};
const Shapes kShapes[] = {{{3}, {3}, {}},
                          {{2, 3}, {3}, {2}},
                          {{3}, {3, 4}, {4}},
                          {{2, 3}, {3, 4}, {2, 4}},
                          {{5, 2, 3}, {3, 4}, {5, 2, 4}},
                          {{2, 3}, {5, 3, 4}, {5, 2, 4}},
                          {{5, 2, 3}, {5, 3, 1}, {5, 2, 1}},
                          {{2, 1, 2, 3}, {3, 3, 2}, {2, 3, 2, 2}},
                          {{4, 2, 3}, {3}, {4, 2}},
                          {{3}, {4, 3, 2}, {4, 2}},
                          {{2, 0}, {0, 3}, {2, 3}},
                          {{0, 3}, {3, 2}, {0, 2}},
                          {{0, 2, 3}, {3, 2}, {0, 2, 2}}};

TEST(Product, GradientsAreDifferences) {
  Numbers numbers(11);
  for (const Shapes& s : kShapes)
    for (const DType dtype : {DType::kF64, DType::kC128}) {
      SCOPED_TRACE(testing::Message() << list(s.a) << " · " << list(s.b) << " " << name(dtype));
      const Function f = [](const Inputs& in) { return matmul(in[0], in[1]); };
      const std::vector<Tensor> at{numbers.tensor(s.a, {}, dtype), numbers.tensor(s.b, {}, dtype)};
      EXPECT_EQ(f(leaves(at)).shape(), s.result);
      expect_gradients(f, at);
      expect_gradients(gradient_of(f), at);
      expect_gradients(gradient_of(gradient_of(f)), at, 1e-5);
    }
}

TEST(Product, OneMatrixTwice) {
  Numbers numbers(12);
  const Function f = [](const Inputs& in) { return matmul(in[0], matmul(in[0], in[0])); };
  expect_gradients(f, {numbers.tensor({3, 3})});
  expect_gradients(gradient_of(f), {numbers.tensor({3, 3})}, 1e-5);
}

template <class T>
T at(const Tensor& t, plain::Turn turn, Index i, Index j) {
  return t.as<T>()[turn == plain::Turn::kNone ? i * t.shape()[1] + j : j * t.shape()[1] + i];
}

template <class T>
std::vector<T> by_hand(const plain::Factor& a, const plain::Factor& b, const Axes& extents) {
  using Wide = std::conditional_t<is_complex_v<T>, std::complex<double>,
                                  std::conditional_t<is_index_v<T>, std::uint64_t, double>>;
  std::vector<T> out;
  for (Index i = 0; i < extents[0]; ++i)
    for (Index j = 0; j < extents[2]; ++j) {
      Wide sum{};
      for (Index k = 0; k < extents[1]; ++k)
        sum += static_cast<Wide>(to_compute(at<T>(a.tensor, a.turn, i, k))) *
               static_cast<Wide>(to_compute(at<T>(b.tensor, b.turn, k, j)));
      if constexpr (is_complex_v<T> || is_index_v<T>) out.push_back(static_cast<T>(sum));
      else out.push_back(static_cast<T>(static_cast<Compute<T>>(sum)));
    }
  return out;
}

/// Whole numbers from -3 to 3 (0 to 6 for unsigned dtypes): products and sums are exact, also in f32.
template <class T>
Tensor small_numbers(Random& random, DType dtype, const Axes& shape) {
  Tensor t = value_or_throw(Tensor::empty(dtype, shape));
  const Index low = std::is_unsigned_v<T> ? 0 : -3;
  for (Index i = 0; i < t.elements(); ++i) t.as<T>()[i] = convert<T>(static_cast<float>(random.below(7) + low));
  return t;
}

TEST(Product, EveryDtypeEqualsThePlainLoop) {
  using plain::Turn;
  for_each_dtype(12, [&]<class T>(Random& random, DType dtype) {
    const Axes x = random.one_in(4) ? Axes{300, 5, 7} : Axes{random.below(6), random.below(30), random.below(6)};
    if constexpr (std::is_same_v<T, Bool>) {
      const Var a(value_or_throw(Tensor::zeros(dtype, {2, 2})));
      EXPECT_EQ(rule_of([&] { matmul(a, a); }), "G6");
    } else {
      for (const Turn s : {Turn::kNone, Turn::kTransposed})
        for (const Turn t : {Turn::kNone, Turn::kTransposed}) {
          const Tensor a = small_numbers<T>(random, dtype, s == Turn::kNone ? Axes{x[0], x[1]} : Axes{x[1], x[0]});
          const Tensor b = small_numbers<T>(random, dtype, t == Turn::kNone ? Axes{x[1], x[2]} : Axes{x[2], x[1]});
          const Tensor is = value_or_throw(plain::matmul({a, s}, {b, t}));
          EXPECT_EQ(is.dtype(), dtype);
          EXPECT_EQ(is.shape(), (Axes{x[0], x[2]}));
          EXPECT_TRUE(plain_equal(garner::index::elements<T>(is), by_hand<T>({a, s}, {b, t}, x)));
        }
    }
  });
}

TEST(Product, IntegersWrap) {
  const auto square = [](auto value) { return matmul(Var(tensor({value})), Var(tensor({value}))).value(); };
  EXPECT_TRUE(same_bits(square(std::uint16_t{65535}), scalar(std::uint16_t{1})));
  EXPECT_TRUE(same_bits(square(INT64_MIN + 1), scalar(std::int64_t{1})));
  EXPECT_TRUE(same_bits(square(std::int8_t{-128}), scalar(std::int8_t{0})));
}

TEST(Product, NanAndInfinityPass) {
  const Var a(tensor({{1.0, kInfinity}, {kNan, 1.0}})), ones(tensor({1.0, 1.0}));
  const Var out = matmul(a, ones);
  EXPECT_EQ(item(out, 0), kInfinity);
  EXPECT_TRUE(std::isnan(item(out, 1)));
}

TEST(Product, TheResultDoesNotDependOnThreads) {
  Numbers numbers(4);
  const Var a(numbers.tensor({700, effort(300, 30)})), b(numbers.tensor({3, effort(300, 30), 200}));
  const Tensor one = with_cores(1, [&] { return matmul(a, b).value(); });
  for (const int cores : {2, 5}) EXPECT_TRUE(same_bits(one, with_cores(cores, [&] { return matmul(a, b).value(); })));
}

TEST(Product, G5_G6_Refusals) {
  const Var a(tensor({{1.0, 2.0, 3.0}})), v(tensor({1.0, 2.0})), s(scalar(1.0)), f(tensor({1.0F, 2.0F, 3.0F}));
  EXPECT_EQ(rule_of([&] { matmul(a, a); }), "G5");
  EXPECT_EQ(rule_of([&] { matmul(a, v); }), "G5");
  EXPECT_EQ(rule_of([&] { matmul(a, s); }), "G5");
  EXPECT_EQ(rule_of([&] { matmul(a, f); }), "G6");
  const Var x(value_or_throw(Tensor::zeros(DType::kF64, {2, 3, 3}))),
      y(value_or_throw(Tensor::zeros(DType::kF64, {4, 3, 3})));
  EXPECT_EQ(rule_of([&] { matmul(x, y); }), "G5");
  EXPECT_EQ(rule_of([&] { matmul(x, Var(value_or_throw(Tensor::zeros(DType::kF64, {2, 2})))); }), "G5");
}

}  // namespace
}  // namespace garner::grad
