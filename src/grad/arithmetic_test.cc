#include "grad/test_grad.h"

namespace garner::grad {
namespace {

using garner::index::for_each_dtype;
using garner::index::plain_equal;

// ---- gradients against central differences ----

using Unary = Var (*)(const Var&);
using Binary = Var (*)(const Var&, const Var&);
constexpr Range kPositive{0.5, 2.5};

struct UnaryCase {
  const char* name;
  Unary op;
  Range range;
  bool complex;
};
const UnaryCase kUnary[] = {{"neg", neg, {}, true},
                            {"exp", exp, {}, true},
                            {"log", log, kPositive, false},
                            {"sqrt", sqrt, kPositive, false},
                            {"tanh", tanh, {}, false},
                            {"sigmoid", sigmoid, {}, false},
                            {"relu up", relu, kPositive, false},
                            {"relu down", relu, {-2, -0.1}, false}};

struct BinaryCase {
  const char* name;
  Binary op;
  Range left, right;
  bool complex;
};
const BinaryCase kBinary[] = {{"add", add, {}, {}, true},
                              {"sub", sub, {}, {}, true},
                              {"mul", mul, {}, {}, true},
                              {"div", div, {}, kPositive, true},
                              {"pow", static_cast<Binary>(pow), kPositive, {}, false}};

TEST(Arithmetic, UnaryGradientsAreDifferences) {
  for (const UnaryCase& c : kUnary)
    for_seeds(6, [&](Numbers& numbers) {
      SCOPED_TRACE(c.name);
      const Function f = [&](const Inputs& in) { return c.op(in[0]); };
      const Axes shape = numbers.shape();
      expect_gradients(f, {numbers.tensor(shape, c.range)});
      expect_gradients(gradient_of(f), {numbers.tensor(shape, c.range)});
      if (c.complex) expect_gradients(f, {numbers.tensor(shape, c.range, DType::kC128)});
      if (c.complex) expect_gradients(gradient_of(f), {numbers.tensor(shape, c.range, DType::kC128)});
    });
}

TEST(Arithmetic, BinaryGradientsAreDifferences) {
  for (const BinaryCase& c : kBinary)
    for_seeds(25, [&](Numbers& numbers) {
      SCOPED_TRACE(c.name);
      const Function f = [&](const Inputs& in) { return c.op(in[0], in[1]); };
      const Axes shape = numbers.shape(), a = numbers.narrower(shape), b = numbers.narrower(shape);
      for (const DType dtype : {DType::kF64, DType::kC128}) {
        if (dtype == DType::kC128 && !c.complex) continue;
        const std::vector<Tensor> at{numbers.tensor(a, c.left, dtype), numbers.tensor(b, c.right, dtype)};
        expect_gradients(f, at);
        expect_gradients(gradient_of(f), at, 1e-5);
      }
    });
}

TEST(Arithmetic, OneVariableTwice) {
  Numbers numbers(1);
  const Tensor x = numbers.tensor({2, 3}, kPositive);
  for (const BinaryCase& c : kBinary) {
    SCOPED_TRACE(c.name);
    const Function f = [&](const Inputs& in) { return c.op(in[0], in[0]); };
    expect_gradients(f, {x});
    expect_gradients(gradient_of(f), {x}, 1e-5);
  }
}

TEST(Arithmetic, PowersOfANumber) {
  for (const double e : {-1.5, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 3.7})
    for_seeds(3, [&](Numbers& numbers) {
      SCOPED_TRACE(e);
      const Function f = [&](const Inputs& in) { return pow(in[0], e); };
      const std::vector<Tensor> at{numbers.tensor(numbers.shape(), kPositive)};
      expect_gradients(f, at);
      expect_gradients(gradient_of(f), at, 1e-5);
      if (e == std::floor(e)) expect_gradients(f, {numbers.off_zero({3})}, 1e-5);
    });
}

TEST(Arithmetic, KeepAndScalars) {
  for_seeds(10, [&](Numbers& numbers) {
    const Axes shape = numbers.shape();
    const Tensor mask = value_or_throw(contiguous(numbers.shapes().view(DType::kBool, numbers.narrower(shape)).view));
    const Function f = [&](const Inputs& in) { return keep(mask, in[0] * in[0]) * 3 + 2; };
    for (const DType dtype : {DType::kF64, DType::kC128}) {
      expect_gradients(f, {numbers.tensor(shape, {}, dtype)});
      expect_gradients(gradient_of(f), {numbers.tensor(shape, {}, dtype)});
    }
  });
}

// ---- corners ----

/// The first derivatives at a place; that of a constant, which has no history, is 0.
std::vector<double> slopes(const Function& f, double at, int order) {
  const Var x(scalar(at), true);
  std::vector<double> out;
  Var y = f({x});
  for (int i = 0; i < order; ++i) {
    y = y.requires_grad() ? gradients({y}, {x}, {}, {.create_graph = true})[0] : constant(0, DType::kF64);
    out.push_back(item(y));
  }
  return out;
}

TEST(Arithmetic, PowersAtZero) {
  const auto number = [](double e) { return [e](const Inputs& in) { return pow(in[0], e); }; };
  const auto variable = [](double e) { return [e](const Inputs& in) { return pow(in[0], Var(scalar(e))); }; };
  using List = std::vector<double>;
  EXPECT_EQ(slopes(number(0), 0, 2), (List{0, 0}));
  EXPECT_EQ(slopes(number(1), 0, 2), (List{1, 0}));
  EXPECT_EQ(slopes(number(2), 0, 4), (List{0, 2, 0, 0}));
  EXPECT_EQ(slopes(number(3), 0, 3), (List{0, 0, 6}));
  EXPECT_EQ(slopes(variable(0), 0, 2), (List{0, 0}));
  EXPECT_EQ(slopes(variable(1), 0, 2), (List{1, 0}));
  EXPECT_EQ(slopes(variable(2), 0, 4), (List{0, 2, 0, 0}));
  EXPECT_EQ(slopes(variable(3), 0, 3), (List{0, 0, 6}));
  EXPECT_EQ(slopes(number(0.5), 0, 1)[0], kInfinity);
  EXPECT_EQ(slopes(variable(2), -3, 3), (List{-6, 2, 0}));
}

TEST(Arithmetic, ExponentsOfZero) {
  const Var zero(tensor({0.0, 0.0, 0.0})), e(tensor({0.0, 0.5, 2.0}), true);
  pow(zero, e).backward();
  EXPECT_TRUE(same_bits(e.grad().value(), tensor({0.0, 0.0, 0.0})));
  const Var base(tensor({-2.0}), true), two(tensor({2.0}), true);
  pow(base, two).backward();
  EXPECT_EQ(item(base.grad()), -4);
  EXPECT_TRUE(std::isnan(item(two.grad())));  // a negative base has no real power near by
}

TEST(Arithmetic, ReluAndSqrtAtZero) {
  const Var x(tensor({-1.0, 0.0, 2.0, kNan}), true);
  relu(x).backward();
  EXPECT_TRUE(same_bits(x.grad().value(), tensor({0.0, 0.0, 1.0, 1.0})));
  EXPECT_TRUE(std::isnan(item(relu(x), 3)));
  const Var zero(scalar(0.0), true);
  sqrt(zero).backward();
  EXPECT_EQ(item(zero.grad()), kInfinity);
}

TEST(Arithmetic, WhatIsNotKeptDoesNotCount) {
  const Var x(tensor({1.0, kNan, kInfinity}), true);
  const Var y = keep(tensor({true, false, false}), x);
  EXPECT_TRUE(same_bits(y.value(), tensor({1.0, 0.0, 0.0})));
  y.backward(Var(tensor({2.0, kNan, 3.0})));
  EXPECT_TRUE(same_bits(x.grad().value(), tensor({2.0, 0.0, 0.0})));
}

TEST(Arithmetic, AComplexGradientIsTheConjugateDerivative) {
  using C = std::complex<double>;
  const Var z(scalar(C(1, 2)), true);
  (z * z).backward();
  EXPECT_EQ(*z.grad().value().as<C>(), C(2, -4));
}

TEST(Arithmetic, ExtremesOfSigmoidAndTanh) {
  const Var x(tensor({-1000.0, 1000.0}));
  EXPECT_TRUE(same_bits(sigmoid(x).value(), tensor({0.0, 1.0})));
  EXPECT_TRUE(same_bits(tanh(x).value(), tensor({-1.0, 1.0})));
}

// ---- every dtype against a plain loop ----

template <class T>
Tensor any_tensor(Random& random, DType dtype, const Axes& shape) {
  return value_or_throw(contiguous(random.view(dtype, shape).view));
}

/// op(T, T) on elements, as it would be written by hand: in 64 bits for integers, in float for small floats.
template <class T, class F>
std::vector<T> by_hand(const Tensor& a, const Tensor& b, const Axes& shape, F&& f) {
  const auto x = garner::index::elements<T>(value_or_throw(broadcast_to(a, shape)));
  const auto y = garner::index::elements<T>(value_or_throw(broadcast_to(b, shape)));
  std::vector<T> out;
  for (std::size_t i = 0; i < x.size(); ++i)
    if constexpr (is_index_v<T>)
      out.push_back(static_cast<T>(f(static_cast<std::uint64_t>(x[i]), static_cast<std::uint64_t>(y[i]))));
    else out.push_back(static_cast<T>(f(to_compute(x[i]), to_compute(y[i]))));
  return out;
}

template <class T, class F>
void expect_binary(Binary op, const std::vector<Tensor>& at, const Axes& shape, F&& f) {
  const Var out = op(Var(at[0]), Var(at[1]));
  EXPECT_EQ(out.shape(), shape);
  EXPECT_EQ(out.dtype(), at[0].dtype());
  EXPECT_TRUE(plain_equal(garner::index::elements<T>(out.value()), by_hand<T>(at[0], at[1], shape, f)));
}

TEST(Arithmetic, EveryDtypeEqualsThePlainLoop) {
  for_each_dtype(10, [&]<class T>(Random& random, DType dtype) {
    Numbers numbers(static_cast<unsigned>(random.below(1000)));
    const Axes shape = numbers.shape(), a = numbers.narrower(shape), b = numbers.narrower(shape);
    const Axes common = *broadcast_shapes(std::vector<Axes>{a, b});
    const std::vector<Tensor> at{any_tensor<T>(random, dtype, a), any_tensor<T>(random, dtype, b)};
    if constexpr (std::is_same_v<T, Bool>) {
      for (const Binary op : {add, sub, mul}) EXPECT_EQ(rule_of([&] { op(Var(at[0]), Var(at[1])); }), "G6");
      EXPECT_EQ(rule_of([&] { neg(Var(at[0])); }), "G6");
    } else {
      expect_binary<T>(add, at, common, [](auto x, auto y) { return x + y; });
      expect_binary<T>(sub, at, common, [](auto x, auto y) { return x - y; });
      expect_binary<T>(mul, at, common, [](auto x, auto y) { return x * y; });
      expect_binary<T>([](const Var& x, const Var&) { return neg(x); }, {at[0], at[0]}, a,
                       [](auto x, auto) { return -x; });
    }
    if constexpr (is_complex_v<T> || std::is_floating_point_v<Compute<T>>)
      expect_binary<T>(div, at, common, [](auto x, auto y) { return x / y; });
    else EXPECT_EQ(rule_of([&] { div(Var(at[0]), Var(at[1])); }), "G6");
  });
}

/// Functions of libm in the type arithmetic is done in.
template <class T>
void expect_functions(const Tensor& a) {
  const auto check = [&](Unary op, auto f) {
    expect_binary<T>([](const Var& x, const Var&) { return x; }, {op(Var(a)).value(), a}, a.shape(),
                     [](auto x, auto) { return x; });
    EXPECT_TRUE(plain_equal(garner::index::elements<T>(op(Var(a)).value()),
                            by_hand<T>(a, a, a.shape(), [&](auto x, auto) { return f(x); })));
  };
  check(exp, [](auto x) { return std::exp(x); });
  check(log, [](auto x) { return std::log(x); });
  check(sqrt, [](auto x) { return std::sqrt(x); });
  check(tanh, [](auto x) { return std::tanh(x); });
  check(sigmoid, [](auto x) { return 1 / (1 + std::exp(-x)); });
  check(relu, [](auto x) { return x <= 0 ? decltype(x)(0) : x; });
  check([](const Var& x) { return pow(x, 3); }, [](auto x) { return std::pow(x, decltype(x)(3)); });
  check([](const Var& x) { return pow(x, 2); }, [](auto x) { return x * x; });
}

TEST(Arithmetic, FunctionsOfEveryDtype) {
  for_each_dtype(5, [&]<class T>(Random& random, DType dtype) {
    const Tensor a = any_tensor<T>(random, dtype, random.shape(2, 40));
    if constexpr (std::is_floating_point_v<Compute<T>>) return expect_functions<T>(a);
    for (const Unary op : {log, sqrt, tanh, sigmoid, relu}) EXPECT_EQ(rule_of([&] { op(Var(a)); }), "G6");
    EXPECT_EQ(rule_of([&] { pow(Var(a), 2); }), "G6");
    EXPECT_EQ(rule_of([&] { pow(Var(a), Var(a)); }), "G6");
    EXPECT_EQ(rule_of([&] { exp(Var(a)); }), is_complex_v<T> ? "" : "G6");
  });
}

TEST(Arithmetic, KeepOfEveryDtype) {
  for_each_dtype(5, [&]<class T>(Random& random, DType dtype) {
    const Axes shape = random.shape(3, 20);
    const Tensor a = any_tensor<T>(random, dtype, shape), mask = any_tensor<Bool>(random, DType::kBool, shape);
    const Tensor out = keep(mask, Var(a)).value();
    for (Index i = 0; i < a.elements(); ++i) {
      const T wanted = mask.as<Bool>()[i] ? a.as<T>()[i] : T{};
      EXPECT_EQ(std::memcmp(static_cast<const void*>(out.as<T>() + i), static_cast<const void*>(&wanted), sizeof(T)),
                0);
    }
  });
}

TEST(Arithmetic, ConstantsOfEveryDtype) {
  for_each_dtype(1, [&]<class T>(Random&, DType dtype) {
    const Var one = constant(1, dtype);
    EXPECT_EQ(one.rank(), 0);
    EXPECT_TRUE(plain_equal(*one.value().as<T>(), convert<T>(1.0)));
  });
  EXPECT_TRUE(std::signbit(item(constant(-0.0, DType::kF64))));
}

/// Rows long enough for several pieces and threads.
TEST(Arithmetic, LongRows) {
  Numbers numbers(3);
  const Tensor a = numbers.tensor({7, 40000}, {}, DType::kF32), b = numbers.tensor({7, 1}, {}, DType::kF32);
  expect_binary<float>(mul, {a, b}, {7, 40000}, [](auto x, auto y) { return x * y; });
  expect_binary<float>(sub, {b, a}, {7, 40000}, [](auto x, auto y) { return x - y; });
}

TEST(Arithmetic, G5_G6_Refusals) {
  const Var a(tensor({1.0, 2.0})), b(tensor({1.0, 2.0, 3.0})), f(tensor({1.0F, 2.0F}));
  EXPECT_EQ(rule_of([&] { a + b; }), "G5");
  EXPECT_EQ(rule_of([&] { a* f; }), "G6");
  EXPECT_EQ(rule_of([&] { keep(tensor({1, 2}), a); }), "G6");
  EXPECT_EQ(rule_of([&] { keep(tensor({true}), a); }), "");
  EXPECT_EQ(rule_of([&] { keep(tensor({{true, true}}), a); }), "G5");
  EXPECT_EQ(rule_of([&] { keep(tensor({true, true, false}), a); }), "G5");
  try {
    add(a, b);
  } catch (const ArgumentError& e) {
    EXPECT_STREQ(e.what(), "add: shapes are [2] and [3], allowed shapes that broadcast together");
  }
}

}  // namespace
}  // namespace garner::grad
