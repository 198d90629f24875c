// Operations that take as operands what others take as attributes. Their results have the shape the text says.
#include "mlir/attributes.h"
#include "tensor/cast.h"

namespace garner::mlir {
namespace {

/// The operation that takes lists: its first operands, then the names of the lists in order.
struct Fixed {
  const char* name;
  std::size_t inputs;
  std::vector<const char*> lists;
};

Result<Tensor> numbers(const Operation& op, const View& view) {
  if (view.rank() == 1 && is_integer(view.dtype())) return cast(view, DType::kI64);
  return misfit(op, "a list is {} of rank {}, allowed integers of rank 1", name(view.dtype()), view.rank());
}

/// Rule M7 unless a shape that is an operand is the one that the text says.
Status check_said(const Operation& op, const Operation& fixed) {
  if (find(fixed.attributes, {"shape"}) == nullptr) return {};
  GARNER_ASSIGN(const Axes shape, integers(fixed, {"shape"}));
  if (op.result_types.size() == 1 && op.result_types[0].shape == shape) return {};
  return fail(Code::kInvalidArgument, "M7", "{}: the shape is {}, the text says otherwise", op.name, list(shape));
}

Result<Values> run_fixed(const Fixed& as, const Operation& op, const Values& operands, Context& context) {
  const std::size_t count = as.inputs + as.lists.size();
  GARNER_TRY(check_count(op, operands.size(), count, count));
  Operation fixed = op;
  fixed.info = find_op(as.name);
  for (std::size_t k = 0; k < as.lists.size(); ++k) {
    GARNER_ASSIGN(Tensor list, numbers(op, operands[as.inputs + k].view));
    fixed.attributes[as.lists[k]] = {std::move(list)};
  }
  GARNER_TRY(check_said(op, fixed));
  const auto end = operands.begin() + static_cast<std::ptrdiff_t>(as.inputs);
  return fixed.info->run(fixed, Values(operands.begin(), end), context);
}

Result<Values> dynamic_reshape(const Operation& op, const Values& operands, Context& context) {
  return run_fixed({"reshape", 1, {"shape"}}, op, operands, context);
}

Result<Values> dynamic_broadcast_in_dim(const Operation& op, const Values& operands, Context& context) {
  return run_fixed({"broadcast_in_dim", 1, {"shape"}}, op, operands, context);
}

Result<Values> dynamic_iota(const Operation& op, const Values& operands, Context& context) {
  return run_fixed({"iota", 0, {"shape"}}, op, operands, context);
}

Result<Values> real_dynamic_slice(const Operation& op, const Values& operands, Context& context) {
  return run_fixed({"slice", 1, {"start_indices", "limit_indices", "strides"}}, op, operands, context);
}

Result<Values> dynamic_pad(const Operation& op, const Values& operands, Context& context) {
  return run_fixed({"pad", 2, {"edge_padding_low", "edge_padding_high", "interior_padding"}}, op, operands, context);
}

}  // namespace

GARNER_MLIR_DEFINE(dynamic_reshape, nullptr, &dynamic_reshape);
GARNER_MLIR_DEFINE(dynamic_broadcast_in_dim, nullptr, &dynamic_broadcast_in_dim);
GARNER_MLIR_DEFINE(dynamic_iota, nullptr, &dynamic_iota);
GARNER_MLIR_DEFINE(real_dynamic_slice, nullptr, &real_dynamic_slice);
GARNER_MLIR_DEFINE(dynamic_pad, nullptr, &dynamic_pad);

}  // namespace garner::mlir
