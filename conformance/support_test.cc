// Every operation with every dtype its cases can be retold in. What ran is recorded with the test, as
// <dialect>.<op>.<policy>.<dtype>; conformance/support makes docs/support.md of it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/effort.h"
#include "conformance/case_file.h"
#include "conformance/harness.h"
#include "conformance/retell.h"
#include "tensor/cast.h"

namespace garner::conformance {
namespace {

constexpr int kEnough = effort(3, 1);  // cases of one operation and policy that are retold in a dtype

void expect_same_on_any_threads(const Call& call, const std::vector<Tensor>& wanted) {
  for (const int threads : {2, 7}) {
    const auto results = evaluate(call, {.threads = threads, .kernel = ""});
    ASSERT_TRUE(results.ok()) << results.status().message;
    ASSERT_EQ(results->size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_TRUE(same_bits((*results)[i], wanted[i]));
  }
}

/// Where every result element is one of the data's (a write may also convert a number), the results are the golden ones
/// in the other dtype.
bool only_moves(const Jobs& jobs) {
  return std::ranges::all_of(jobs, [](const Job& job) {
    const bool filled =
        std::ranges::any_of(job.plan.terms, [](const IndexTerm& t) { return t.bounds.policy == OutOfRange::kFill; });
    return job.plan.direction == Direction::kGather && !filled && !job.mask;
  });
}

class OneOperation {
 public:
  OneOperation(std::string name, const std::vector<Case>& cases) : name_(std::move(name)) {
    for (const Case& c : cases) try_case(c);
  }

 private:
  void try_case(const Case& c) {
    const auto call = parse_call(c.call, c.names);
    if (c.error || !call.ok() || call->dialect + "." + call->op != name_) return;
    const auto jobs = lower(*call);
    const auto from = data_dtype(*call, jobs, c);
    if (!from || indices_have(*from, jobs)) return;
    for (const DTypeInfo& to : kDTypes)
      // A bool has forgotten what it was made of, so other dtypes cannot be compared with it.
      if ((*from != DType::kBool || to.dtype == DType::kBool) && done_[{policy_of(jobs), to.dtype}] < kEnough)
        try_dtype(c, *call, *from, to);
  }

  void try_dtype(const Case& c, const Call& given, DType from, const DTypeInfo& to) {
    SCOPED_TRACE(fmt::format("{}:{}: case {} as {}", c.file, c.line, c.name, to.name));
    const Call call = retold(given, from, to.dtype);
    const auto results = evaluate(call, {.threads = 1, .kernel = "reference"});
    const auto jobs = lower(call);
    if (!results.ok()) return note(policy_of(lower(given)), to, results.status().code == Code::kType ? "refused" : "");
    if (jobs.ok() && jobs->front().plan.dtype != to.dtype) return;  // it met another dtype and became a third
    expect_same_on_any_threads(call, *results);
    if (jobs.ok()) expect_jobs(c, *jobs, *results, to.dtype);
    note(policy_of(jobs), to, "runs");
  }

  static void expect_jobs(const Case& c, const Jobs& jobs, const std::vector<Tensor>& results, DType to) {
    for (const Job& job : jobs)
      for (const std::string& finding : check_job(job)) ADD_FAILURE() << finding;
    for (std::size_t i = 0; i < results.size() && only_moves(jobs); ++i)
      EXPECT_TRUE(same_bits(results[i], *cast(std::get<Tensor>(c.results[i].held), to))) << to_string(results[i]);
  }

  void note(const std::string& policy, const DTypeInfo& dtype, const std::string& outcome) {
    if (outcome == "runs") ++done_[{policy, dtype.dtype}];
    if (outcome.empty() || (outcome == "refused" && done_[{policy, dtype.dtype}] > 0)) return;
    testing::Test::RecordProperty(fmt::format("{}.{}.{}", name_, policy, dtype.name), outcome);
  }

  std::string name_;
  std::map<std::pair<std::string, DType>, int> done_;
};

class Support : public testing::TestWithParam<std::string> {};

TEST_P(Support, EveryDtype) {
  static const std::vector<Case> cases = all_cases();
  OneOperation(GetParam(), cases);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Operations, Support, testing::ValuesIn(operations()), test_name);

}  // namespace
}  // namespace garner::conformance
