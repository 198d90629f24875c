// An operation as the text form of a call sees it: its name, its signature in the source system's words, and how its
// arguments lower. The signature is Python's: "/" ends the positional-only, "*" begins the keyword-only parameters,
// "=literal" is a default.
#pragma once
#include <span>

#include "dialect/results.h"
#include "garner/call.h"

namespace garner {

/// What an operation lowers to; most are one job. Several operands without a user function are independent jobs.
using Jobs = std::vector<Job>;

/// The arguments of one call by parameter name: a value for each parameter. The first one of the wrong kind is
/// remembered and later reads give defaults, so an operation reads everything and then asks status() once. Rule A3.
class Arguments {
 public:
  Arguments(std::string op, std::shared_ptr<const Parameters> parameters, Values values)
      : op_(std::move(op)), parameters_(std::move(parameters)), values_(std::move(values)) {}

  bool has(std::string_view name) const;              // given and not None
  View tensor(std::string_view name);                 // a number stands for a rank-0 tensor
  std::optional<View> maybe_tensor(std::string_view name);
  std::vector<View> tensors(std::string_view name);   // a list or tuple of tensors, or one tensor
  std::vector<std::optional<View>> maybe_tensors(std::string_view name);  // with None entries
  Index integer(std::string_view name);
  std::optional<Index> maybe_integer(std::string_view name);
  Axes integers(std::string_view name);               // a list; one integer stands for a list of one
  bool flag(std::string_view name);
  std::string word(std::string_view name);
  const Value& value(std::string_view name) const;    // for what only one dialect has; None when absent

  /// The device that one of the arrays lies on; none: all are the CPU's.
  std::optional<Device> device() const;
  /// Rule V9: what follows looks at elements on the CPU.
  Status require_cpu() const;

  const std::string& op() const { return op_; }
  Status status() const { return status_; }
  const std::vector<Tensor>& kept() const { return kept_; }  // memory behind the views given out

 private:
  std::optional<View> view_of(std::string_view name, const Value& value);
  void wrong(std::string_view name, const char* wanted);

  std::string op_;
  std::shared_ptr<const Parameters> parameters_;
  Values values_;
  std::vector<Tensor> kept_;  // rank-0 tensors made from numbers
  Status status_;
};

/// The variables behind the tensors of a call that is differentiated.
class Leaves {
 public:
  explicit Leaves(std::vector<grad::Var> leaves) : leaves_(std::move(leaves)) {}
  const std::vector<grad::Var>& all() const { return leaves_; }
  /// The variable of an argument's tensor; a constant where there is none.
  grad::Var of(const View& view) const;

 private:
  std::vector<grad::Var> leaves_;
};

struct Op {
  const char* name;       // "gather"
  const char* signature;  // "(input_, dim, index)"
  Result<Jobs> (*lower)(Arguments& args);
  /// For operations that are no plan (they return indices, or find their result's shape in the values; lower is null),
  /// or do more than run one.
  Status (*evaluate)(Arguments& args, const RunOptions& options, Results& results) = nullptr;
  /// The same on variables, for those that have gradients. Throws what they throw.
  Result<std::vector<grad::Var>> (*record)(Arguments& args, const Leaves& leaves) = nullptr;
  /// `evaluate` runs the plan and does no more, unless the first argument has rank 0.
  bool plan_is_all = false;
  /// `evaluate` takes arrays on any device: what it calls either runs there or refuses them (V9).
  bool anywhere = false;
};

/// The memory of a Tensor or View, not copied; null for the rest.
inline const View* view_in(const Value& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value.held)) return &tensor->view();
  return std::get_if<View>(&value.held);
}

constexpr Op on_any_device(Op op) {
  op.anywhere = true;
  return op;
}

/// What an operation gives that has no plan, or does something after it, in one line.
struct Promise {
  std::string_view op = {}, text = {};
};

struct Dialect {
  const char* name;  // "lucid"
  std::span<const Op* const> ops;
  std::span<const Promise> promises;
};

/// The operation's line among its dialect's promises; nothing when there is none.
std::string_view promise_of(const std::string& dialect, std::string_view op);

/// Every dialect, from dialects.def.
std::span<const Dialect> dialects();

/// Wraps a single job, for the common case.
Result<Jobs> one(Result<Job> job);

}  // namespace garner
