// The text form of a dialect call: dialect.op(args, key=value), as .case files and the command line write it.
// Values and their spelling: conformance/README.md.
#pragma once
#include <map>
#include <memory>
#include <string_view>
#include <variant>

#include "garner/grad.h"
#include "garner/run.h"

namespace garner {

/// A bare name in a call, such as ND or None.
struct Word {
  std::string text;
  bool operator==(const Word&) const = default;
};

/// An argument: a literal, a name, a tensor, or a list (also a tuple) of those. None is the empty state.
struct Value;
using Values = std::vector<Value>;
struct Value {
  std::variant<std::monostate, bool, Index, double, Word, Tensor, std::shared_ptr<Values>> held;
  bool is_none() const { return held.index() == 0; }
};

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
///   parse_call("torch.gather(x, 1, index)", {{"x", {x}}, {"index", {index}}})
Result<Value> parse_value(std::string_view text, const Environment& names = {});
Result<Call> parse_call(std::string_view text, const Environment& names = {});

/// The call's results: of all its jobs, in order, or what an operation without a plan computes. Rules A1 no such
/// operation, A2 and A3 arguments, and the operation's own.
Result<std::vector<Tensor>> evaluate(const Call& call, const RunOptions& options = {});

/// What cotangents of the results (one each) say of the arguments: the same arguments with the gradient in place of
/// each tensor, and None where nothing flows: integers, masks, numbers. lucid also differentiates integers (LU12), and
/// gives zeros for its index (LU14). Ties of torch's minimum and maximum are divided, those of the others go to the
/// first. Rules as evaluate(), G3 cotangents, G10 no gradient.
Result<std::vector<CallArgument>> vjp(const Call& call, const std::vector<Tensor>& cotangents);

}  // namespace garner
