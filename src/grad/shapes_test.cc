#include "grad/ops.h"
#include "grad/test_grad.h"

namespace garner::grad {
namespace {

using garner::index::for_each_dtype;

/// Of every operation here the gradient and the gradient's gradient, real and complex.
void expect_both(const Function& f, Numbers& numbers, const std::vector<Axes>& shapes) {
  const Function curved = [&](const Inputs& in) {
    Inputs squares;
    for (const Var& v : in) squares.push_back(v * v);
    return f(squares);
  };
  for (const DType dtype : {DType::kF64, DType::kC128}) {
    std::vector<Tensor> at;
    for (const Axes& shape : shapes) at.push_back(numbers.tensor(shape, {}, dtype));
    expect_gradients(f, at);
    expect_gradients(gradient_of(curved), at);
  }
}

TEST(Shapes, GradientsAreDifferences) {
  for_seeds(15, [&](Numbers& numbers) {
    const Axes shape = numbers.shape(), narrow = numbers.narrower(shape);
    Axes order(shape.size());
    for (std::size_t a = 0; a < order.size(); ++a) order[a] = static_cast<Index>(a);
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    expect_both([&](const Inputs& in) { return reshape(in[0], {in[0].elements()}); }, numbers, {shape});
    expect_both([&](const Inputs& in) { return transpose(in[0]); }, numbers, {shape});
    expect_both([&](const Inputs& in) { return transpose(in[0], order); }, numbers, {shape});
    expect_both([&](const Inputs& in) { return broadcast(in[0], shape); }, numbers, {narrow});
    expect_both([&](const Inputs& in) { return sum_to(in[0], narrow); }, numbers, {shape});
  });
}

TEST(Shapes, GradientsOfConcatenations) {
  for_seeds(10, [&](Numbers& numbers) {
    Axes shape = numbers.shape(2);
    shape.push_back(1 + numbers.shapes().below(3));
    const Index axis = numbers.shapes().below(static_cast<Index>(shape.size()));
    Axes longer = shape, empty = shape;
    longer[static_cast<std::size_t>(axis)] += 2, empty[static_cast<std::size_t>(axis)] = 0;
    expect_both([&](const Inputs& in) { return concatenate({in[0], in[1], in[2], in[0]}, axis); }, numbers,
                {shape, longer, empty});
    expect_both([&](const Inputs& in) { return slice(in[0], {axis, 1, longer[static_cast<std::size_t>(axis)] - 1}); },
                numbers, {longer});
  });
}

TEST(Shapes, GradientsGoToThePartsThatWantThem) {
  const Var a(tensor({1.0, 2.0}), true), b(tensor({3.0}));
  concatenate({b, a, b}).backward(Var(tensor({1.0, 2.0, 3.0, 4.0})));
  EXPECT_TRUE(same_bits(a.grad().value(), tensor({2.0, 3.0})));
}

TEST(Shapes, EveryDtypeEqualsThePlainView) {
  for_each_dtype(6, [&]<class T>(Random& random, DType dtype) {
    const Axes shape = random.shape(3, 8);
    const Tensor t = value_or_throw(contiguous(random.view(dtype, shape).view));
    const Var a(t);
    const Axes stride = row_major(shape);
    const View turned(dtype, t.data(), {shape[2], shape[0], shape[1]}, {stride[2], stride[0], stride[1]});
    EXPECT_TRUE(same_bits(transpose(a, {2, 0, -2}).value(), turned));
    const Axes wide{2, shape[0], shape[1], shape[2]};
    EXPECT_TRUE(same_bits(broadcast(a, wide).value(), value_or_throw(broadcast_to(t, wide))));
    const Var twice = concatenate({a, a}, 1);
    EXPECT_TRUE(same_bits(slice(twice, {1, shape[1], shape[1]}).value(), t));
    EXPECT_TRUE(
        same_bits(reshape(a, {shape[2], shape[0], shape[1]}).value(), t.reshaped({shape[2], shape[0], shape[1]})));
  });
}

TEST(Shapes, ReshapeLooksAtTheSameMemory) {
  const Var a(tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}));
  EXPECT_EQ(reshape(a, {3, 2}).value().data(), a.value().data());
  EXPECT_EQ(reshape(a, {-1}).shape(), (Axes{6}));
  EXPECT_EQ(reshape(a, {1, -1, 2}).shape(), (Axes{1, 3, 2}));
  EXPECT_EQ(reshape(Var(scalar(1.0)), {1, 1}).shape(), (Axes{1, 1}));
  EXPECT_EQ(reshape(Var(tensor({1.0})), {}).rank(), 0);
}

TEST(Shapes, G5_G6_Refusals) {
  const Var a(tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}})), empty(value_or_throw(Tensor::zeros(DType::kF64, {0})));
  for (const Axes& shape : {Axes{5}, Axes{-1, -1}, Axes{4, -1}, Axes{-2, 3}, Axes{0, -1}, Axes{INT64_MAX, 3}})
    EXPECT_EQ(rule_of([&] { reshape(a, shape); }), "G5") << list(shape);
  EXPECT_EQ(rule_of([&] { reshape(empty, {0, -1}); }), "G5");
  EXPECT_EQ(reshape(empty, {0, 5}).shape(), (Axes{0, 5}));
  for (const Axes& order : {Axes{0}, Axes{0, 0}, Axes{0, 2}, Axes{0, 1, 2}})
    EXPECT_EQ(rule_of([&] { transpose(a, order); }), "G5") << list(order);
  EXPECT_EQ(rule_of([&] { broadcast(a, {2, 4}); }), "G5");
  EXPECT_EQ(rule_of([&] { broadcast(a, {3}); }), "G5");
  EXPECT_EQ(rule_of([&] { sum_to(a, {2}); }), "G5");
  EXPECT_EQ(rule_of([&] { sum_to(a, {1, 2, 3}); }), "G5");
  EXPECT_EQ(rule_of([&] { concatenate({}); }), "G5");
  EXPECT_EQ(rule_of([&] { concatenate({a, Var(tensor({1.0}))}); }), "G5");
  EXPECT_EQ(rule_of([&] { concatenate({a, Var(tensor({{1.0}}))}); }), "G5");
  EXPECT_EQ(rule_of([&] { concatenate({a, a}, 2); }), "G5");
  EXPECT_EQ(rule_of([&] { concatenate({Var(scalar(1.0))}); }), "G5");
  EXPECT_EQ(rule_of([&] { concatenate({a, Var(tensor({{1, 2, 3}}))}); }), "G6");
}

}  // namespace
}  // namespace garner::grad
