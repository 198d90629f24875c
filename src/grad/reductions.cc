// Sums, means, maxima and minima of variables, and their rules.
#include "grad/elementwise.h"
#include "grad/ops.h"
#include "grad/reduce.h"

namespace garner::grad {
namespace {

using plain::Reduction;

struct Plan {
  Reduction over;
  Axes input, result;
  /// A gradient of the result's shape, for every element that went into it.
  Var spread(const Var& gradient) const { return broadcast(reshape(gradient, over.with_ones), input); }
};

Plan plan_of(const char* op, const Var& a, const Over& over) {
  Plan plan{value_or_throw(plain::reduction(op, a.shape(), over.axes)), a.shape(), {}};
  plan.result = over.keepdims ? plan.over.with_ones : plan.over.kept;
  return plan;
}

Var extreme(plain::Which which, const char* op, const Var& a, const Over& over) {
  const Plan plan = plan_of(op, a, over);
  const plain::Extremes found = value_or_throw(plain::extremes(which, a.value(), plan.over));
  return record(op, found.values.reshaped(plan.result), {a},
                [plan, positions = found.positions](const Var& g) -> std::vector<Var> {
    return {keep(value_or_throw(plain::mask_at(positions, plan.input)), plan.spread(g))};
  });
}

}  // namespace

Var sum(const Var& a, const Over& over) {
  const Plan plan = plan_of("sum", a, over);
  Tensor value = value_or_throw(plain::sum(a.value(), plan.over)).reshaped(plan.result);
  return record("sum", std::move(value), {a}, [plan](const Var& g) -> std::vector<Var> { return {plan.spread(g)}; });
}

Var mean(const Var& a, const Over& over) {
  const Plan plan = plan_of("mean", a, over);
  Tensor value = value_or_throw(plain::mean(a.value(), plan.over)).reshaped(plan.result);
  return record("mean", std::move(value), {a}, [plan](const Var& g) -> std::vector<Var> {
    return {plan.spread(scaled(g, 1 / static_cast<double>(plan.over.count)))};
  });
}

Var max(const Var& a, const Over& over) { return extreme(plain::Which::kMax, "max", a, over); }
Var min(const Var& a, const Over& over) { return extreme(plain::Which::kMin, "min", a, over); }

}  // namespace garner::grad
