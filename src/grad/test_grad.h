// For the tests here: random tensors, and gradients against central differences.
#pragma once
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "grad/state.h"
#include "index/test_views.h"

namespace garner::grad {

using garner::index::Random;
using garner::index::rule_of;

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Numbers in [low, high); complex ones with both parts there.
struct Range {
  double low = -2, high = 2;
};

class Numbers {
 public:
  explicit Numbers(unsigned seed) : engine_(seed), shapes_(seed) {}

  Tensor tensor(const Axes& shape, const Range& range = {}, DType dtype = DType::kF64) {
    Tensor out = value_or_throw(Tensor::empty(dtype, shape));
    std::uniform_real_distribution<double> draw(range.low, range.high);
    dispatch(dtype, [&]<class T>() {
      for (Index i = 0; i < out.elements(); ++i)
        if constexpr (is_complex_v<T>) out.as<T>()[i] = convert<T>(std::complex<double>(draw(engine_), draw(engine_)));
        else out.as<T>()[i] = convert<T>(draw(engine_));
    });
    return out;
  }

  /// Away from 0 by at least 0.2, on both sides of it.
  Tensor off_zero(const Axes& shape, DType dtype = DType::kF64) {
    Tensor out = tensor(shape, {}, dtype);
    dispatch(dtype, [&]<class T>() {
      if constexpr (std::is_same_v<T, double>)
        for (Index i = 0; i < out.elements(); ++i) out.as<T>()[i] += out.as<T>()[i] < 0 ? -0.2 : 0.2;
    });
    return out;
  }

  Axes shape(Index most_rank = 3) { return shapes_.shape(shapes_.below(most_rank + 1), 4, shapes_.one_in(6)); }
  /// A shape that broadcasts to the given one.
  Axes narrower(const Axes& shape) {
    Axes out(shape.begin() + (shapes_.one_in(2) ? 0 : shapes_.below(static_cast<Index>(shape.size()) + 1)),
             shape.end());
    for (Index& n : out)
      if (shapes_.one_in(3)) n = 1;
    return out;
  }
  Random& shapes() { return shapes_; }

 private:
  std::mt19937 engine_;
  Random shapes_;
};

using Inputs = std::vector<Var>;
using Function = std::function<Var(const Inputs&)>;

inline Inputs leaves(const std::vector<Tensor>& values) {
  Inputs out;
  for (const Tensor& value : values) out.emplace_back(value_or_throw(value.clone()), true);
  return out;
}

/// Re(sum(conj(a) · b)): the real number whose gradient with respect to b is a.
inline double inner(const Tensor& a, const Tensor& b) {
  double sum = 0;
  dispatch(a.dtype(), [&]<class T>() {
    if constexpr (is_complex_v<T> || std::is_floating_point_v<T>)
      for (Index i = 0; i < a.elements(); ++i) sum += std::real(std::conj(a.as<T>()[i]) * b.as<T>()[i]);
  });
  return sum;
}

/// The real numbers a tensor is made of.
inline double* parts(Tensor& t) { return static_cast<double*>(t.mutable_data()); }
inline Index part_count(const Tensor& t) { return t.bytes() / static_cast<Index>(sizeof(double)); }

/// Every part of every input's gradient of <weights, f> against a central difference. f64 or c128.
inline void expect_gradients(const Function& f, const std::vector<Tensor>& at, double tolerance = 1e-6) {
  Numbers numbers(17);
  const Inputs inputs = leaves(at);
  const Var out = f(inputs);
  const Tensor weights = numbers.tensor(out.shape(), {}, out.dtype());
  const std::vector<Var> found = gradients({out}, inputs, {Var(weights)});
  const auto loss = [&](const std::vector<Tensor>& values) { return inner(weights, f(leaves(values)).value()); };
  for (std::size_t k = 0; k < at.size(); ++k) {
    ASSERT_TRUE(found[k]) << "input " << k;
    ASSERT_EQ(found[k].shape(), at[k].shape());
    Tensor gradient = found[k].value();
    for (Index i = 0; i < part_count(gradient); ++i) {
      constexpr double kStep = 1e-5;
      std::vector<Tensor> up = at, down = at;
      up[k] = value_or_throw(at[k].clone()), down[k] = value_or_throw(at[k].clone());
      parts(up[k])[i] += kStep, parts(down[k])[i] -= kStep;
      const double wanted = (loss(up) - loss(down)) / (2 * kStep), is = parts(gradient)[i];
      ASSERT_NEAR(is, wanted, tolerance * (1 + std::abs(wanted))) << "input " << k << ", part " << i;
    }
  }
}

/// The gradient of f, weighted, as a function: its gradients are f's second derivatives. The inputs are added to it,
/// since a constant gradient has no history.
inline Function gradient_of(const Function& f) {
  return [f](const Inputs& inputs) {
    Numbers numbers(23);
    const Var out = f(inputs);
    const Var weights(numbers.tensor(out.shape(), {}, out.dtype()));
    Var total = constant(0, out.dtype());
    for (const Var& input : inputs) total = total + sum(input);
    for (const Var& g : gradients({out}, inputs, {weights}, {.create_graph = true}))
      if (g) total = total + sum(g * Var(numbers.tensor(g.shape(), {}, g.dtype())));
    return total;
  };
}

/// body(numbers) with seeds 0, 1, …; the seed is in the trace.
template <class Body>
void for_seeds(unsigned count, Body&& body) {
  for (unsigned seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Numbers numbers(seed);
    body(numbers);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// body() as if the machine had that many cores.
template <class Body>
auto with_cores(int cores, Body&& body) {
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(cores));
  tbb::task_arena arena(cores);
  return arena.execute(body);
}

inline double item(const Var& v, Index i = 0) { return v.value().as<double>()[i]; }

/// What is alive beyond what was alive before.
struct Alive {
  Index states = Counted<State>::live, nodes = Counted<Node>::live;
  Index more_states() const { return Counted<State>::live - states; }
  Index more_nodes() const { return Counted<Node>::live - nodes; }
};

}  // namespace garner::grad
