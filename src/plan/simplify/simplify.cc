#include "plan/simplify/simplify.h"

#include "tensor/walk.h"

namespace garner {

IndexPlan simplify(IndexPlan plan) {
  if (any_zero(plan.domain)) return plan;  // nothing will run
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto* pass : {drop_unit_axes, fold_affine_axes, fold_bounds, order_axes, merge_axes}) changed |= pass(plan);
  }
  return plan;
}

}  // namespace garner
