// What runs next: call, while, if, case.
#include "mlir/attributes.h"

namespace garner::mlir {
namespace {

constexpr int kMaxCalls = 64;  // inside one another; more is recursion

Status check_call(const Operation& op, const Function& function, const Values& operands) {
  const Region& body = function.body;
  GARNER_TRY(check_count(op, operands.size(), body.types.size(), body.types.size()));
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const TensorType is{operands[i].view.dtype(), operands[i].view.shape()};
    if (is != body.types[i])
      return misfit(op, "argument {} of @{} is {}, allowed {}", i, function.signature.name, to_string(is),
                    to_string(body.types[i]));
  }
  return {};
}

Result<Values> call_named(const Operation& op, const std::string& name, const Values& operands, Context& context) {
  const Function* function = context.program.find(name);
  if (function == nullptr) return fail(Code::kInvalidArgument, "M4", "{}: @{} is not defined", op.name, name);
  if (context.depth >= kMaxCalls) return misfit(op, "calls are more than {} deep", kMaxCalls);
  GARNER_TRY(check_call(op, *function, operands));
  Values slots(function->slots);
  Context inner{context.program, context.options, context.out_of_bounds, slots, context.depth + 1};
  return run_region(function->body, operands, inner);
}

Result<Values> call(const Operation& op, const Values& operands, Context& context) {
  GARNER_ASSIGN(const std::string name, text(op, {"callee"}));
  return call_named(op, name, operands, context);
}

/// An operation that somebody else may know by its name; here, what it is made of.
Result<Values> composite(const Operation& op, const Values& operands, Context& context) {
  GARNER_ASSIGN(const std::string name, text(op, {"decomposition"}));
  return call_named(op, name, operands, context);
}

/// The one element of a condition or branch number.
Result<Index> one_number(const Operation& op, const Values& values, DType wanted) {
  if (values.size() == 1 && values[0].view.rank() == 0 && values[0].view.dtype() == wanted)
    return wanted == DType::kBool ? Index{*static_cast<const std::uint8_t*>(values[0].view.data())}
                                  : Index{*static_cast<const std::int32_t*>(values[0].view.data())};
  return misfit(op, "what decides is not one {}", name(wanted));
}

Result<Values> run_while(const Operation& op, const Values& operands, Context& context) {
  if (op.regions.size() != 2) return misfit(op, "it has {} regions, allowed 2", op.regions.size());
  Values values = operands;
  for (;;) {
    GARNER_ASSIGN(const Values decision, run_region(op.regions[0], values, context));
    GARNER_ASSIGN(const Index goes_on, one_number(op, decision, DType::kBool));
    if (goes_on == 0) return values;
    GARNER_ASSIGN(values, run_region(op.regions[1], values, context));
    GARNER_TRY(check_results(op, values));
  }
}

Result<Values> run_if(const Operation& op, const Values& operands, Context& context) {
  if (op.regions.size() != 2) return misfit(op, "it has {} regions, allowed 2", op.regions.size());
  GARNER_ASSIGN(const Index which, one_number(op, operands, DType::kBool));
  return run_region(op.regions[which != 0 ? 0 : 1], {}, context);
}

/// A number that names no branch takes the last one.
Result<Values> run_case(const Operation& op, const Values& operands, Context& context) {
  if (op.regions.empty()) return misfit(op, "it has no regions, allowed at least 1");
  GARNER_ASSIGN(const Index which, one_number(op, operands, DType::kI32));
  const auto last = static_cast<Index>(op.regions.size()) - 1;
  return run_region(op.regions[static_cast<std::size_t>(which < 0 || which > last ? last : which)], {}, context);
}

/// run_region() looks at the last operation itself; this is one that stands before others.
Result<Values> return_too_early(const Operation& op, const Values&, Context&) {
  return fail(Code::kInvalidArgument, "M1", "{}: it is not the last operation of its region", op.name);
}

}  // namespace

GARNER_MLIR_DEFINE(call, nullptr, &call);
GARNER_MLIR_DEFINE(composite, nullptr, &composite);
GARNER_MLIR_DEFINE(while, nullptr, &run_while);
GARNER_MLIR_DEFINE(if, nullptr, &run_if);
GARNER_MLIR_DEFINE(case, nullptr, &run_case);
GARNER_MLIR_DEFINE(return, nullptr, &return_too_early);

}  // namespace garner::mlir
