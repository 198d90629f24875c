// The text form of a dialect call: dialect.op(args, key=value), as .case files and the command line write it.
// Values and their spelling: conformance/README.md.
#pragma once
#include <map>
#include <string_view>

#include "dialect/op.h"

namespace garner {

/// Names bound to values before a call.
using Environment = std::map<std::string, Value>;

struct CallArgument {
  std::string name;
  Value value;
};  // empty name: positional
struct Call {
  std::string dialect, op;
  std::vector<CallArgument> arguments;
};

/// Rule A4 with line and column when the text is not a value or a call.
Result<Value> parse_value(std::string_view text, const Environment& names = {});
Result<Call> parse_call(std::string_view text, const Environment& names = {});

/// Rule A1: no such dialect or operation.
Result<const Op*> find_op(const std::string& dialect, const std::string& op);

/// Puts arguments in their places by the operation's signature. Rule A2: one too many, missing, given twice, unknown,
/// or given by the wrong kind of position.
Result<Arguments> bind(const Op& op, const Call& call);

/// Everything up to the plan: find, bind, lower. The jobs keep what the call's literals hold. Rule A5: it has no plan.
Result<Jobs> lower(const Call& call);

/// The call's results: of all its jobs, in order, or what an operation without a plan computes.
Result<std::vector<Tensor>> evaluate(const Call& call, const RunOptions& options = {});

}  // namespace garner
