// custom_call: the checks, and what JAX and XLA call by these names.
#include <algorithm>

#include "mlir/attributes.h"
#include "mlir/check.h"

namespace garner::mlir {
namespace {

// ---- checks ----

/// check.expect_eq(actual, expected); check.eq is what it was called when it had a result.
Result<Values> run_check(const Operation& op, std::string_view kind, const Values& operands) {
  GARNER_TRY(check_count(op, operands.size(), 2, 2));
  GARNER_TRY(expect(op, kind, operands[0].view, operands[1].view));
  return op.results.empty() ? Values{} : Values{value_of(scalar(true))};
}

/// What JAX asks of extents that were not known when it wrote the module; the other operands are for the message.
Result<Values> shape_assertion(const Operation& op, const Values& operands, Context&) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1 << 10));
  if (operands[0].view.dtype() != DType::kBool)
    return misfit(op, "what it asserts is {}", name(operands[0].view.dtype()));
  GARNER_ASSIGN(const Tensor truth, contiguous(operands[0].view));
  const auto* first = truth.as<std::uint8_t>();
  if (std::find(first, first + truth.elements(), 0) == first + truth.elements()) return Values{};
  const Attribute* message = find(op.attributes, {"error_message"});
  const auto* words = message == nullptr ? nullptr : std::get_if<std::string>(&message->held);
  return fail(Code::kInvalidArgument, "M9", "{}: {}", op.name, words == nullptr ? "an assertion fails" : *words);
}

// ---- the first of many ----

/// chlo's top_k, from when it was no operation: its attributes stand one level deeper.
Result<Values> top_k_of_mhlo(const Operation& op, const Values& operands, Context& context) {
  GARNER_ASSIGN(const Attributes* entries, dictionary(op, {"mhlo.attributes"}));
  Operation fixed = op;
  for (const auto& [key, value] : *entries) fixed.attributes.insert_or_assign(key, value);
  return find_op("chlo.top_k")->run(fixed, operands, context);
}

/// The function that compares, as the body of a sort along an axis.
Result<Operation> sort_for(const Operation& op, Index axis, const Context& context) {
  const Attribute* names = find(op.attributes, {"called_computations"});
  const auto* list = names == nullptr ? nullptr : std::get_if<std::vector<Attribute>>(&names->held);
  const auto* name = list == nullptr || list->size() != 1 ? nullptr : std::get_if<std::string>(&list->front().held);
  const Function* comparator = name == nullptr ? nullptr : context.program.find(*name);
  if (comparator == nullptr) return fail(Code::kInvalidArgument, "M4", "{}: its comparator is not defined", op.name);
  Operation out = op;
  out.info = find_op("stablehlo.sort");
  out.attributes["dimension"] = {axis};
  out.regions = {comparator->body};
  return out;
}

/// The first `count` along an axis.
Result<Value> beginning(const Operation& op, const Value& value, Index axis, Index count) {
  Axes shape = value.view.shape();
  Index& extent = shape[static_cast<std::size_t>(axis)];
  if (count < 0 || count > extent) return misfit(op, "top_k is {}, allowed [0, {}]", count, extent);
  extent = count;
  return Value{View(value.view.dtype(), value.view.data(), shape, value.view.stride()), value.owner};
}

/// XLA may give less than the best; here it is the best. The operands are n inputs and n starts, which are not needed.
Result<Values> approx_top_k(const Operation& op, const Values& operands, Context& context) {
  GARNER_TRY(check_count(op, operands.size(), 2, 1 << 10));
  GARNER_ASSIGN(const Attributes* config, dictionary(op, {"mhlo.backend_config"}));
  GARNER_ASSIGN(const Index count, integer_in(op, *config, "top_k"));
  GARNER_ASSIGN(const Index axis, integer_in(op, *config, "reduction_dim"));
  const Index rank = operands[0].view.rank();
  if (axis < 0 || axis >= rank) return misfit(op, "reduction_dim is {}, allowed [0, {})", axis, rank);
  GARNER_ASSIGN(const Operation sort, sort_for(op, axis, context));
  const auto half = static_cast<std::ptrdiff_t>(operands.size() / 2);
  GARNER_ASSIGN(Values sorted, sort.info->run(sort, Values(operands.begin(), operands.begin() + half), context));
  for (Value& value : sorted) { GARNER_ASSIGN(value, beginning(op, value, axis, count)); }
  return sorted;
}

// ---- by name ----

/// Says where, not what.
Result<Values> same(const Operation&, const Values& operands, Context&) { return operands; }

struct Target {
  std::string_view name;
  Result<Values> (*run)(const Operation& op, const Values& operands, Context& context);
};
constexpr Target kTargets[] = {{"Sharding", &same},
                               {"annotate_device_placement", &same},
                               {"shape_assertion", &shape_assertion},
                               {"mhlo.topk", &top_k_of_mhlo},
                               {"ApproxTopK", &approx_top_k}};

Result<Values> custom_call(const Operation& op, const Values& operands, Context& context) {
  GARNER_ASSIGN(const std::string target, text(op, {"callee", "call_target_name"}));
  constexpr std::string_view kPrefix = "check.";
  const std::string kind = target.starts_with(kPrefix) ? target.substr(kPrefix.size()) : "";
  if (kind == "eq") return run_check(op, "expect_eq", operands);
  if (is_check(kind)) return run_check(op, kind, operands);
  for (const Target& known : kTargets)
    if (known.name == target) return known.run(op, operands, context);
  return fail(Code::kUnsupported, "M2", "{}: @{} is not offered", op.name, target);
}

}  // namespace

GARNER_MLIR_DEFINE(custom_call, nullptr, &custom_call);

}  // namespace garner::mlir
