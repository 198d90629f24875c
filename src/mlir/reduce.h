// What reduce and reduce_window share: inputs that a body joins, starting from an initial value each.
#pragma once
#include "mlir/body.h"

namespace garner::mlir {

struct Joined {
  std::vector<Tensor> inputs;  // row-major, in the dtypes the body takes
  std::vector<View> starts;
  std::vector<Tensor> kept;  // starts that had to be converted
  Body body;
  const Axes& shape() const { return inputs[0].shape(); }
};

/// n inputs of one shape, n starts of rank 0, a body on 2n elements. Rule M6.
Result<Joined> read_joined(const Operation& op, const Values& operands, Context& context);

/// Tensors of a shape that hold the starts.
Result<std::vector<Tensor>> make_starts(const Joined& joined, const Axes& shape, const RunOptions& options);

Values values_of(const std::vector<Tensor>& tensors);

}  // namespace garner::mlir
