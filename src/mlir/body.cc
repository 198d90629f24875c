#include "mlir/body.h"

#include <map>

#include "mlir/attributes.h"
#include "mlir/fail_at.h"

namespace garner::mlir {
namespace {

constexpr int kMaxCalls = 64;  // inside one another; more is recursion

/// Operations that on one element do nothing.
bool does_nothing(std::string_view name) {
  return name == "reshape" || name == "broadcast_in_dim" || name == "optimization_barrier";
}

}  // namespace

/// Turns regions into instructions: each value becomes a cell.
class BodyCompiler {
 public:
  explicit BodyCompiler(Context& context) : context_(context) {}

  Result<Body> compile(const Region& region) {
    std::vector<std::size_t> arguments;
    for (const TensorType& type : region.types) {
      if (!type.shape.empty())
        return fail(Code::kInvalidArgument, "M6", "a body takes {}, allowed tensors of rank 0", to_string(type));
      body_.arguments_.push_back(type.dtype);
      arguments.push_back(add_cell(type.dtype));
    }
    GARNER_ASSIGN(body_.results_, add_region(region, arguments, Outside::kSeen));
    return std::move(body_);
  }

 private:
  enum class Outside { kSeen, kHidden };
  using Names = std::map<Slot, std::size_t>;  // of values in one function

  std::size_t add_cell(DType type) {
    body_.types_.push_back(type);
    body_.cells_.emplace_back();
    return body_.cells_.size() - 1;
  }

  Result<std::size_t> add_value(const Operation& op, const View& view) {
    if (view.rank() != 0)
      return located(op.place, misfit(op, "it uses a value of shape {}, allowed rank 0", list(view.shape())));
    const std::size_t cell = add_cell(view.dtype());
    std::memcpy(body_.cells_[cell].bytes, view.data(), static_cast<std::size_t>(width(view.dtype())));
    return cell;
  }

  Result<std::vector<std::size_t>> add_region(const Region& region, const std::vector<std::size_t>& arguments,
                                              Outside outside) {
    Names names;
    for (std::size_t i = 0; i < arguments.size(); ++i) names[region.arguments[i]] = arguments[i];
    for (std::size_t i = 0; i + 1 < region.operations.size(); ++i) {
      const Operation& op = region.operations[i];
      GARNER_ASSIGN(const auto in, cells_of(op, names, outside));
      GARNER_ASSIGN(const auto out, add_operation(op, in));
      for (std::size_t k = 0; k < out.size(); ++k) names[op.results[k]] = out[k];
    }
    return cells_of(region.operations.back(), names, outside);
  }

  Result<std::vector<std::size_t>> cells_of(const Operation& op, Names& names, Outside outside) {
    std::vector<std::size_t> out;
    for (const Slot slot : op.operands) {
      if (!names.contains(slot) && outside == Outside::kSeen) {
        GARNER_ASSIGN(names[slot], add_value(op, context_.slots[slot].view));
      }
      out.push_back(names.at(slot));  // parse() has seen to it that names have definitions
    }
    return out;
  }

  /// The cells of the operation's results.
  Result<std::vector<std::size_t>> add_operation(const Operation& op, const std::vector<std::size_t>& in) {
    const std::string_view name = op.info->name;
    if (op.info->loop != nullptr) return add_instruction(op, in);
    if (name == "constant") return add_constant(op);
    if (name == "call") return add_call(op, in);
    if (does_nothing(name) && in.size() == op.results.size()) return in;
    return fail_at(op.place, "M2", "{} is not offered inside a body", op.name);
  }

  Result<std::vector<std::size_t>> add_instruction(const Operation& op, const std::vector<std::size_t>& in) {
    std::vector<DType> types;
    for (const std::size_t cell : in) types.push_back(body_.types_[cell]);
    const auto made = op.info->loop(op, types);
    if (!made.ok()) return located(op.place, made.status());
    const TensorType is{made->result, {}};
    if (op.results.size() != 1 || op.result_types[0] != is)
      return fail_at(op.place, "M7", "{}: it gives {}, the text says otherwise", op.name, to_string(is));
    const std::size_t out = add_cell(made->result);
    body_.instructions_.push_back({op.info, made->loop, in, out});
    return std::vector{out};
  }

  Result<std::vector<std::size_t>> add_constant(const Operation& op) {
    GARNER_ASSIGN(const Tensor value, tensor(op, {"value"}));
    GARNER_ASSIGN(const std::size_t cell, add_value(op, value));
    return std::vector{cell};
  }

  Result<std::vector<std::size_t>> add_call(const Operation& op, const std::vector<std::size_t>& in) {
    GARNER_ASSIGN(const std::string name, text(op, {"callee"}));
    const Function* function = context_.program.find(name);
    if (function == nullptr) return fail_at(op.place, "M4", "@{} is not defined", name);
    if (function->body.arguments.size() != in.size())
      return located(op.place, misfit(op, "@{} takes another number of values", name));
    if (++calls_ > kMaxCalls) return located(op.place, misfit(op, "calls are more than {} deep", kMaxCalls));
    auto out = add_region(function->body, in, Outside::kHidden);
    --calls_;
    if (out.ok() && out->size() != op.results.size())
      return located(op.place, misfit(op, "@{} gives another number of values", name));
    return out;
  }

  Context& context_;
  Body body_;
  int calls_ = 0;
};

Result<Body> Body::compile(const Region& region, Context& context) { return BodyCompiler(context).compile(region); }

std::vector<DType> Body::results() const {
  std::vector<DType> out;
  for (const std::size_t cell : results_) out.push_back(types_[cell]);
  return out;
}

void Body::run(Cells& cells, const void* const* arguments, void* const* results) const {
  for (std::size_t k = 0; k < arguments_.size(); ++k)
    std::memcpy(cells[k].bytes, arguments[k], static_cast<std::size_t>(width(arguments_[k])));
  for (const Instruction& instruction : instructions_) {
    Strip strip{1, {}, {}, cells[instruction.out].bytes, 1};
    for (std::size_t k = 0; k < instruction.in.size(); ++k) strip.in[k] = cells[instruction.in[k]].bytes;
    instruction.loop(strip);
  }
  for (std::size_t k = 0; k < results_.size(); ++k)
    std::memcpy(results[k], cells[results_[k]].bytes, static_cast<std::size_t>(width(types_[results_[k]])));
}

std::optional<Body::Only> Body::only() const {
  if (instructions_.size() != 1 || results_.size() != 1 || arguments_.size() != 2) return std::nullopt;
  const Instruction& one = instructions_[0];
  const bool in_order = one.in == std::vector<std::size_t>{0, 1}, swapped = one.in == std::vector<std::size_t>{1, 0};
  if (results_[0] != one.out || (!in_order && !swapped)) return std::nullopt;
  return Only{one.info, one.loop, in_order};
}

std::optional<std::size_t> Body::argument_behind(std::size_t result) const {
  return results_[result] < arguments_.size() ? std::optional(results_[result]) : std::nullopt;
}

Status check_joins(const Operation& op, const Body& body, const std::vector<DType>& types) {
  std::vector<DType> wanted = types;
  wanted.insert(wanted.end(), types.begin(), types.end());
  if (body.arguments() == wanted && body.results() == types) return {};
  return misfit(op, "its body takes {} and gives {} elements, allowed two and one of each input's dtype",
                body.arguments().size(), body.results().size());
}

}  // namespace garner::mlir
