// Scatters that add, multiply, take the minimum or maximum, or combine bits: typed, each place in index order.
#include "kernel/common/row_scatter.h"

namespace garner {
namespace {

void run(const Launch& l) { run_row_scatter(l, combiner_for(l.plan.combine, l.plan.dtype)); }

bool has(Combine combine) {
  switch (combine) {
    case Combine::kAdd:
    case Combine::kMul:
    case Combine::kMin:
    case Combine::kMax:
    case Combine::kAnd:
    case Combine::kOr:
    case Combine::kXor: return true;
    case Combine::kAssign:
    case Combine::kCompareExchange:
    case Combine::kUser: break;
  }
  return false;
}

const char* refuses(const IndexPlan& plan, const PlanFacts&) {
  if (const char* why = row_scatter_refuses(plan)) return why;
  return has(plan.combine) ? nullptr : "it has not this combine";
}

}  // namespace

namespace kernel {
extern const Kernel scatter_combine;
const Kernel scatter_combine{
    .name = "scatter_combine",
    .device = DeviceKind::kCpu,
    .refuses = refuses,
    .cost_ns =
        [](const IndexPlan&, const PlanFacts& f) {
  return 200 + 2.0 * static_cast<double>(f.rows) + 1.0 * static_cast<double>(f.elements);
},
    .run = run,
    .brings_start = true,
};
}  // namespace kernel
}  // namespace garner
