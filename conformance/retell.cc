#include "conformance/retell.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "call/call.h"
#include "tensor/cast.h"

namespace garner::conformance {
namespace {

void list_dtypes(const Value& value, std::vector<DType>& out) {
  if (const auto* t = std::get_if<Tensor>(&value.held)) out.push_back(t->dtype());
  if (const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held))
    for (const Value& item : **list) list_dtypes(item, out);
}

void visit(Value& value, const std::function<void(Tensor&)>& f) {
  if (auto* t = std::get_if<Tensor>(&value.held)) f(*t);
  auto* list = std::get_if<std::shared_ptr<Values>>(&value.held);
  if (list == nullptr) return;
  *list = std::make_shared<Values>(**list);
  for (Value& item : **list) visit(item, f);
}

}  // namespace

std::optional<DType> data_dtype(const Call& call, const Result<Jobs>& jobs, const Case& c) {
  std::vector<DType> given;
  for (const CallArgument& argument : call.arguments) list_dtypes(argument.value, given);
  if (given.empty()) return std::nullopt;
  if (jobs.ok() && !jobs->empty()) {
    const DType dtype = jobs->front().plan.dtype;
    return std::ranges::find(given, dtype) == given.end() ? std::nullopt : std::optional(dtype);
  }
  const auto* result = c.results.empty() ? nullptr : std::get_if<Tensor>(&c.results.front().held);
  const bool moved = result != nullptr && std::ranges::find(given, result->dtype()) != given.end();
  return moved ? result->dtype() : given.front();
}

bool indices_have(DType dtype, const Result<Jobs>& jobs) {
  if (!jobs.ok()) return false;
  for (const Job& job : *jobs)
    for (const IndexTerm& term : job.plan.terms)
      if (term.dtype == dtype) return true;
  return false;
}

void for_each_tensor(Call& call, const std::function<void(Tensor&)>& f) {
  for (CallArgument& argument : call.arguments) visit(argument.value, f);
}

Call retold(Call call, DType from, DType to) {
  for_each_tensor(call, [&](Tensor& t) {
    if (t.dtype() == from) t = *cast(t, to);
  });
  return call;
}

std::string policy_of(const Result<Jobs>& jobs) {
  if (!jobs.ok()) return "none";
  std::set<std::string> words;
  for (const Job& job : *jobs)
    for (const IndexTerm& term : job.plan.terms) words.emplace(name(term.bounds.policy));
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, "+"));
}

std::vector<std::string> operations() {
  std::vector<std::string> names;
  for (const Dialect& dialect : dialects())
    for (const Op* op : dialect.ops) names.push_back(fmt::format("{}.{}", dialect.name, op->name));
  return names;
}

}  // namespace garner::conformance
