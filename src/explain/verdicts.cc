#include "explain/verdicts.h"

#include <algorithm>
#include <tuple>

#include "base/fail.h"
#include "kernel/kernel.h"

namespace garner {
namespace {

std::string comparison(const KernelVerdict& loser, const Kernel& winner, double best) {
  if (loser.cost_ns == best) return fmt::format("costs as much as {}, which comes first", winner.name);
  const double ratio = loser.cost_ns / best;
  return ratio < 100 ? fmt::format("costs {:.3g}x of {}", ratio, winner.name)
                     : fmt::format("costs {:.0f}x of {}", ratio, winner.name);
}

}  // namespace

std::vector<KernelVerdict> judge_kernels(const IndexPlan& plan, const PlanFacts& facts) {
  const Kernel& winner = *select(DeviceKind::kCpu, plan, facts);
  const double best = winner.cost_ns(plan, facts);
  std::vector<KernelVerdict> verdicts;
  for (const Kernel* k : kernels()) {
    KernelVerdict v{
        .name = k->name, .accepts = k->accepts(plan, facts), .chosen = k == &winner, .cost_ns = 0, .why = ""};
    if (v.accepts) v.cost_ns = k->cost_ns(plan, facts);
    v.why = v.chosen    ? "chosen"
            : v.accepts ? comparison(v, winner, best)
                        : fmt::format("does not accept: {}", k->refuses(plan, facts));
    verdicts.push_back(std::move(v));
  }
  std::ranges::sort(verdicts, {}, [](const KernelVerdict& v) {
    return std::tuple(!v.chosen, !v.accepts, v.cost_ns, std::string_view(v.name));
  });
  return verdicts;
}

}  // namespace garner
