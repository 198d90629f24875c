// Gathers of whole rows: the last axis lies side by side in the operand and in the result, and one set of indices
// serves it. One resolve per row, then a block copy. Work is split by elements, so one huge row uses all threads too.
#include "device/cpu/stream.h"
#include "device/cpu/threads.h"
#include "kernel/common/segments.h"
#include "kernel/common/straight_rows.h"
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

/// Elements [begin, end) of the result, by segments of rows.
void copy_segments(const Launch& l, Index begin, Index end, bool past_caches) {
  if (begin >= end) return;
  const Index row = l.facts.run, first = begin / row;
  SegmentWalker walker(l, l.plan.domain.size() - 1);
  walker.walk_ahead(first, (end + row - 1) / row, rows_ahead(row * l.buffers.widths[0]),
                    [&](const Segment& s, const Segment* next) {
    const RowSegment rows(l, s, next, past_caches);
    if (s.first == first) rows.ask();
    rows.copy(begin, end);
  });
}

/// Short rows of whole lines that go past the caches, straight from their index values as far as those are simply in
/// range (2 M rows of 256 B and 8 M of 64 B, two cores of a Zen 5: by segments 13.1 and 28.6 ms, straight 12.5 and 24).
class StraightCopy {
 public:
  explicit StraightCopy(const Launch& l) : l_(l), row_(l.facts.run), bytes_(row_ * l.buffers.widths[0]) {
    const auto* to = static_cast<const std::byte*>(l.buffers.dense[0]);
    const bool whole = bytes_ % kLine == 0 && reinterpret_cast<std::uintptr_t>(to) % kLine == 0;
    pays_ = bytes_ <= kMostBytes && whole && has_straight_rows(l.plan, row_);
  }

  /// Rows [first, first + count), or the first of them; returns how many.
  Index copy(Index first, Index count) const {
    if (!pays_ || count <= 0) return 0;
    const IndexPlan& plan = l_.plan;
    const IndexTerm& term = plan.terms[0];
    const auto map = std::ranges::find_if(plan.indexed, [](const AxisMap& m) { return m.term >= 0; });
    const int bytes = l_.buffers.widths[0];
    return stream_straight_rows(
        {.dtype = term.dtype,
         .index = static_cast<const std::byte*>(l_.buffers.indices[0]) + first * width(term.dtype),
         .bounds = &term.bounds,
         .from = element_at(l_.buffers.indexed[0], Affine(plan).base, bytes),
         .pitch = map->stride * bytes,
         .bytes = bytes_,
         .to = element_at(l_.buffers.dense[0], first * row_, bytes)},
        count);
  }

 private:
  static constexpr Index kLine = 64, kMostBytes = 1024;
  const Launch& l_;
  Index row_, bytes_;
  bool pays_;
};

void run(const Launch& l) {
  const Index row = l.facts.run, width = l.buffers.widths[0], grain = std::max<Index>(1, kGrainBytes / width);
  const bool past_caches = l.facts.elements * width >= tuning().stream_bytes;
  const StraightCopy straight(l);
  parallel_ranges(l.threads, l.facts.elements, grain, [&](Index begin, Index end) {
    const Index first = (begin + row - 1) / row, rows = end / row - first;
    const Index done = past_caches ? straight.copy(first, rows) : 0;
    if (done > 0) copy_segments(l, begin, first * row, past_caches);
    copy_segments(l, done > 0 ? (first + done) * row : begin, end, past_caches);
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
