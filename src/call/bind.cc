#include <set>

#include "base/fail.h"
#include "call/literal.h"

namespace garner {
namespace {

struct Parameter {
  std::string name;
  std::optional<Value> fallback;
  bool by_position = true;
  bool by_name = true;
};

/// An operation's signature text is part of the program; a test parses every one.
Result<std::vector<Parameter>> parse_signature(const char* text) {
  GARNER_ASSIGN(const auto node, parse_tree<grammar::signature>(text));
  std::vector<Parameter> parameters;
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

class Binder {
 public:
  Binder(std::string op, std::vector<Parameter> parameters) : op_(std::move(op)), parameters_(std::move(parameters)) {}

  Status take(const CallArgument& argument) {
    return argument.name.empty() ? take_position(argument.value) : take_name(argument.name, argument.value);
  }

  Status finish() {
    for (const Parameter& p : parameters_) {
      if (values_.contains(p.name)) continue;
      if (!p.fallback) return fail(Code::kType, "A2", "{}: {} is missing", op_, p.name);
      values_[p.name] = *p.fallback;
    }
    return {};
  }

  Arguments arguments() && { return {op_, std::move(values_)}; }

 private:
  Status take_position(const Value& value) {
    const bool room = next_ < parameters_.size() && parameters_[next_].by_position;
    if (!room) return fail(Code::kType, "A2", "{}: {} arguments by position, allowed {}", op_, next_ + 1, next_);
    const std::string& name = parameters_[next_++].name;
    if (!values_.emplace(name, value).second) return fail(Code::kType, "A2", "{}: {} is given twice", op_, name);
    return {};
  }

  Status take_name(const std::string& name, const Value& value) {
    for (const Parameter& p : parameters_) {
      if (p.name != name) continue;
      if (!p.by_name) return fail(Code::kType, "A2", "{}: {} is given by name, allowed by position only", op_, name);
      if (!values_.emplace(name, value).second) return fail(Code::kType, "A2", "{}: {} is given twice", op_, name);
      return {};
    }
    return fail(Code::kType, "A2", "{}: there is no parameter {}", op_, name);
  }

  std::string op_;
  std::vector<Parameter> parameters_;
  std::map<std::string, Value> values_;
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

Result<Arguments> bind(const Op& op, const Call& call) {
  GARNER_ASSIGN(std::vector<Parameter> parameters, parse_signature(op.signature));
  Binder binder(call.dialect + "." + call.op, std::move(parameters));
  for (const CallArgument& argument : call.arguments) GARNER_TRY(binder.take(argument));
  GARNER_TRY(binder.finish());
  return std::move(binder).arguments();
}

Result<Jobs> lower(const Call& call) {
  GARNER_ASSIGN(const Op* op, find_op(call.dialect, call.op));
  if (op->lower == nullptr)
    return fail(Code::kUnsupported, "A5", "call: {}.{} does not become a plan", call.dialect, call.op);
  GARNER_ASSIGN(Arguments arguments, bind(*op, call));
  GARNER_ASSIGN(Jobs jobs, op->lower(arguments));
  for (Job& job : jobs) job.kept.insert(job.kept.end(), arguments.kept().begin(), arguments.kept().end());
  return jobs;
}

Result<std::vector<Tensor>> evaluate(const Call& call, const RunOptions& options) {
  GARNER_ASSIGN(const Op* op, find_op(call.dialect, call.op));
  if (op->evaluate != nullptr) {
    GARNER_ASSIGN(Arguments arguments, bind(*op, call));
    return op->evaluate(arguments, options);
  }
  GARNER_ASSIGN(const Jobs jobs, lower(call));
  std::vector<Tensor> results;
  for (const Job& job : jobs) {
    GARNER_ASSIGN(std::vector<Tensor> more, run(job, options));
    results.insert(results.end(), more.begin(), more.end());
  }
  return results;
}

}  // namespace garner
