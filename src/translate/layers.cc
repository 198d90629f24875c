#include "translate/layers.h"

#include <algorithm>

#include "base/fail.h"

namespace garner::translate_detail {
namespace {

bool same_memory(const std::optional<View>& a, const std::optional<View>& b) {
  return a.has_value() == b.has_value() && (!a || a->data() == b->data());
}

/// The same elements at the same positions; bounds aside.
bool same_job(const Job& a, const Job& b) {
  IndexPlan x = a.plan, y = b.plan;
  if (x.terms.size() != y.terms.size() || a.result_shape != b.result_shape) return false;
  for (std::size_t t = 0; t < x.terms.size(); ++t) {
    x.terms[t].bounds = y.terms[t].bounds = {};
    if (a.indices[t].data() != b.indices[t].data()) return false;
  }
  return x == y && same_memory(a.operand, b.operand) && same_memory(a.updates, b.updates) &&
         same_memory(a.mask, b.mask) && same_memory(a.fill, b.fill);
}

bool refuses_bad_ones(const Bounds& b) { return b.policy == OutOfRange::kTrap || b.policy == OutOfRange::kPromise; }

/// An index that the two bounds read differently, though the first accepts it; nothing when there is none.
std::optional<std::string> difference(const Bounds& source, const Bounds& target) {
  if (source.lo != target.lo || source.hi != target.hi || source.scope != target.scope)
    return fmt::format("an index of {}", std::min(source.hi, target.hi));
  const bool negatives_matter = source.wrap != 0 || !refuses_bad_ones(source);
  if (negatives_matter && source.wrap != target.wrap) return "an index of -1";
  if (refuses_bad_ones(source) || source.policy == target.policy) return std::nullopt;
  return fmt::format("an index of {}", source.hi);
}

/// The same, and what either makes of it.
std::optional<std::string> difference(const Job& source, const Job& target) {
  for (std::size_t t = 0; t < source.plan.terms.size(); ++t) {
    const Bounds &a = source.plan.terms[t].bounds, &b = target.plan.terms[t].bounds;
    if (const auto index = difference(a, b))
      return fmt::format("{}: {} there ({}, negatives {}), {} here (negatives {})", *index, name(a.policy), source.op,
                         a.wrap != 0 ? "from the end" : "as they are", name(b.policy),
                         b.wrap != 0 ? "from the end" : "as they are");
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> matching(const Subject& subject, const std::vector<Candidate>& candidates, Context& context) {
  std::optional<std::string> near;
  for (const Candidate& candidate : candidates) {
    const auto jobs = lower(candidate.call);
    if (!jobs.ok() || jobs->size() != 1 || subject.jobs.size() != 1) continue;
    if (!same_job(subject.jobs[0].job, jobs->front())) continue;
    near = difference(subject.jobs[0].job, jobs->front());
    if (!near && subject.jobs[0].result_shape == jobs->front().result_shape) return candidate.source;
  }
  if (near) return context.refuse("T8", *near, "{}: reads an index differently than {}", context.to, subject.op);
  return context.refuse("T8", "any: there is no such operation", "{}: none of its operations is {} on these shapes",
                        context.to, subject.op);
}

}  // namespace garner::translate_detail
