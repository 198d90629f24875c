// Every operation's gradient against central differences: its cases retold in f64, with values that are all different,
// so that no step of a difference meets a tie. First derivatives through vjp(call), second ones through create_graph.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/effort.h"
#include "call/call.h"
#include "conformance/retell.h"
#include "garner/element.h"
#include "garner/error.h"
#include "tensor/cast.h"

namespace garner::conformance {
namespace {

using grad::Var;

constexpr double kStep = 1e-5;
constexpr Index kMost = 6;  // elements of a tensor that are moved
constexpr int kEnough = effort(3, 1);   // cases of one operation and policy

/// Finite, and no two the same, whatever `number` of them came before.
void spread(Tensor& t, Index& number) {
  t = *t.clone();
  for (Index i = 0; i < t.elements(); ++i, ++number) {
    double& v = t.as<double>()[i];
    v = (std::isfinite(v) ? std::clamp(v, -9.0, 9.0) : 0.5) + 0.1 +
        0.4 * static_cast<double>(number * 37 % 1009) / 1009;
  }
}

void spread(Call& call) {
  Index number = 0;
  for_each_tensor(call, [&](Tensor& t) {
    if (t.dtype() == DType::kF64) spread(t, number);
  });
}

/// What an empty segment or a bad index gives may be infinite or NaN; it does not depend on the data.
bool counts(double v) { return std::abs(v) < 1e6; }

/// Different weights, so that any mix-up shows.
double weight(Index i) { return 1 + 0.3 * static_cast<double>(i * 7 % 11) - 0.05 * static_cast<double>(i); }

Tensor weights_like(const Tensor& t) {
  Tensor w = *Tensor::zeros(t.dtype(), t.shape());
  for (Index i = 0; i < t.elements() && t.dtype() == DType::kF64; ++i) w.as<double>()[i] = weight(i);
  return w;
}

double weighted(const std::vector<Tensor>& results) {
  double sum = 0;
  for (const Tensor& t : results)
    for (Index i = 0; i < t.elements() && t.dtype() == DType::kF64; ++i)
      if (counts(t.as<double>()[i])) sum += weight(i) * t.as<double>()[i];
  return sum;
}

std::vector<Tensor> tensors_of(Call call) {
  std::vector<Tensor> out;
  for_each_tensor(call, [&](Tensor& t) { out.push_back(t); });
  return out;
}

/// The call with element i of its tensor k moved.
Call moved(Call call, std::size_t k, Index i, double by) {
  std::size_t at = 0;
  for_each_tensor(call, [&](Tensor& t) {
    if (at++ != k) return;
    t = *t.clone();
    t.as<double>()[i] += by;
  });
  return call;
}

/// f(k, i) for every element that is moved.
template <class F>
void for_each_element(const Call& call, F&& f) {
  const std::vector<Tensor> tensors = tensors_of(call);
  for (std::size_t k = 0; k < tensors.size(); ++k)
    for (Index i = 0; tensors[k].dtype() == DType::kF64 && i < std::min(tensors[k].elements(), kMost); ++i) f(k, i);
}

double value_at(const std::vector<CallArgument>& gradients, std::size_t k, Index i) {
  std::vector<Value> flat;
  const std::function<void(const Value&)> collect = [&](const Value& v) {
    const auto* list = std::get_if<std::shared_ptr<Values>>(&v.held);
    if (list == nullptr) return flat.push_back(v);
    for (const Value& item : **list) collect(item);
  };
  for (const CallArgument& argument : gradients) collect(argument.value);
  const auto* t = std::get_if<Tensor>(&flat[k].held);
  return t == nullptr ? 0 : t->as<double>()[i];
}

/// Numbers beside tensors are in the flat list too: the place of tensor k among all values.
std::vector<std::size_t> places_of_tensors(const Call& call) {
  std::vector<std::size_t> places;
  std::size_t at = 0;
  const std::function<void(const Value&)> count = [&](const Value& v) {
    const auto* list = std::get_if<std::shared_ptr<Values>>(&v.held);
    if (list != nullptr) {
      for (const Value& item : **list) count(item);
      return;
    }
    if (std::holds_alternative<Tensor>(v.held)) places.push_back(at);
    ++at;
  };
  for (const CallArgument& argument : call.arguments) count(argument.value);
  return places;
}

void expect_near(double is, double wanted) { EXPECT_NEAR(is, wanted, 2e-5 * (1 + std::abs(wanted))); }

double evaluated(const Call& call) { return weighted(value_or_throw(evaluate(call))); }

void check_first(const Call& call, const std::vector<CallArgument>& gradients) {
  const auto place = places_of_tensors(call);
  for_each_element(call, [&](std::size_t k, Index i) {
    SCOPED_TRACE(fmt::format("tensor {} element {}", k, i));
    const double slope = (evaluated(moved(call, k, i, kStep)) - evaluated(moved(call, k, i, -kStep))) / (2 * kStep);
    expect_near(value_at(gradients, place[k], i), slope);
  });
}

// ---- second derivatives: of half the sum of weighted squares ----

std::vector<Var> leaves_of(const Call& call) {
  std::vector<Var> leaves;
  for (const Tensor& t : tensors_of(call)) leaves.emplace_back(t, t.dtype() == DType::kF64);
  return leaves;
}

Tensor counted(const Tensor& t) {
  Tensor mask = *Tensor::zeros(DType::kBool, t.shape());
  for (Index i = 0; i < t.elements(); ++i) mask.as<Bool>()[i] = counts(t.as<double>()[i]);
  return mask;
}

Var energy(const Call& call, const std::vector<Var>& leaves) {
  Var sum(scalar(0.0));
  for (const Var& out : value_or_throw(recorded(call, leaves)))
    if (out.dtype() == DType::kF64) {
      const Var finite = grad::keep(counted(out.value()), out);
      sum = sum + grad::sum(finite * finite * Var(weights_like(out.value()))) * 0.5;
    }
  return sum;
}

/// The sum of weighted first derivatives.
Var slope(const Call& call, const std::vector<Var>& leaves, bool create_graph) {
  const Var y = energy(call, leaves);
  Var sum(scalar(0.0));
  if (!y.requires_grad()) return sum;
  for (const Var& g : grad::gradients({y}, leaves, {}, {.create_graph = create_graph}))
    if (g) sum = sum + grad::sum(g * Var(weights_like(g.value())));
  return sum;
}

double slope_value(const Call& call) { return slope(call, leaves_of(call), false).value().as<double>()[0]; }

void check_second(const Call& call) {
  const std::vector<Var> leaves = leaves_of(call);
  const Var s = slope(call, leaves, true);
  const std::vector<Var> second = s.requires_grad() ? grad::gradients({s}, leaves) : std::vector<Var>(leaves.size());
  for_each_element(call, [&](std::size_t k, Index i) {
    SCOPED_TRACE(fmt::format("second derivative, tensor {} element {}", k, i));
    const double wanted =
        (slope_value(moved(call, k, i, kStep)) - slope_value(moved(call, k, i, -kStep))) / (2 * kStep);
    expect_near(second[k] ? second[k].value().as<double>()[i] : 0, wanted);
  });
}

// ---- a job by itself, in f64 whatever its dialect takes ----

struct WideJob {
  Job job;
  std::vector<Tensor> parts;  // operand, updates, fill, as far as there are such

  explicit WideJob(const Job& given) : job(given) {
    Index number = 0;
    job.plan.dtype = DType::kF64;
    widen(job.operand, number);
    widen(job.updates, number);
    widen(job.fill, number);
    lay_out();
  }

  void widen(std::optional<View>& part, Index& number) {
    if (!part) return;
    parts.push_back(*cast(*part, DType::kF64));
    spread(parts.back(), number);
    part = parts.back();
  }

  /// The parts are row-major now.
  void lay_out() {
    IndexPlan& plan = job.plan;
    const Axes stride = job.operand ? job.operand->stride() : row_major(job.result_shape);
    for (std::size_t a = 0; a < plan.indexed.size(); ++a) plan.indexed[a].stride = stride[a];
    if (job.updates) plan.dense_stride = job.updates->stride();
    if (job.fill) plan.fill_stride = job.fill->stride();
  }

  double moved(std::size_t k, Index i, double by) {
    double& v = parts[k].as<double>()[i];
    const double before = v;
    v += by;
    const double sum = weighted({value_or_throw(run_one(job))});
    v = before;
    return sum;
  }

  std::vector<std::optional<Tensor>> gradients() const {
    const Tensor result = value_or_throw(run_one(job));
    const grad::JobGradients g = grad::vjp(job, weights_like(result));
    std::vector<std::optional<Tensor>> out;
    if (job.operand) out.push_back(g.operand);
    if (job.updates) out.push_back(g.updates);
    if (job.fill) out.push_back(g.fill);
    return out;
  }
};

void check_wide(const Job& given) {
  WideJob wide(given);
  const auto gradients = wide.gradients();
  for (std::size_t k = 0; k < wide.parts.size(); ++k)
    for (Index i = 0; i < std::min(wide.parts[k].elements(), kMost); ++i) {
      SCOPED_TRACE(fmt::format("the job's part {} element {}", k, i));
      const double slope = (wide.moved(k, i, kStep) - wide.moved(k, i, -kStep)) / (2 * kStep);
      expect_near(gradients[k] ? gradients[k]->as<double>()[i] : 0, slope);
    }
}

class OneOperation {
 public:
  OneOperation(std::string name, const std::vector<Case>& cases) : name_(std::move(name)) {
    for (const Case& c : cases) try_case(c);
  }

 private:
  void try_case(const Case& c) {
    const auto given = parse_call(c.call, c.names);
    if (c.error || !given.ok() || given->dialect + "." + given->op != name_) return;
    SCOPED_TRACE(fmt::format("{}:{}: case {}", c.file, c.line, c.name));
    const auto jobs = lower(*given);
    if (jobs.ok() && jobs->front().plan.dtype != DType::kBool) check_jobs(*jobs);
    const auto from = data_dtype(*given, jobs, c);
    if (!from || *from == DType::kBool || indices_have(*from, jobs) || done_[policy_of(jobs)] >= kEnough) return;
    Call call = retold(*given, *from, DType::kF64);
    spread(call);
    check(call);
  }

  void check_jobs(const Jobs& jobs) {
    const std::string policy = policy_of(jobs);
    if (jobs_done_[policy]++ >= kEnough) return;
    if (!differentiable(jobs)) return refused({Code::kUnsupported, "G10", ""}, policy);
    for (const Job& job : jobs) check_wide(job);
    ran(policy);
  }

  /// Whether there is a rule is said before anything else is looked at.
  static bool differentiable(const Jobs& jobs) {
    return std::ranges::none_of(jobs, [](const Job& job) {
      try {
        (void)grad::vjp(job, View());
      } catch (const Error& error) { return error.rule() == "G10"; }
      return false;
    });
  }

  void ran(const std::string& policy) const {
    testing::Test::RecordProperty(fmt::format("{}.{}.gradient", name_, policy), "runs");
  }

  void check(const Call& call) {
    const auto results = evaluate(call);
    if (!results.ok()) return;  // not for f64
    std::vector<Tensor> cotangents;
    for (const Tensor& t : *results) cotangents.push_back(weights_like(t));
    const auto gradients = vjp(call, cotangents);
    const std::string policy = policy_of(lower(call));
    if (!gradients.ok()) return refused(gradients.status(), policy);
    check_first(call, *gradients);
    check_second(call);
    ++done_[policy];
    ran(policy);
  }

  /// Only what cannot have a gradient (atomics that fetch, bits, a user's function: G10), and what is converted first
  /// (G11), which another case of the operation is not.
  void refused(const Status& status, const std::string& policy) {
    EXPECT_TRUE(status.rule == "G10" || status.rule == "G11") << status.message;
    if (status.rule == "G10") testing::Test::RecordProperty(fmt::format("{}.{}.gradient", name_, policy), "refused");
  }

  std::string name_;
  std::map<std::string, int> done_, jobs_done_;  // by policy
};

class Gradient : public testing::TestWithParam<std::string> {};

TEST_P(Gradient, IsTheLimitOfDifferences) {
  static const std::vector<Case> cases = all_cases();
  OneOperation(GetParam(), cases);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Operations, Gradient, testing::ValuesIn(operations()), test_name);

}  // namespace
}  // namespace garner::conformance
