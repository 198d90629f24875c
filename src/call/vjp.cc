// The gradient of a call: its tensors become leaves, its jobs run on them, and gradients take the tensors' places.
#include <algorithm>

#include "base/fail.h"
#include "call/call.h"
#include "garner/error.h"
#include "grad/call.h"
#include "grad/ops.h"

namespace garner {
namespace {

using grad::Var;

bool is_smooth(DType dtype) { return kind(dtype) == Kind::kFloat || kind(dtype) == Kind::kComplex; }

bool may_vary(const std::string& dialect, DType dtype) {
  return is_smooth(dtype) || (dialect == "lucid" && dtype != DType::kBool);
}

/// The tensors of a call's arguments, in order, as leaves.
struct LeafMaker {
  const std::string& dialect;
  std::vector<Var> leaves;

  void add(const Value& value) {
    if (const auto* t = std::get_if<Tensor>(&value.held)) leaves.push_back(leaf(*t));
    if (const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held))
      for (const Value& item : **list) add(item);
  }

  Var leaf(const Tensor& t) const {
    if (!may_vary(dialect, t.dtype())) return Var(t);
    return dialect == "lucid" ? grad::lucid_leaf(t) : Var(t, true);
  }
};

/// The same arguments with gradients in place of the tensors.
struct Replacer {
  const std::vector<Var>& gradients;
  std::size_t next = 0;

  Value replaced(const Value& value) {
    if (std::holds_alternative<Tensor>(value.held)) {
      const Var& g = gradients[next++];
      return g ? Value{g.value()} : Value{};
    }
    const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held);
    if (list == nullptr) return {};
    auto out = std::make_shared<Values>();
    for (const Value& item : **list) out->push_back(replaced(item));
    return {out};
  }
};

/// Rule G11: what requires gradients is used by one of the jobs as it stands. Rather refused than forgotten.
Status check_used(const Jobs& jobs, const std::vector<Var>& leaves) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto used = [&](const Job& job) { return grad::uses(job, leaves[i]); };
    if (is_smooth(leaves[i].dtype()) && leaves[i].elements() > 0 && std::ranges::none_of(jobs, used))
      return fail(Code::kUnsupported, "G11",
                  "vjp: tensor {} is not read as it stands, allowed data of the result's dtype", i);
  }
  return {};
}

/// A result is what the caller sees: rank-0 tensors of torch are vectors inside.
Result<std::vector<Var>> shaped(const std::vector<Var>& outputs, const std::vector<Tensor>& cotangents) {
  std::vector<Var> out;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& c = cotangents[i];
    if (outputs[i].elements() != c.elements() || outputs[i].dtype() != c.dtype())
      return fail(Code::kInvalidArgument, "G3", "vjp: cotangent {} is {} {}, allowed {} {}", i, name(c.dtype()),
                  list(c.shape()), name(outputs[i].dtype()), list(outputs[i].shape()));
    out.push_back(outputs[i].shape() == c.shape() ? outputs[i] : grad::reshape(outputs[i], c.shape()));
  }
  return out;
}

/// Those that depend on a leaf, with their cotangents; indices among the results do not.
Result<std::vector<Var>> gradients_of(const Call& call, const std::vector<Var>& leaves,
                                      const std::vector<Tensor>& cotangents) {
  GARNER_ASSIGN(const std::vector<Var> outputs, recorded(call, leaves));
  if (!outputs.empty() && outputs.size() != cotangents.size())
    return fail(Code::kInvalidArgument, "G3", "vjp: {} cotangents are given, allowed {}", cotangents.size(),
                outputs.size());
  GARNER_ASSIGN(const std::vector<Var> seen, shaped(outputs, cotangents));
  std::vector<Var> varying, seeds;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i].requires_grad()) continue;
    varying.push_back(seen[i]);
    seeds.emplace_back(cotangents[i]);
  }
  if (varying.empty()) return std::vector<Var>(leaves.size());
  return grad::gradients(varying, leaves, seeds);
}

/// LU14: lucid's index has a gradient, of zeros.
void zero_the_rest(const std::vector<Var>& leaves, std::vector<Var>& gradients) {
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (!gradients[i]) gradients[i] = grad::zeros_like(leaves[i].value(), leaves[i].shape());
}

Result<std::vector<CallArgument>> argument_gradients(const Call& call, const std::vector<Tensor>& cotangents) {
  LeafMaker maker{call.dialect, {}};
  for (const CallArgument& argument : call.arguments) maker.add(argument.value);
  GARNER_ASSIGN(std::vector<Var> gradients, gradients_of(call, maker.leaves, cotangents));
  if (call.dialect == "lucid") zero_the_rest(maker.leaves, gradients);
  Replacer replacer{gradients};
  std::vector<CallArgument> out;
  for (const CallArgument& argument : call.arguments) out.push_back({argument.name, replacer.replaced(argument.value)});
  return out;
}

}  // namespace

Result<std::vector<Var>> recorded(const Call& call, const std::vector<Var>& leaves) {
  GARNER_ASSIGN(const Op* op, find_op(call.dialect, call.op));
  if (op->record != nullptr) {
    GARNER_ASSIGN(Arguments arguments, bind(*op, call));
    if (op->anywhere) GARNER_TRY(arguments.require_cpu());  // their gradients look at indices on the CPU
    return op->record(arguments, Leaves(leaves));
  }
  const auto jobs = lower(call);
  if (!jobs.ok() && jobs.status().rule == "A5") return std::vector<Var>{};
  GARNER_TRY(jobs);
  GARNER_TRY(check_used(*jobs, leaves));
  const grad::Ties ties = call.dialect == "torch" ? grad::Ties::kEven : grad::Ties::kFirst;
  std::vector<Var> outputs;
  for (const Job& job : *jobs) outputs.push_back(grad::run_recorded(leaves, job, ties, {}));
  return outputs;
}

Result<std::vector<CallArgument>> vjp(const Call& call, const std::vector<Tensor>& cotangents) {
  try {
    return argument_gradients(call, cotangents);
  } catch (const Error& error) { return Status{error.code(), error.rule(), error.what()}; }
}

}  // namespace garner
