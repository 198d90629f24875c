// Gathers of whole rows: the last axis lies side by side in the operand and in the result, and one set of indices
// serves it. One resolve per row, then a block copy. Work is split by elements, so one huge row uses all threads too.
#include "device/cpu/stream.h"
#include "device/cpu/threads.h"
#include "kernel/common/segments.h"
#include "kernel/common/width.h"

namespace garner {
namespace {

constexpr Index kGrainBytes = 256 << 10;

/// Rows of a segment, cut to the elements [begin, end) of the whole result, while those of the next are asked for.
class RowSegment {
 public:
  RowSegment(const Launch& launch, const Segment& segment, const Segment* next, bool past_caches)
      : l_(launch), s_(segment), past_caches_(past_caches) {
    if (next != nullptr) next_ = {next->offset, next->count};
  }

  void ask() const { ask_for_rows(rows(0, s_.count, 0, l_.facts.run)); }

  void copy(Index begin, Index end) const {
    const Index run = l_.facts.run, first = begin - s_.first * run, last = end - s_.first * run;
    Index j = 0, stop = s_.count;
    if (first > 0) part(j++, first, std::min(last, run));
    if (j < stop && last < stop * run) {
      --stop;
      part(stop, 0, last - stop * run);
    }
    if (s_.dense_step == run) return copy_rows(rows(j, stop - j, 0, run), next_, past_caches_);
    for (; j < stop; ++j) copy_rows(rows(j, 1, 0, run), ahead(j), past_caches_);
  }

 private:
  void part(Index j, Index from, Index to) const { copy_rows(rows(j, 1, from, to), ahead(j), past_caches_); }
  RowsAhead ahead(Index j) const { return j < next_.count ? RowsAhead{next_.offset + j, 1} : RowsAhead(); }

  /// Elements [from, to) of rows [j, j + count), which lie one behind another in the result.
  RowCopies rows(Index j, Index count, Index from, Index to) const {
    const int width = l_.buffers.widths[0];
    return {.from = element_at(l_.buffers.indexed[0], from, width),
            .width = width,
            .offset = s_.offset + j,
            .valid = s_.valid == nullptr ? nullptr : s_.valid + j,
            .count = count,
            .bytes = (to - from) * width,
            .to = element_at(l_.buffers.dense[0], s_.dense + j * s_.dense_step + from, width)};
  }

  const Launch& l_;
  const Segment& s_;
  RowsAhead next_;
  bool past_caches_;
};

void run(const Launch& l) {
  const Index row = l.facts.run, width = l.buffers.widths[0], grain = std::max<Index>(1, kGrainBytes / width);
  const bool past_caches = l.facts.elements * width >= tuning().stream_bytes;
  parallel_ranges(l.threads, l.facts.elements, grain, [&](Index begin, Index end) {
    const Index first = begin / row;
    SegmentWalker walker(l, l.plan.domain.size() - 1);
    walker.walk_ahead(first, (end + row - 1) / row, rows_ahead(row * width),
                      [&](const Segment& s, const Segment* next) {
      const RowSegment rows(l, s, next, past_caches);
      if (s.first == first) rows.ask();
      rows.copy(begin, end);
    });
    if (past_caches) finish_stream();
  });
}

const char* refuses(const IndexPlan& plan, const PlanFacts& facts) {
  if (plan.direction != Direction::kGather) return "it only gathers";
  if (facts.run <= 1) return "no run of elements lies side by side on both sides under one set of indices";
  return plan.fill_stride ? "it has no fill tensor; skipped reads give 0 there" : nullptr;
}

/// A row costs a resolve and a call; bytes stream.
double cost_ns(const IndexPlan& plan, const PlanFacts& f) {
  return 200 + 8.0 * static_cast<double>(f.rows) + 0.1 * static_cast<double>(f.elements * width(plan.dtype));
}

}  // namespace

namespace kernel {
extern const Kernel row_copy;
const Kernel row_copy{
    .name = "row_copy", .device = DeviceKind::kCpu, .refuses = refuses, .cost_ns = cost_ns, .run = run};
}  // namespace kernel
}  // namespace garner
