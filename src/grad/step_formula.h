// One step of an optimiser on one element, in the type that is computed in; the same on every device. Every product and
// every sum is rounded: the files that include this are compiled so.
#pragma once
#include <cmath>

#include "garner/host_device.h"
#include "grad/row_update.h"

namespace garner {

/// The numbers of a rule, in the type that is computed in.
template <class S>
struct StepNumbers {
  explicit StepNumbers(const StepRule& r)
      : rate(static_cast<S>(r.rate)),
        decay(static_cast<S>(r.weight_decay)),
        keep1(static_cast<S>(r.keep1)),
        new1(static_cast<S>(1 - r.keep1)),
        keep2(static_cast<S>(r.keep2)),
        new2(static_cast<S>(1 - r.keep2)),
        root_scale(static_cast<S>(r.root_scale)),
        eps(static_cast<S>(r.eps)) {}
  S rate, decay, keep1, new1, keep2, new2, root_scale, eps;
};

struct SgdStep {
  static constexpr int kStates = 0;
  template <class S> GARNER_HD static void apply(const StepNumbers<S>& n, S& w, S g) { w -= n.rate * g; }
};
struct MomentumStep {
  static constexpr int kStates = 1;
  template <class S> GARNER_HD static void apply(const StepNumbers<S>& n, S& w, S g, S& v) {
    v = n.keep1 * v + g;
    w -= n.rate * v;
  }
};
struct AdagradStep {
  static constexpr int kStates = 1;
  template <class S> GARNER_HD static void apply(const StepNumbers<S>& n, S& w, S g, S& s) {
    s += g * g;
    w -= n.rate * g / (std::sqrt(s) + n.eps);
  }
};
struct AdamStep {
  static constexpr int kStates = 2;
  template <class S> GARNER_HD static void apply(const StepNumbers<S>& n, S& w, S g, S& m, S& v) {
    m += n.new1 * (g - m);
    v = n.keep2 * v + n.new2 * g * g;
    w -= n.rate * m / (std::sqrt(v) / n.root_scale + n.eps);
  }
};

/// f.operator()<Step>() with the formula's class.
template <class F>
GARNER_HD void with_step(Formula formula, F&& f) {
  switch (formula) {
    case Formula::kSgd: return f.template operator()<SgdStep>();
    case Formula::kMomentum: return f.template operator()<MomentumStep>();
    case Formula::kAdagrad: return f.template operator()<AdagradStep>();
    case Formula::kAdam: return f.template operator()<AdamStep>();
  }
}

}  // namespace garner
