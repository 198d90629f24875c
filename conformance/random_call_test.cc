// Calls near the golden ones: a case's call with some arguments changed. Each either runs and holds everything the
// harness checks, or names a rule in one line. Nothing may crash, and nothing may fail without a reason.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/checked_math.h"
#include "conformance/case_file.h"
#include "conformance/harness.h"
#include "dtype/convert.h"

namespace garner::conformance {
namespace {

Index number(Index lo, Index hi) { return *rc::gen::inRange<Index>(lo, hi + 1); }
template <class T>
T pick(const std::vector<T>& from) {
  return from[static_cast<std::size_t>(number(0, static_cast<Index>(from.size()) - 1))];
}

DType random_dtype() { return kDTypes[static_cast<std::size_t>(number(0, std::size(kDTypes) - 1))].dtype; }

Axes random_shape() {
  Axes shape;
  const Index rank = number(0, 3);
  for (Index a = 0; a < rank; ++a) shape.push_back(pick<Index>({0, 1, 1, 2, 3, 4}));
  return shape;
}

Tensor random_tensor(DType dtype, const Axes& shape) {
  Tensor t = *Tensor::zeros(dtype, shape);
  dispatch(dtype, [&]<class T>() {
    for (Index i = 0; i < t.elements(); ++i) t.as<T>()[i] = convert<T>(static_cast<double>(number(0, 6)));
  });
  return t;
}

Value random_value() {
  switch (number(0, 6)) {
    case 0: return {};
    case 1: return {number(0, 1) == 1};
    case 2: return {pick<Index>({-3, -2, -1, 0, 1, 2, 3, 4, 99, INT64_MIN, INT64_MAX})};
    case 3: return {1.5};
    case 4:
      return {Word{
          pick<std::string>({"DEFAULT", "ELEMENT", "ND", "add", "replace", "element", "window", "max", "nonsense"})}};
    case 5: return {random_tensor(random_dtype(), random_shape())};
    case 6: break;
  }
  auto list = std::make_shared<Values>(static_cast<std::size_t>(number(0, 3)));
  for (Value& item : *list) item.held = number(-1, 4);
  return {list};
}

/// One element of the tensor, as raw bits: any index, any NaN.
Value with_other_bits(const Tensor& t) {
  Tensor out = *t.clone();
  if (out.bytes() > 0) out.as<std::uint8_t>()[number(0, out.bytes() - 1)] = static_cast<std::uint8_t>(number(0, 255));
  return {out};
}

/// The same value, a little off.
Value nudged(const Value& v) {
  if (const auto* i = std::get_if<Index>(&v.held)) return {checked_add(*i, number(-1, 1)).value_or(*i)};
  if (const auto* list = std::get_if<std::shared_ptr<Values>>(&v.held); list != nullptr && !(*list)->empty()) {
    auto out = std::make_shared<Values>(**list);
    Value& item = (*out)[static_cast<std::size_t>(number(0, static_cast<Index>(out->size()) - 1))];
    item = nudged(item);
    return {out};
  }
  const auto* t = std::get_if<Tensor>(&v.held);
  if (t == nullptr) return random_value();
  if (t->dtype() == DType::kBool || number(0, 2) == 0)
    return {random_tensor(number(0, 1) == 0 ? t->dtype() : random_dtype(), t->shape())};
  return with_other_bits(*t);
}

void mutate(Call& call) {
  if (call.arguments.empty()) return;
  CallArgument& argument =
      call.arguments[static_cast<std::size_t>(number(0, static_cast<Index>(call.arguments.size()) - 1))];
  const Index kind = number(0, 9);
  if (kind == 0) call.arguments.pop_back();
  else if (kind <= 2) argument.value = random_value();
  else argument.value = nudged(argument.value);
}

void expect_rule(const Status& status) {
  RC_ASSERT(!status.rule.empty());
  RC_ASSERT(!status.message.empty());
  RC_ASSERT(status.message.find('\n') == std::string::npos);
}

void expect_jobs_hold(const Call& call) {
  const auto jobs = lower(call);
  if (jobs.status().rule == "A5") return;  // it has no plan to check
  RC_ASSERT(jobs.ok());
  for (const Job& job : *jobs) {
    const Findings findings = check_job(job);
    if (!findings.empty()) RC_FAIL(findings.front());
  }
}

/// A promise is the caller's word, which a changed index would break.
bool promises(const Job& job) {
  return std::ranges::any_of(job.plan.terms,
                             [](const IndexTerm& term) { return term.bounds.policy == OutOfRange::kPromise; });
}

/// An id with another top byte asks for 2^30 segments: nothing is wrong with that, but it takes seconds.
bool is_large(const Job& job) { return checked_product(job.result_shape).value_or(INT64_MAX) > 100'000; }

bool is_left_out(const Call& call) {
  const auto jobs = lower(call);
  return jobs.ok() && (std::ranges::any_of(*jobs, promises) || std::ranges::any_of(*jobs, is_large));
}

void try_one(const std::vector<Case>& cases) {
  const Case c = pick(cases);
  auto call = parse_call(c.call, c.names);
  RC_ASSERT(call.ok());
  const Index changes = number(1, 3);
  for (Index i = 0; i < changes; ++i) mutate(*call);
  if (is_left_out(*call)) return;
  const auto results = evaluate(*call);
  if (results.ok()) expect_jobs_hold(*call);
  else expect_rule(results.status());
}

RC_GTEST_PROP(RandomCalls, LowerOrNameARule, ()) {
  static const std::vector<Case> cases = all_cases();
  for (int i = 0; i < 100; ++i) try_one(cases);
}

}  // namespace
}  // namespace garner::conformance
