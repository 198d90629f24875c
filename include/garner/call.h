// The text form of a dialect call: dialect.op(args, key=value), as .case files and the command line write it.
// Values and their spelling: conformance/README.md.
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <variant>

#include "garner/grad.h"
#include "garner/keeper.h"
#include "garner/run.h"

namespace garner {

/// A bare name in a call, such as ND or None.
struct Word {
  std::string text;
  bool operator==(const Word&) const = default;
};

/// An argument: a literal, a name, a tensor, somebody else's memory, or a list (also a tuple) of those. None is the
/// empty state.
struct Value;
using Values = std::vector<Value>;
struct Value {
  std::variant<std::monostate, bool, Index, double, Word, Tensor, std::shared_ptr<Values>, View> held;
  bool is_none() const { return held.index() == 0; }
  /// The memory of a Tensor or View; nothing for the rest.
  std::optional<View> memory() const {
    if (const auto* tensor = std::get_if<Tensor>(&held)) return View(*tensor);
    if (const auto* view = std::get_if<View>(&held)) return *view;
    return std::nullopt;
  }
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

/// The files that values look at. They must outlive the values.
using Files = std::vector<KeptBy>;

/// Rule A4 with line and column when the text is not a value or a call.
///   parse_call("torch.gather(x, 1, index)", {{"x", {x}}, {"index", {index}}})
/// @d.npy, @d.npz:name, @d.safetensors:name and bf16@d.npy are arrays of files (rules F1 … F8): Tensors, or, when
/// `files` are to keep them, Views of the files themselves.
Result<Value> parse_value(std::string_view text, const Environment& names = {}, Files* files = nullptr);
Result<Call> parse_call(std::string_view text, const Environment& names = {}, Files* files = nullptr);

/// The call's results: of all its jobs, in order, or what an operation without a plan computes. Rules A1 no such
/// operation, A2 and A3 arguments, and the operation's own.
Result<std::vector<Tensor>> evaluate(const Call& call, const RunOptions& options = {});

/// A parameter of an operation, in the source system's words.
struct Parameter {
  std::string name;
  std::optional<Value> fallback;  // its default
  bool by_position = true, by_name = true;
};
using Parameters = std::vector<Parameter>;

struct Op;
class ReadyCalls;

/// A call made ready for arguments of certain dtypes, shapes, strides and numbers: nothing is left but to run its
/// kernel on the memory at hand. For calls so small that all else counts.
class ReadyCall {
 public:
  virtual ~ReadyCall() = default;
  virtual DType dtype() const = 0;
  virtual const Axes& shape() const = 0;
  virtual Device device() const = 0;
  /// Writes the row-major result to `out`, which lies on that device; there on the thread's default stream. `values`
  /// are as they were but for the memory. False: an index or an address is not allowed, and Operation::call() will say
  /// which.
  virtual bool run(const Values& values, void* out) const = 0;
};

/// An operation whose signature has been read: for those who call it more than once, or from another language.
///   const Operation gather = value_or_throw(Operation::find("torch", "gather"));
///   gather.call({{x}, {Index{1}}, {index}});
class Operation {
 public:
  /// Rule A1: no such dialect or operation.
  static Result<Operation> find(const std::string& dialect, const std::string& op);

  const std::string& dialect() const { return dialect_; }
  const std::string& name() const { return name_; }  // "torch.gather"
  const Parameters& parameters() const { return *parameters_; }

  /// Values in the order of parameters(); those that are left out at the end take their defaults (A2). A View among
  /// them must outlive the call.
  Result<std::vector<Tensor>> call(Values values, const RunOptions& options = {}) const;

  /// The last few kinds of calls are kept ready. Null when this one cannot be: it has no plan, several results, or
  /// makes memory of its own on the way.
  std::shared_ptr<const ReadyCall> prepare(const Values& values) const;

  /// The same into memory the caller has, which the results are written to as they are made. When `out` is the operand
  /// itself, a scatter updates it in place. With fetch (cutile's atomics) `out` is updated and what it held before is
  /// returned. Rule A6: another number of results, dtype or shape; then `out` is as it was.
  Result<std::vector<Tensor>> call_into(Values values, const MutableView& out, const RunOptions& options = {}) const {
    return into(std::move(values), {&out, 1}, options);
  }
  /// One for each result of an operation that is no plan: torch.topk, onnx.Unique.
  Result<std::vector<Tensor>> call_into(Values values, const std::vector<MutableView>& out,
                                        const RunOptions& options = {}) const {
    return into(std::move(values), out, options);
  }

  /// vjp() below, for these values.
  Result<Values> vjp(Values values, const std::vector<Tensor>& cotangents) const;

 private:
  Result<std::vector<Tensor>> into(Values values, std::span<const MutableView> out, const RunOptions& options) const;
  Result<std::vector<Tensor>> whole_way_into(Values values, std::span<const MutableView> out,
                                             const RunOptions& options) const;

  std::string dialect_, name_;
  const Op* op_ = nullptr;
  std::shared_ptr<const Parameters> parameters_;
  std::shared_ptr<ReadyCalls> calls_;
};

/// What cotangents of the results (one each) say of the arguments: the same arguments with the gradient in place of
/// each tensor, and None where nothing flows: integers, masks, numbers. lucid also differentiates integers (LU12), and
/// gives zeros for its index (LU14). Ties of torch's minimum and maximum are divided, those of the others go to the
/// first. Rules as evaluate(), G3 cotangents, G10 no gradient.
Result<std::vector<CallArgument>> vjp(const Call& call, const std::vector<Tensor>& cotangents);

}  // namespace garner
