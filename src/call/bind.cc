#include "base/fail.h"
#include "call/literal.h"

namespace garner {
namespace {

/// An operation's signature text is part of the program; a test parses every one.
Result<Parameters> parse_signature(const char* text) {
  GARNER_ASSIGN(const auto node, parse_tree<grammar::signature>(text));
  Parameters parameters;
  bool by_position = true;
  for (const auto& child : node->children) {
    if (child->is_type<grammar::slash>()) {
      for (Parameter& p : parameters) p.by_name = false;
    } else if (child->is_type<grammar::star_mark>()) {
      by_position = false;
    } else if (child->is_type<grammar::name>()) {
      parameters.push_back({child->string(), std::nullopt, by_position, true});
    } else {
      GARNER_ASSIGN(Value fallback, value_of(*child->children[1], {}));
      parameters.push_back({child->children[0]->string(), std::move(fallback), by_position, true});
    }
  }
  return parameters;
}

/// Puts arguments in their places, one after another.
class Binder {
 public:
  Binder(std::string op, std::shared_ptr<const Parameters> parameters)
      : op_(std::move(op)), parameters_(std::move(parameters)), given_(parameters_->size()) {}

  Status take(const CallArgument& argument) {
    return argument.name.empty() ? take_position(argument.value) : take_name(argument.name, argument.value);
  }

  Result<Arguments> finish() && {
    Values values;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const Parameter& p = (*parameters_)[i];
      if (!given_[i] && !p.fallback) return fail(Code::kType, "A2", "{}: {} is missing", op_, p.name);
      values.push_back(given_[i] ? *std::move(given_[i]) : *p.fallback);
    }
    return Arguments(std::move(op_), std::move(parameters_), std::move(values));
  }

 private:
  Status put(std::size_t place, const Value& value) {
    if (given_[place]) return fail(Code::kType, "A2", "{}: {} is given twice", op_, (*parameters_)[place].name);
    given_[place] = value;
    return {};
  }

  Status take_position(const Value& value) {
    const bool room = next_ < parameters_->size() && (*parameters_)[next_].by_position;
    if (!room) return fail(Code::kType, "A2", "{}: {} arguments by position, allowed {}", op_, next_ + 1, next_);
    return put(next_++, value);
  }

  Status take_name(const std::string& name, const Value& value) {
    for (std::size_t i = 0; i < parameters_->size(); ++i) {
      const Parameter& p = (*parameters_)[i];
      if (p.name != name) continue;
      if (!p.by_name) return fail(Code::kType, "A2", "{}: {} is given by name, allowed by position only", op_, name);
      return put(i, value);
    }
    return fail(Code::kType, "A2", "{}: there is no parameter {}", op_, name);
  }

  std::string op_;
  std::shared_ptr<const Parameters> parameters_;
  std::vector<std::optional<Value>> given_;
  std::size_t next_ = 0;
};

}  // namespace

Result<const Op*> find_op(const std::string& dialect, const std::string& op) {
  for (const Dialect& d : dialects()) {
    if (d.name != dialect) continue;
    for (const Op* o : d.ops)
      if (o->name == op) return o;
    return fail(Code::kInvalidArgument, "A1", "call: {} has no operation {}", dialect, op);
  }
  return fail(Code::kInvalidArgument, "A1", "call: there is no dialect {}", dialect);
}

Result<std::shared_ptr<const Parameters>> read_parameters(const Op& op) {
  GARNER_ASSIGN(Parameters parameters, parse_signature(op.signature));
  return std::make_shared<const Parameters>(std::move(parameters));
}

Result<Arguments> bind(const Op& op, const Call& call) {
  GARNER_ASSIGN(auto parameters, read_parameters(op));
  Binder binder(call.dialect + "." + call.op, std::move(parameters));
  for (const CallArgument& argument : call.arguments) GARNER_TRY(binder.take(argument));
  return std::move(binder).finish();
}

Result<Jobs> lower(const Call& call) {
  GARNER_ASSIGN(const Op* op, find_op(call.dialect, call.op));
  GARNER_ASSIGN(Arguments arguments, bind(*op, call));
  return lower(*op, arguments);
}

Result<std::vector<Tensor>> evaluate(const Call& call, const RunOptions& options) {
  GARNER_ASSIGN(const Op* op, find_op(call.dialect, call.op));
  GARNER_ASSIGN(Arguments arguments, bind(*op, call));
  return evaluate(*op, arguments, options);
}

}  // namespace garner
