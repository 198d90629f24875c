#include "garner/explain.h"

#include <algorithm>

#include "base/fail.h"
#include "device/cpu/threads.h"
#include "explain/equation.h"
#include "explain/traffic.h"
#include "explain/verdicts.h"

namespace garner {
namespace {

std::vector<Fact> list_facts(const PlanFacts& f) {
  return {{"elements", f.elements},
          {"run", f.run},
          {"rows", f.rows},
          {"bytes", f.bytes},
          {"span_low", f.span.lo},
          {"span_high", f.span.hi},
          {"terms", Index{f.terms}},
          {"can_skip", f.can_skip},
          {"at_position", f.at_position},
          {"unique_targets", f.unique_targets},
          {"apart", Index{f.apart}},
          {"any_order", f.any_order},
          {"fits_32_bits", f.fits_32bit}};
}

void predict(JobExplanation& out, double bytes_per_second) {
  if (bytes_per_second > 0) out.copy_ns = static_cast<double>(out.traffic.total()) / bytes_per_second * 1e9;
  out.kernel_ns = out.kernels.front().cost_ns / out.threads;
  out.predicted_ns = std::max(out.copy_ns, out.kernel_ns);
}

Result<JobExplanation> explain_job(const Job& job, const GivenTensors& given, double bytes_per_second) {
  GARNER_ASSIGN(const IndexPlan ready, simplified_plan(job));
  const PlanFacts facts = analyze(ready);
  Wording wording = put_in_words(job, given);
  JobExplanation out{.equation = std::move(wording.equation),
                     .rules = std::move(wording.rules),
                     .plan = print(job.plan),
                     .normal_form = print(ready),
                     .facts = list_facts(facts),
                     .kernels = judge_kernels(ready, facts),
                     .traffic = traffic_of(job),
                     .threads = thread_count(0, facts.bytes)};
  predict(out, bytes_per_second);
  return out;
}

}  // namespace

Result<Explanation> explain(const Call& call, const ExplainOptions& options) {
  GARNER_ASSIGN(const LoweredCall lowered, lower_with_names(call));
  Explanation out{
      .op = lowered.op, .signature = lowered.signature, .promise = lowered.promise, .bytes_per_second = 0, .jobs = {}};
  if (!lowered.has_plan) return out;
  out.bytes_per_second = options.bytes_per_second > 0 ? options.bytes_per_second : copy_rate();
  for (const Job& job : lowered.jobs) {
    GARNER_ASSIGN(JobExplanation one, explain_job(job, lowered.given, out.bytes_per_second));
    out.jobs.push_back(std::move(one));
  }
  return out;
}

}  // namespace garner
