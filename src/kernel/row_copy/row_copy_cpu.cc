// Gathers of whole rows: the last axis lies side by side in the operand and in the result, and one set of indices
// serves it. One resolve per row, then a block copy. Work is split by elements, so one huge row uses all threads too.
#include <cstring>

#include "device/cpu/threads.h"
#include "kernel/common/segments.h"
#include "kernel/common/width.h"

namespace garner {
namespace {

constexpr Index kGrainBytes = 64 << 10;

/// Elements [begin, end) of the whole result that lie in row r, counted from the row's start.
struct Part {
  Index from, count;
};
Part part_of_row(Index r, Index run, Index begin, Index end) {
  const Index from = std::max(begin - r * run, Index{0});
  return {from, std::min(end - r * run, run) - from};
}

void copy_rows(const Launch& l, const Segment& s, Index begin, Index end) {
  const Index bytes = l.buffers.widths[0];
  const auto* from = static_cast<const std::byte*>(l.buffers.indexed[0]);
  auto* to = static_cast<std::byte*>(l.buffers.dense[0]);
  for (Index j = 0; j < s.count; ++j) {
    const Part part = part_of_row(s.first + j, l.facts.run, begin, end);
    std::byte* row = to + (s.dense + j * s.dense_step + part.from) * bytes;
    const auto size = static_cast<std::size_t>(part.count * bytes);
    if (s.valid == nullptr || s.valid[j] != 0) std::memcpy(row, from + (s.offset[j] + part.from) * bytes, size);
    else std::memset(row, 0, size);
  }
}

void run(const Launch& l) {
  const Index row = l.facts.run, grain = std::max<Index>(1, kGrainBytes / l.buffers.widths[0]);
  parallel_ranges(l.threads, l.facts.elements, grain, [&](Index begin, Index end) {
    SegmentWalker walker(l, l.plan.domain.size() - 1);
    walker.walk(begin / row, (end + row - 1) / row, [&](const Segment& s) { copy_rows(l, s, begin, end); });
  });
}

bool accepts(const IndexPlan& plan, const PlanFacts& facts) {
  return plan.direction == Direction::kGather && facts.run > 1 && !plan.fill_stride;
}

/// A row costs a resolve and a call; bytes stream.
double cost_ns(const IndexPlan& plan, const PlanFacts& f) {
  return 200 + 8.0 * static_cast<double>(f.rows) + 0.1 * static_cast<double>(f.elements * width(plan.dtype));
}

}  // namespace

namespace kernel {
extern const Kernel row_copy;
const Kernel row_copy{.name = "row_copy", .device = Device::kCpu, .accepts = accepts, .cost_ns = cost_ns, .run = run};
}  // namespace kernel
}  // namespace garner
