#include "explain/verdicts.h"

#include <algorithm>
#include <tuple>

#include "base/fail.h"
#include "kernel/kernel.h"

namespace garner {
namespace {

const char* only_gathers(const IndexPlan& plan) {
  return plan.direction == Direction::kGather ? nullptr : "it only gathers";
}

const char* no_fill_tensor(const IndexPlan& plan) {
  return plan.fill_stride ? "it has no fill tensor; skipped reads give 0 there" : nullptr;
}

const char* row_copy_refuses(const IndexPlan& plan, const PlanFacts& facts) {
  if (const char* why = only_gathers(plan)) return why;
  if (facts.run <= 1) return "no run of elements lies side by side on both sides under one set of indices";
  return no_fill_tensor(plan);
}

const char* fill_refuses(const IndexPlan&, const PlanFacts&) {
  return "it puts one element into every place of a stretch";
}

const char* element_gather_refuses(const IndexPlan& plan, const PlanFacts&) {
  if (const char* why = only_gathers(plan)) return why;
  if (!plan.domain.empty() && plan.dense_stride.back() != 1) return "the result is not written front to back";
  return no_fill_tensor(plan);
}

const char* plain_scatter_refuses(const IndexPlan& plan) {
  if (plan.direction == Direction::kGather) return "it only scatters";
  return plan.fetch_stride ? "it does not give back the values before each update" : nullptr;
}

const char* scatter_assign_refuses(const IndexPlan& plan, const PlanFacts&) {
  if (const char* why = plain_scatter_refuses(plan)) return why;
  return plan.combine == Combine::kAssign ? nullptr : "it stores and does not combine";
}

const char* scatter_combine_refuses(const IndexPlan& plan, const PlanFacts&) {
  if (const char* why = plain_scatter_refuses(plan)) return why;
  return plan.combine == Combine::kAssign ? "it combines and does not store" : "it has not this combine";
}

/// A kernel says only that it does not accept. What its `accepts` asks is said once more here, for people.
std::string refusal(const Kernel& kernel, const IndexPlan& plan, const PlanFacts& facts) {
  struct Row {
    std::string_view name;
    const char* (*refuses)(const IndexPlan&, const PlanFacts&);
  };
  static constexpr Row kRows[] = {{"fill", fill_refuses},
                                  {"row_copy", row_copy_refuses},
                                  {"element_gather", element_gather_refuses},
                                  {"scatter_assign", scatter_assign_refuses},
                                  {"scatter_combine", scatter_combine_refuses}};
  for (const Row& row : kRows)
    if (const char* why = row.name == kernel.name ? row.refuses(plan, facts) : nullptr)
      return fmt::format("does not accept: {}", why);
  return "does not accept this plan";
}

std::string comparison(const KernelVerdict& loser, const Kernel& winner, double best) {
  if (loser.cost_ns == best) return fmt::format("costs as much as {}, which comes first", winner.name);
  const double ratio = loser.cost_ns / best;
  return ratio < 100 ? fmt::format("costs {:.3g}x of {}", ratio, winner.name)
                     : fmt::format("costs {:.0f}x of {}", ratio, winner.name);
}

}  // namespace

std::vector<KernelVerdict> judge_kernels(const IndexPlan& plan, const PlanFacts& facts) {
  const Kernel& winner = select(Device::kCpu, plan, facts);
  const double best = winner.cost_ns(plan, facts);
  std::vector<KernelVerdict> verdicts;
  for (const Kernel* k : kernels()) {
    KernelVerdict v{
        .name = k->name, .accepts = k->accepts(plan, facts), .chosen = k == &winner, .cost_ns = 0, .why = ""};
    if (v.accepts) v.cost_ns = k->cost_ns(plan, facts);
    v.why = v.chosen ? "chosen" : v.accepts ? comparison(v, winner, best) : refusal(*k, plan, facts);
    verdicts.push_back(std::move(v));
  }
  std::ranges::sort(verdicts, {}, [](const KernelVerdict& v) {
    return std::tuple(!v.chosen, !v.accepts, v.cost_ns, std::string_view(v.name));
  });
  return verdicts;
}

}  // namespace garner
