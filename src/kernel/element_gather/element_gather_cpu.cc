// Gathers of single elements into a result that is written front to back. Under one index tensor, with offsets of 32
// bits, by lines (lines.h); otherwise by segments: half the cost of generic, because where a segment has nothing to
// skip the loop is a load through an offset and a store, unrolled by the compiler.
#include "device/cpu/stream.h"
#include "kernel/common/boxes.h"
#include "kernel/common/segments.h"
#include "kernel/common/width.h"

namespace garner {
namespace {

constexpr Index kGrain = 8 * SegmentWalker::kCapacity;

template <class U>
void load_all(const U* from, const Index* offset, U* to, Index count) {
  for (Index j = 0; j < count; ++j) to[j] = from[offset[j]];
}

template <class U>
void load_valid(const U* from, const Segment& s, U* to) {
  for (Index j = 0; j < s.count; ++j) to[j] = s.valid[j] != 0 ? from[s.offset[j]] : U{};
}

template <class U>
void gather_segment(const Launch& l, const Segment& s) {
  const auto* from = static_cast<const U*>(l.buffers.indexed[0]);
  auto* to = static_cast<U*>(l.buffers.dense[0]) + s.dense;
  if (s.valid == nullptr) load_all(from, s.offset, to, s.count);
  else load_valid(from, s, to);
}

struct LineKernel {
  const Launch& l;
  int bytes = l.buffers.widths[0];
  bool past_caches = l.facts.elements * bytes >= tuning().stream_bytes;

  void gather(const LineBatch& batch, const void* from, Index to) const {
    const Index lost = gather_lines(batch, from, element_at(l.buffers.dense[0], to, bytes), bytes, past_caches);
    if (lost > 0 && batch.line.bounds->policy == OutOfRange::kTrap) l.ledger.record();
  }
  void finish() const {
    if (past_caches) finish_stream();
  }
};

void gather_in_place(const LineKernel& kernel, const Lines& lines, const Box& box) {
  lines.walk(box, [&](const LineBatch& batch, Index from, Index to) {
    kernel.gather(batch, element_at(kernel.l.buffers.indexed[0], from, kernel.bytes), to);
  });
}

/// Boxes of several lines, or a part of a long one: some for every thread.
void run_in_place(const Launch& l, const Lines& lines) {
  const LineKernel kernel{l};
  const Index elements = std::clamp<Index>(l.facts.elements / (4 * l.threads), 8 << 10, 64 << 10);
  const Index part = std::min(lines.inner(), elements);
  for_each_box(l.threads, {lines.lines(), lines.inner(), part, 0, std::max<Index>(1, elements / part)},
               [&](const Box& box) {
    gather_in_place(kernel, lines, box);
    kernel.finish();
  });
}

/// All lines of a panel at once, from its packed copy.
void run_packed(const Launch& l, const Lines& lines) {
  const LineKernel kernel{l};
  const Index lead = lines.lead(l.buffers.dense[0], kernel.bytes);
  for_each_box(l.threads, {lines.lines(), lines.inner(), lines.panel(), lead, lines.lines()}, [&](const Box& box) {
    PackedPanel panel;
    const void* packed = panel.load(lines.rows_of(box, l.buffers.indexed[0], kernel.bytes));
    if (packed == nullptr) return gather_in_place(kernel, lines, box), kernel.finish();
    const void* origin = element_at(packed, lines.packed_origin(box.count), kernel.bytes);
    lines.walk(box,
               [&](const LineBatch& batch, Index, Index to) { kernel.gather(Lines::on_packed(batch), origin, to); });
    kernel.finish();
  });
}

void run_lines(const Launch& l) {
  const Lines lines(l);
  lines.panel() < lines.inner() ? run_packed(l, lines) : run_in_place(l, lines);
}

void run_segments(const Launch& l) {
  parallel_ranges(l.threads, l.facts.elements, kGrain, [&](Index begin, Index end) {
    dispatch_width(l.buffers.widths[0], [&]<class U>() {
      SegmentWalker(l, l.plan.domain.size()).walk(begin, end, [&](const Segment& s) { gather_segment<U>(l, s); });
    });
  });
}

void run(const Launch& l) { has_lines(l.plan) && l.facts.fits_32bit ? run_lines(l) : run_segments(l); }

const char* refuses(const IndexPlan& plan, const PlanFacts&) {
  if (plan.direction != Direction::kGather) return "it only gathers";
  if (!plan.domain.empty() && plan.dense_stride.back() != 1) return "the result is not written front to back";
  return plan.fill_stride ? "it has no fill tensor; skipped reads give 0 there" : nullptr;
}

double cost_ns(const IndexPlan& plan, const PlanFacts& f) {
  const bool lines = has_lines(plan) && f.fits_32bit;
  return 200 + static_cast<double>(f.elements) + (lines ? 0 : segments_ns(plan, f.elements));
}

}  // namespace

namespace kernel {
extern const Kernel element_gather;
const Kernel element_gather{
    .name = "element_gather",
    .device = DeviceKind::kCpu,
    .refuses = refuses,
    .cost_ns = cost_ns,
    .run = run,
};
}  // namespace kernel
}  // namespace garner
