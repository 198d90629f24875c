// Random valid plans: every kernel equals the reference, on any number of threads and in any layout.
// RapidCheck prints the seed of a failure; RC_PARAMS="seed=…" replays it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "conformance/harness.h"
#include "conformance/random_plan.h"

namespace garner {

std::ostream& operator<<(std::ostream& os, const Job& job) { return os << "\n" << print(job.plan); }  // for rapidcheck

namespace conformance {
namespace {

void expect_clean(const Job& job) {
  const Status verified = verify(job.plan);
  if (!verified.ok()) RC_FAIL("the generator made a plan that does not verify: " + verified.message);
  const Findings findings = check_job(job);
  if (!findings.empty()) RC_FAIL(findings.front());
}

RC_GTEST_PROP(RandomPlans, AllKernelsEqualTheReference, ()) {
  // Ten a time: rapidcheck's own count is a hundred.
  for (int i = 0; i < 10; ++i) expect_clean(*random_job());
}

}  // namespace
}  // namespace conformance
}  // namespace garner
