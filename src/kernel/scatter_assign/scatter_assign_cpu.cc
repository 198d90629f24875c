// Scatters that store: rows by block copy, elements by width. Of several writes to one place the last in row-major
// order stays, on any number of threads.
#include "kernel/common/row_scatter.h"

namespace garner {
namespace {

void run(const Launch& l) { run_row_scatter(l, combiner_for(Combine::kAssign, l.plan.dtype)); }

}  // namespace

namespace kernel {
extern const Kernel scatter_assign;
const Kernel scatter_assign{
    .name = "scatter_assign",
    .device = Device::kCpu,
    .accepts = [](const IndexPlan& p,
                  const PlanFacts&) { return is_plain_scatter(p) && p.combine == Combine::kAssign; },
    .cost_ns =
        [](const IndexPlan&, const PlanFacts& f) {
  return 200 + 2.0 * static_cast<double>(f.rows) + 0.5 * static_cast<double>(f.elements);
},
    .run = run,
};
}  // namespace kernel
}  // namespace garner
