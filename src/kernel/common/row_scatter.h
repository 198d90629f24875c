// The walk that assigning and combining scatters share: rows (or single elements, a run of 1), cut to what a thread
// owns.
#pragma once
#include "kernel/common/combine.h"
#include "kernel/common/owners.h"
#include "kernel/common/segments.h"
#include "kernel/common/width.h"

namespace garner {

/// A row that starts at offset `start`, cut to [lo, hi): elements [from, from + count) of it.
struct Cut {
  Index from, count;
};
inline Cut cut_row(Index start, Index run, const Owner& owner) {
  const Index from = std::max(owner.lo - start, Index{0});
  return {from, std::min(owner.hi - start, run) - from};
}

inline void scatter_rows(const Launch& l, const Segment& s, const Owner& owner, CombineRun combine) {
  const int bytes = l.buffers.widths[0];
  for (Index j = 0; j < s.count; ++j) {
    if (s.valid != nullptr && s.valid[j] == 0) continue;
    const Cut cut = cut_row(s.offset[j], l.facts.run, owner);
    if (cut.count <= 0) continue;
    combine(element_at(l.buffers.indexed[0], s.offset[j] + cut.from, bytes),
            element_at(l.buffers.dense[0], s.dense + j * s.dense_step + cut.from, bytes), cut.count);
  }
}

inline void scatter_elements(const Launch& l, const Segment& s, const Owner& owner, CombineAt combine) {
  const Targets targets{.count = s.count, .offset = s.offset, .valid = s.valid, .lo = owner.lo, .hi = owner.hi};
  combine(l.buffers.indexed[0], element_at(l.buffers.dense[0], s.dense, l.buffers.widths[0]), s.dense_step, targets);
}

inline void scatter_positions(const Launch& l, Index begin, Index end, const Owner& owner, const Combiner& combiner) {
  const bool rows = l.facts.run > 1;
  SegmentWalker walker(l, l.plan.domain.size() - (rows ? 1 : 0));
  walker.walk(begin, end, [&](const Segment& s) {
    if (rows) scatter_rows(l, s, owner, combiner.run);
    else scatter_elements(l, s, owner, combiner.at);
  });
}

/// Targets proved distinct need no owner: threads share the positions instead of the destination.
inline void run_row_scatter(const Launch& l, const Combiner& combiner) {
  const Index grain = std::max<Index>(1, 8 * SegmentWalker::kCapacity / l.facts.run);
  if (l.facts.unique_targets)
    return parallel_ranges(l.threads, l.facts.rows, grain, [&](Index begin, Index end) {
      scatter_positions(l, begin, end, {l.facts.span.lo, l.facts.span.hi + 1, true}, combiner);
    });
  for_each_owner(l, [&](const Owner& owner) { scatter_positions(l, 0, l.facts.rows, owner, combiner); });
}

inline bool is_plain_scatter(const IndexPlan& plan) {
  return plan.direction == Direction::kScatter && !plan.fetch_stride;
}

}  // namespace garner
