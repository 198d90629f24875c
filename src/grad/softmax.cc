// Softmax and cross entropy of variables, and their rules.
#include "grad/ops.h"
#include "grad/softmax_lanes.h"

namespace garner::grad {
namespace {
using Gradients = std::vector<Var>;
}  // namespace

Var softmax(const Var& a, Index axis) {
  const Index along = axis_of("softmax", axis, a.rank());
  return record("softmax", value_or_throw(plain::softmax(a.value(), along)), {a},
                [along](const Var& g, const Var& out) -> Gradients {
    const Var weighted = g * out;
    return {weighted - out * sum(weighted, {.axes = Axes{along}, .keepdims = true})};
  });
}

Var log_softmax(const Var& a, Index axis) {
  const Index along = axis_of("log_softmax", axis, a.rank());
  return record("log_softmax", value_or_throw(plain::log_softmax(a.value(), along)), {a},
                [along](const Var& g, const Var& out) -> Gradients {
    return {g - exp(out) * sum(g, {.axes = Axes{along}, .keepdims = true})};
  });
}

/// Keeps the logits, which are there anyway, and not their softmax, which would be as large: the way back computes it.
Var cross_entropy(const Var& logits, const View& target) {
  const Tensor classes = value_or_throw(contiguous(target));
  return record("cross_entropy", value_or_throw(plain::cross_entropy(logits.value(), classes)), {logits},
                [classes, keep = saved_if(logits.requires_grad(), logits)](const Var& g) -> Gradients {
    const Var rows = keep.get();
    const Var hot(value_or_throw(plain::one_hot_like(rows.value(), classes)));
    return {scaled((softmax(rows, 1) - hot) * g, 1 / static_cast<double>(rows.shape()[0]))};
  });
}

}  // namespace garner::grad
