// Operations element by element, and their rules.
#include "grad/elementwise.h"
#include "grad/ops.h"
#include "grad/place.h"

namespace garner::grad {
namespace {

using Gradients = std::vector<Var>;

Tensor got(Result<Tensor> result) { return value_or_throw(std::move(result)); }

}  // namespace

Var add(const Var& a, const Var& b) {
  return record("add", got(plain::add(a.value(), b.value())), {a, b},
                [x = Wants(a), y = Wants(b)](const Var& g) -> Gradients {
    return {x.of([&] { return g; }), y.of([&] { return g; })};
  });
}

Var sub(const Var& a, const Var& b) {
  return record("sub", got(plain::sub(a.value(), b.value())), {a, b},
                [x = Wants(a), y = Wants(b)](const Var& g) -> Gradients {
    return {x.of([&] { return g; }), y.of([&] { return neg(g); })};
  });
}

Var mul(const Var& a, const Var& b) {
  const Wants x(a), y(b);
  return record("mul", got(plain::mul(a.value(), b.value())), {a, b},
                [x, y, keep_a = saved_if(y.gradient, a), keep_b = saved_if(x.gradient, b)](const Var& g) -> Gradients {
    return {x.of([&] { return g * conj(keep_b.get()); }), y.of([&] { return g * conj(keep_a.get()); })};
  });
}

Var div(const Var& a, const Var& b) {
  const Wants x(a), y(b);
  return record("div", got(plain::div(a.value(), b.value())), {a, b},
                [x, y, keep_b = saved_if(x.gradient || y.gradient, b)](const Var& g, const Var& out) -> Gradients {
    const Var share = g / conj(keep_b.get());
    return {x.of([&] { return share; }), y.of([&] { return neg(share * conj(out)); })};
  });
}

namespace {

/// b · a^(b-1). Where both are 0 the power would be 1/0; its factor b is 0, and so is the derivative.
Var slope_of_base(const Var& a, const Var& b) {
  const Var lift(got(plain::both_zero(a.value(), b.value())));
  return b * pow(a, b + lift + constant(-1, b.dtype()));
}

/// a^b · log a. At a = 0 the logarithm has no value; for b > 0 the product goes to 0 there.
Var slope_of_exponent(const Var& a, const Var& b, const Var& out) {
  const Var lift(got(plain::zero_base(a.value(), b.value())));
  return out * log(a + lift);
}

}  // namespace

Var pow(const Var& a, const Var& b) {
  const Wants x(a), y(b);
  const bool any = x.gradient || y.gradient;
  return record(
      "pow", got(plain::pow(a.value(), b.value())), {a, b},
      [x, y, keep_a = saved_if(any, a), keep_b = saved_if(any, b)](const Var& g, const Var& out) -> Gradients {
    const Var base = keep_a.get(), exponent = keep_b.get();
    return {x.of([&] { return g * slope_of_base(base, exponent); }),
            y.of([&] { return g * slope_of_exponent(base, exponent, out); })};
  });
}

Var pow(const Var& a, double exponent) {
  return record("pow", got(plain::power(a.value(), exponent)), {a},
                [exponent, keep_a = saved_if(a.requires_grad(), a)](const Var& g) -> Gradients {
    if (exponent == 0) return {zeros_like(g.value(), g.shape())};
    return {scaled(g * pow(keep_a.get(), exponent - 1), exponent)};
  });
}

Var neg(const Var& a) {
  return record("neg", got(plain::neg(a.value())), {a}, [](const Var& g) -> Gradients { return {neg(g)}; });
}

Var conj(const Var& a) {
  if (kind(a.dtype()) != Kind::kComplex) return a;
  return record("conj", got(plain::conj(a.value())), {a}, [](const Var& g) -> Gradients { return {conj(g)}; });
}

Var scaled(const Var& a, double factor) {
  return record("scale", got(plain::scale(a.value(), factor)), {a},
                [factor](const Var& g) -> Gradients { return {scaled(g, factor)}; });
}

Var exp(const Var& a) {
  return record("exp", got(plain::exp(a.value())), {a},
                [](const Var& g, const Var& out) -> Gradients { return {g * conj(out)}; });
}

Var log(const Var& a) {
  return record("log", got(plain::log(a.value())), {a},
                [keep_a = saved_if(a.requires_grad(), a)](const Var& g) -> Gradients { return {g / keep_a.get()}; });
}

Var sqrt(const Var& a) {
  return record("sqrt", got(plain::sqrt(a.value())), {a},
                [](const Var& g, const Var& out) -> Gradients { return {g / scaled(out, 2)}; });
}

Var tanh(const Var& a) {
  return record("tanh", got(plain::tanh(a.value())), {a},
                [](const Var& g, const Var& out) -> Gradients { return {g * (constant(1, g.dtype()) - out * out)}; });
}

Var sigmoid(const Var& a) {
  return record("sigmoid", got(plain::sigmoid(a.value())), {a},
                [](const Var& g, const Var& out) -> Gradients { return {g * (out * (constant(1, g.dtype()) - out))}; });
}

Var relu(const Var& a) {
  return record("relu", got(plain::relu(a.value())), {a}, [](const Var& g, const Var& out) -> Gradients {
    return {keep(got(plain::above_zero(out.value())), g)};
  });
}

Var keep(const Tensor& mask, const Var& a) {
  return record("keep", got(plain::keep(mask, a.value())), {a},
                [mask](const Var& g) -> Gradients { return {keep(mask, g)}; });
}

Var constant(double value, DType dtype) { return Var(got(plain::filled(value, dtype, {}))); }
Var zeros_like(const Tensor& a, const Axes& shape) { return Var(got(plain::zeros_at(a.device(), a.dtype(), shape))); }
Var ones_like(const Tensor& a) { return Var(got(plain::filled(1, a.dtype(), a.shape(), a.device()))); }

Var operator*(const Var& a, double b) { return mul(a, constant(b, a.dtype())); }
Var operator+(const Var& a, double b) { return add(a, constant(b, a.dtype())); }

}  // namespace garner::grad
