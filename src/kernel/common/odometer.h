// A place in the first axes of a plan's domain, stepped through in row-major order.
#pragma once
#include "garner/plan.h"

namespace garner {

class Odometer {
 public:
  /// Of the domain's first `axes` axes, at their first position.
  Odometer(const Axes& domain, std::size_t axes) : domain_(domain), position_(axes, 0) {}

  std::size_t axes() const { return position_.size(); }

  void seek(Index position) {
    for (std::size_t k = axes(); k-- > 0;) {
      position_[k] = position % domain_[k];
      position /= domain_[k];
    }
  }

  /// `count` on along the last axis, at most to its end.
  void advance(Index count = 1) {
    if (axes() == 0) return;
    position_.back() += count;
    for (std::size_t k = axes(); k-- > 1 && position_[k] == domain_[k];) {
      position_[k] = 0;
      ++position_[k - 1];
    }
  }

  /// Positions left on the last axis.
  Index left() const { return axes() == 0 ? 1 : domain_[axes() - 1] - position_.back(); }

  /// Where a strided walk stands.
  Index at(const Axes& stride) const {
    Index sum = 0;
    for (std::size_t k = 0; k < axes(); ++k) sum += position_[k] * stride[k];
    return sum;
  }

 private:
  const Axes& domain_;
  Axes position_;
};

/// The affine part of the indexed side: element offset at a position, all index values taken as 0.
struct Affine {
  Index base = 0;
  Axes step;  // along each axis of the domain

  explicit Affine(const IndexPlan& plan) : base(plan.indexed_base), step(plan.domain.size(), 0) {
    for (const AxisMap& map : plan.indexed) {
      for (std::size_t k = 0; k < step.size(); ++k) step[k] += map.stride * map.step[k];
      base += map.stride * map.offset;
    }
  }
};

}  // namespace garner
