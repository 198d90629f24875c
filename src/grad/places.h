// Where a job's walk meets its indexed side, apart from the values: two linear maps, each the other's adjoint.
//   pull(x)[d] = x[place of d], 0 where nothing is read          push(u)[p] = sum of u[d] over all d whose place is p
#pragma once
#include "garner/grad.h"

namespace garner::grad {

class Places {
 public:
  /// Of a gather or a scatter, looking at the job's index tensors.
  explicit Places(const Job& job);
  /// The same with copies of the index tensors, for longer than their owner promised them.
  static std::shared_ptr<const Places> kept(const Job& job);
  /// Of a view into memory of `elements` elements that begins `offset` elements before the view's first.
  static std::shared_ptr<const Places> of_view(const View& view, Index offset, Index elements);

  const Axes& domain() const { return skeleton_.plan.domain; }
  Axes shape() const;  // of the indexed side

  Result<Tensor> pull(const View& x, const RunOptions& options = {}) const;
  /// Combined onto `base`, or onto zeros.
  Result<Tensor> push(const View& u, Combine combine, const std::optional<View>& base,
                      const RunOptions& options = {}) const;

 private:
  Places() = default;
  Job skeleton_;  // a gather without an operand; a place that is left out reads as 0
};

using SharedPlaces = std::shared_ptr<const Places>;

Var pull(const SharedPlaces& places, const Var& x);
Var push(const SharedPlaces& places, const Var& u);

}  // namespace garner::grad
