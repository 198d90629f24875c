// From a call's text to its operation: what stands between garner/call.h and the dialects.
#pragma once
#include "dialect/op.h"

namespace garner {

/// Rule A1: no such dialect or operation.
Result<const Op*> find_op(const std::string& dialect, const std::string& op);

/// Puts arguments in their places by the operation's signature. Rule A2: one too many, missing, given twice, unknown,
/// or given by the wrong kind of position.
Result<Arguments> bind(const Op& op, const Call& call);

/// What the operation's signature says.
Result<std::shared_ptr<const Parameters>> read_parameters(const Op& op);

/// The rest of the way: to the plan (rule A5: it has none), and to the results.
Result<Jobs> lower(const Op& op, Arguments& arguments);
Result<std::vector<Tensor>> evaluate(const Op& op, Arguments& arguments, const RunOptions& options);

/// Everything up to the plan: find, bind, lower. The jobs keep what the call's literals hold. Rule A5: it has no plan.
Result<Jobs> lower(const Call& call);

/// The call on variables: `leaves` are those of its tensors, in order. Empty where nothing it returns varies smoothly.
Result<std::vector<grad::Var>> recorded(const Call& call, const std::vector<grad::Var>& leaves);

}  // namespace garner
