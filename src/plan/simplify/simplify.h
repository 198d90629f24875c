// One rewrite per file. Each states the property of the normal form it establishes and why the result stays the same,
// and returns whether it changed anything. All take verified plans with a non-empty domain.
#pragma once
#include "garner/plan.h"

namespace garner {

bool drop_unit_axes(IndexPlan& plan);     // N1
bool fold_affine_axes(IndexPlan& plan);   // N2
bool fold_bounds(IndexPlan& plan);        // N3
bool order_axes(IndexPlan& plan);         // N4
bool merge_axes(IndexPlan& plan);         // N5

/// f(axes) for everything that has one entry per domain axis, the domain's extents excepted.
template <class Plan, class F>
void for_each_stride(Plan& plan, F&& f) {
  f(plan.dense_stride);
  for (auto& map : plan.indexed) f(map.step);
  for (auto& term : plan.terms) f(term.stride);
  for (auto* stride : {&plan.mask_stride, &plan.fill_stride, &plan.fetch_stride})
    if (*stride) f(**stride);
}

}  // namespace garner
