// Operations on variables that rules need and users do not.
#pragma once
#include "grad/state.h"

namespace garner::grad {

/// Complex conjugates; of other dtypes the variable itself.
Var conj(const Var& a);
/// Float and complex: times a number that is not rounded to the dtype first.
Var scaled(const Var& a, double factor);
/// Places begin, …, begin + count - 1 of an axis, which has them.
struct Span {
  Index axis, begin, count;
};
Var slice(const Var& a, const Span& span);
/// Of another shape, where a lies and of its dtype.
Var zeros_like(const Tensor& a, const Axes& shape);
Var ones_like(const Tensor& a);

/// The axis counted from 0; negative ones count from the end. Rule G5.
Index axis_of(const char* op, Index axis, Index rank);

/// An input of a broadcasting operation: whether it wants a gradient, and the shape of that.
struct Wants {
  explicit Wants(const Var& input) : gradient(input.requires_grad()), shape(input.shape()) {}
  /// f() summed to the input's shape, or nothing when it is not wanted.
  template <class F>
  Var of(F&& f) const {
    return gradient ? sum_to(f(), shape) : Var();
  }
  bool gradient;
  Axes shape;
};

}  // namespace garner::grad
