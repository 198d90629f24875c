// The table of operations, from ops.def. An operation either works element by element (then it is a loop, and may also
// stand in the body of a scatter, reduce or sort) or has a function of its own.
#pragma once
#include <array>
#include <span>

#include "base/fail.h"
#include "mlir/program.h"

namespace garner::mlir {

/// Something computed. `owner` keeps the memory of `view` alive; it is empty for memory of the caller's.
struct Value {
  View view;
  Tensor owner;
};
using Values = std::vector<Value>;

/// The whole of a tensor, as a value.
inline Value value_of(const Tensor& tensor) { return {View(tensor), tensor}; }

/// What an operation may look at besides its operands.
struct Context {
  const Program& program;
  const RunOptions& options;
  stablehlo::OutOfBounds out_of_bounds;
  Values& slots;  // of the function that runs
  int depth;  // of calls
};

/// `count` elements: the i-th of operand k lies at in[k] + i * step[k], in elements of its dtype.
struct Strip {
  Index count;
  std::array<const void*, 3> in;
  std::array<Index, 3> step;
  void* out;
  Index out_step;
};
using Loop = void (*)(const Strip& strip);

/// The loop for certain operand dtypes, and the dtype it gives.
struct Elementwise {
  Loop loop = nullptr;
  DType result = DType::kF32;
};

struct OpInfo {
  const char* name;  // without its dialect
  Result<Elementwise> (*loop)(const Operation& op, std::span<const DType> operands) = nullptr;
  Result<Values> (*run)(const Operation& op, const Values& operands, Context& context) = nullptr;
  bool stretches = false;  // a loop whose operands of rank 0 go with every element
};

/// chlo.broadcast_add is add, its operands stretched as NumPy does.
inline constexpr std::string_view kStretching = "chlo.broadcast_";
inline bool is_stretching(std::string_view written) { return written.starts_with(kStretching); }

/// "stablehlo.add", "func.call", "return": by its name without the dialect. Null where there is none.
const OpInfo* find_op(std::string_view written);

/// Runs a region's operations on arguments; gives what it returns.
Result<Values> run_region(const Region& region, const Values& arguments, Context& context);

/// Rule M7 unless the results are what the operation says they are.
Status check_results(const Operation& op, const Values& results);

/// Rule M6, with the operation's name.
template <class... Args>
Status misfit(const Operation& op, fmt::format_string<Args...> text, Args&&... args) {
  return fail(Code::kInvalidArgument, "M6", "{}: {}", op.name, fmt::format(text, std::forward<Args>(args)...));
}

/// Rule M6: another number of operands.
inline Status check_count(const Operation& op, std::size_t have, std::size_t least, std::size_t most) {
  if (have >= least && have <= most) return {};
  return misfit(op, "it has {} operands, allowed [{}, {}]", have, least, most);
}

}  // namespace garner::mlir

/// Defines the entry of an operation for ops.def.
#define GARNER_MLIR_DEFINE(name, ...) \
  extern const OpInfo op_##name;      \
  const OpInfo op_##name { #name, __VA_ARGS__ }
