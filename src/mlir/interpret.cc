// Running a module's function: operation after operation, values in slots.
#include "mlir/elementwise.h"
#include "mlir/fail_at.h"

namespace garner::mlir {
namespace {

Values operands_of(const Operation& op, const Context& context) {
  Values out;
  for (const Slot slot : op.operands) out.push_back(context.slots[slot]);
  return out;
}

Status run_operation(const Operation& op, Context& context) {
  const Values operands = operands_of(op, context);
  Result<Values> results =
      op.info->loop != nullptr ? run_elementwise(op, operands, context) : op.info->run(op, operands, context);
  if (!results.ok()) return located(op.place, results.status());
  GARNER_TRY(located(op.place, check_results(op, *results)));
  for (std::size_t i = 0; i < op.results.size(); ++i) context.slots[op.results[i]] = std::move((*results)[i]);
  return {};
}

Status check_argument(const Signature& f, std::size_t number, const View& given) {
  const TensorType& wanted = f.arguments[number].type;
  GARNER_TRY(validate(given, fmt::format("mlir: argument {} of @{}", number, f.name)));
  const TensorType is{given.dtype(), given.shape()};
  if (is == wanted) return {};
  return fail(is.dtype == wanted.dtype ? Code::kInvalidArgument : Code::kType, "M8",
              "mlir: argument {} of @{} is {}, allowed {}", number, f.name, to_string(is), to_string(wanted));
}

Status check_arguments(const Signature& f, const std::vector<View>& given) {
  if (given.size() != f.arguments.size())
    return fail(Code::kInvalidArgument, "M8", "mlir: @{} is given {} arguments, allowed {}", f.name, given.size(),
                f.arguments.size());
  for (std::size_t i = 0; i < given.size(); ++i) GARNER_TRY(check_argument(f, i, given[i]));
  return {};
}

/// A result in memory of its own, row-major.
Result<Tensor> as_tensor(const Value& value) {
  const bool whole = value.owner.data() == value.view.data() && value.owner.dtype() == value.view.dtype() &&
                     value.owner.elements() == value.view.elements() &&
                     value.view.stride() == row_major(value.view.shape());
  if (whole) return value.owner.reshaped(value.view.shape());
  return contiguous(value.view);
}

}  // namespace

Status check_results(const Operation& op, const Values& results) {
  if (results.size() != op.results.size())
    return fail(Code::kInvalidArgument, "M7", "{}: it gives {} results, the text says {}", op.name, results.size(),
                op.results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const TensorType is{results[i].view.dtype(), results[i].view.shape()};
    if (is != op.result_types[i])
      return fail(Code::kInvalidArgument, "M7", "{}: result {} is {}, the text says {}", op.name, i, to_string(is),
                  to_string(op.result_types[i]));
  }
  return {};
}

Result<Values> run_region(const Region& region, const Values& arguments, Context& context) {
  if (arguments.size() != region.arguments.size())
    return fail(Code::kInvalidArgument, "M6", "a region takes {} values, given {}", region.arguments.size(),
                arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) context.slots[region.arguments[i]] = arguments[i];
  for (std::size_t i = 0; i + 1 < region.operations.size(); ++i)
    GARNER_TRY(run_operation(region.operations[i], context));
  return operands_of(region.operations.back(), context);
}

Result<std::vector<Tensor>> run(const Module& module, const std::vector<View>& arguments, std::string_view function,
                                const RunOptions& options, stablehlo::OutOfBounds out_of_bounds) {
  const Program& program = module.program();
  const Function* found = program.find(function);
  if (found == nullptr) return fail(Code::kInvalidArgument, "M4", "mlir: @{} is not defined", function);
  GARNER_TRY(check_arguments(found->signature, arguments));
  Values slots(found->slots), given;
  for (const View& argument : arguments) given.push_back({argument, {}});
  Context context{program, options, out_of_bounds, slots, 0};
  GARNER_ASSIGN(const Values results, run_region(found->body, given, context));
  std::vector<Tensor> out;
  for (const Value& result : results) {
    GARNER_ASSIGN(Tensor tensor, as_tensor(result));
    out.push_back(std::move(tensor));
  }
  return out;
}

}  // namespace garner::mlir
