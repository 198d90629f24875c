#include "model/build.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "dialect/op.h"
#include "garner/onnx.h"

namespace garner::model {
namespace {

/// Our own parameter, which is no attribute of ONNX.
constexpr std::string_view kOpset = "opset";

std::string operators() {
  std::string out = "Constant Identity";
  for (const Dialect& dialect : dialects())
    if (dialect.name == std::string_view("onnx"))
      for (const Op* op : dialect.ops) out += fmt::format(" {}", op->name);
  return out;
}

/// Inputs may be given by position, attributes only by name.
std::size_t inputs_of(const Parameters& parameters) {
  return static_cast<std::size_t>(std::ranges::count_if(parameters, &Parameter::by_position));
}

std::optional<std::size_t> attribute_named(const Parameters& parameters, std::string_view name) {
  for (std::size_t i = inputs_of(parameters); i < parameters.size(); ++i)
    if (parameters[i].name == name) return i;
  return std::nullopt;
}

Values defaults(const Parameters& parameters) {
  Values out;
  for (const Parameter& p : parameters) out.push_back(p.fallback.value_or(Value{}));
  return out;
}

/// Does the parameter take words? Those that do have one as their default.
bool takes_word(const Parameter& parameter) {
  return parameter.fallback && std::holds_alternative<Word>(parameter.fallback->held);
}

std::optional<Value> value_of(const Attribute& attribute, const Parameter& parameter) {
  if (const auto* word = std::get_if<std::string>(&attribute.value); word && takes_word(parameter))
    return Value{Word{*word}};
  if (const auto* number = std::get_if<Index>(&attribute.value); number && !takes_word(parameter))
    return Value{*number};
  return std::nullopt;
}

/// Which of the values a step reads have no later reader, last step first.
void mark_done(Program& program) {
  std::vector<bool> wanted(program.names.size());
  for (const Slot slot : program.output_slots) wanted[static_cast<std::size_t>(slot)] = true;
  for (std::size_t s = program.steps.size(); s-- > 0;) {
    Step& step = program.steps[s];
    for (const Slots* slots : {&step.inputs, &step.outputs})
      for (const Slot slot : *slots) {
        if (slot == kNone || wanted[static_cast<std::size_t>(slot)]) continue;
        wanted[static_cast<std::size_t>(slot)] = true;
        step.done.push_back(slot);
      }
  }
}

}  // namespace

std::string quoted(std::string_view name) {
  constexpr std::size_t kMost = 60;
  std::string out(name.substr(0, kMost));
  std::ranges::replace_if(out, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return fmt::format("'{}{}'", out, name.size() > kMost ? "…" : "");
}

Result<Builder> Builder::with_opset(Index opset) {
  if (opset < 1 || opset > onnx::kNewestOpset)
    return fail(Code::kUnsupported, "OM2", "model: opset is {}, allowed [1, {}]", opset, onnx::kNewestOpset);
  Builder out;
  out.program_.opset = opset;
  return out;
}

// ---- names ----

Result<Slot> Builder::define(const std::string& name, const std::string& what) {
  if (name.empty()) return fail(Code::kInvalidArgument, "OM7", "model: {} has no name", what);
  const auto slot = static_cast<Slot>(program_.names.size());
  if (!slots_.emplace(name, slot).second)
    return fail(Code::kInvalidArgument, "OM7", "model: {} is written twice, the second time by {}", quoted(name), what);
  program_.names.push_back(name);
  program_.held.emplace_back();
  return slot;
}

Result<Slot> Builder::find(const std::string& name, const std::string& what) const {
  const auto at = slots_.find(name);
  if (at != slots_.end()) return at->second;
  return fail(Code::kInvalidArgument, "OM7", "model: {} reads {}, which no input, initialiser or earlier node writes",
              what, quoted(name));
}

Status Builder::add_input(Port port) {
  GARNER_ASSIGN(const Slot slot, define(port.name, "an input"));
  program_.input_slots.push_back(slot);
  program_.inputs.push_back(std::move(port));
  return {};
}

Status Builder::add_initializer(const std::string& name, Tensor value) {
  // Before IR version 4 every initialiser was an input too. Inputs have the first slots.
  const auto at = slots_.find(name);
  const bool is_input = at != slots_.end() && static_cast<std::size_t>(at->second) < program_.inputs.size();
  Port* input = is_input ? &program_.inputs[static_cast<std::size_t>(at->second)] : nullptr;
  if (input != nullptr && !std::exchange(input->optional, true)) {
    program_.held[static_cast<std::size_t>(at->second)] = std::move(value);
    return {};
  }
  GARNER_ASSIGN(const Slot slot, define(name, "an initialiser"));
  program_.held[static_cast<std::size_t>(slot)] = std::move(value);
  return {};
}

Status Builder::add_output(Port port) {
  GARNER_ASSIGN(const Slot slot, find(port.name, "an output"));
  if (!outputs_.insert(slot).second)
    return fail(Code::kInvalidArgument, "OM7", "model: output {} is there twice", quoted(port.name));
  program_.output_slots.push_back(slot);
  program_.outputs.push_back(std::move(port));
  return {};
}

// ---- nodes ----

Result<Slot> Builder::written(const Node& node, const std::string& name) {
  return name.empty() ? Result<Slot>(kNone) : define(name, node.title);
}

Status Builder::add_constant(const Node& node, Tensor value) {
  if (!node.inputs.empty() || node.outputs.size() != 1)
    return fail(Code::kInvalidArgument, "OM8", "model: {} has {} inputs and {} outputs, allowed 0 and 1", node.title,
                node.inputs.size(), node.outputs.size());
  GARNER_ASSIGN(const Slot slot, define(node.outputs[0], node.title));
  program_.held[static_cast<std::size_t>(slot)] = std::move(value);
  return {};
}

Result<Operation> Builder::operation_of(const Node& node) {
  if (const auto known = operations_.find(node.op); known != operations_.end()) return known->second;
  auto found = Operation::find("onnx", node.op);
  if (!found.ok())
    return fail(Code::kUnsupported, "OM3", "model: {} is {}, allowed {}", node.title, quoted(node.op), operators());
  return operations_.emplace(node.op, *std::move(found)).first->second;
}

Status Builder::fill_inputs(const Node& node, Step& step) const {
  const std::size_t most = step.operation ? inputs_of(step.operation->parameters()) : 1;
  if (node.inputs.size() > most)
    return fail(Code::kInvalidArgument, "OM8", "model: {} has {} inputs, allowed {}", node.title, node.inputs.size(),
                most);
  for (std::size_t i = 0; i < most; ++i) {
    const bool given = i < node.inputs.size() && !node.inputs[i].empty();
    const bool required = !step.operation || !step.operation->parameters()[i].fallback;
    if (!given && required)
      return fail(Code::kInvalidArgument, "OM8", "model: {} ({}) lacks input {}", node.title, node.op, i);
    GARNER_ASSIGN(const Slot slot, given ? find(node.inputs[i], node.title) : kNone);
    step.inputs.push_back(slot);
  }
  return {};
}

Status Builder::fill_attributes(const Node& node, Step& step) const {
  const Parameters none, &parameters = step.operation ? step.operation->parameters() : none;
  step.values = defaults(parameters);
  if (const auto opset = attribute_named(parameters, kOpset)) step.values[*opset] = Value{program_.opset};
  std::vector<bool> given(parameters.size());
  for (const Attribute& attribute : node.attributes) {
    const auto place = attribute_named(parameters, attribute.name);
    if (!place || attribute.name == kOpset || given[*place])
      return fail(Code::kInvalidArgument, "OM8", "model: {} ({}) has attribute {}{}", node.title, node.op,
                  quoted(attribute.name), place && given[*place] ? " twice" : ", which the operator has not");
    const auto value = value_of(attribute, parameters[*place]);
    if (!value)
      return fail(Code::kType, "OM8", "model: type of attribute {} of {} ({}) is another, allowed {}",
                  quoted(attribute.name), node.title, node.op, takes_word(parameters[*place]) ? "STRING" : "INT");
    step.values[*place] = *value;
    given[*place] = true;
  }
  return {};
}

Status Builder::add_node(const Node& node) {
  Step step;
  step.title = node.title;
  if (node.op != "Identity") { GARNER_ASSIGN(step.operation, operation_of(node)); }
  GARNER_TRY(fill_inputs(node, step));
  GARNER_TRY(fill_attributes(node, step));
  for (const std::string& name : node.outputs) {
    GARNER_ASSIGN(const Slot slot, written(node, name));
    step.outputs.push_back(slot);
  }
  program_.steps.push_back(std::move(step));
  return {};
}

Program Builder::finish() && {
  mark_done(program_);
  return std::move(program_);
}

}  // namespace garner::model
