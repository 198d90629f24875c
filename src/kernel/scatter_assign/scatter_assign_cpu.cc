// Scatters that store: rows by block copy, elements by width. Of several writes to one place the last in row-major
// order stays, on any number of threads.
#include "kernel/common/row_scatter.h"

namespace garner {
namespace {

void run(const Launch& l) { run_row_scatter(l, combiner_for(Combine::kAssign, l.plan.dtype)); }

const char* refuses(const IndexPlan& plan, const PlanFacts&) {
  if (const char* why = row_scatter_refuses(plan)) return why;
  return plan.combine == Combine::kAssign ? nullptr : "it stores and does not combine";
}

}  // namespace

namespace kernel {
extern const Kernel scatter_assign;
const Kernel scatter_assign{
    .name = "scatter_assign",
    .device = DeviceKind::kCpu,
    .refuses = refuses,
    .cost_ns =
        [](const IndexPlan&, const PlanFacts& f) {
  return 200 + 2.0 * static_cast<double>(f.rows) + 0.5 * static_cast<double>(f.elements);
},
    .run = run,
    .brings_start = true,
};
}  // namespace kernel
}  // namespace garner
