#include "kernel/common/segments.h"

#include <cstring>

#include "device/cpu/prefetch.h"

namespace garner {

namespace {

/// Index values are read in bursts, too far apart for the hardware to run ahead of them (rows of 256 B: 36 ms, asked
/// for 31).
void ask_for_next(const std::byte* index, Index step, Index count) {
  constexpr Index kMostStep = 64;
  if (step > 0 && step <= kMostStep) ask_for(index + kPageAhead, step * count);
}

}  // namespace

SegmentWalker::SegmentWalker(const Launch& launch, std::size_t axes)
    : launch_(launch), odometer_(launch.plan.domain, axes), affine_(launch.plan) {
  for (std::size_t k = 0; k < axes; ++k) positions_ *= launch.plan.domain[k];
  for (Slot& slot : slots_) {
    slot.segment.dense_step = last(launch.plan.dense_stride);
    if (launch.plan.fill_stride) slot.segment.fill_step = last(*launch.plan.fill_stride);
    if (launch.plan.fetch_stride) slot.segment.fetch_step = last(*launch.plan.fetch_stride);
  }
}

Index SegmentWalker::fill_segment(Index first, Index limit) {
  const IndexPlan& plan = launch_.plan;
  Slot& slot = slots_[slot_];
  Segment& s = slot.segment;
  s.first = first;
  s.count = std::min({odometer_.left(), limit, kCapacity});
  s.dense = at(plan.dense_stride);
  if (plan.fill_stride) s.fill = at(*plan.fill_stride);
  if (plan.fetch_stride) s.fetch = at(*plan.fetch_stride);
  fill_affine(slot);
  s.offset = slot.offset.data();
  s.valid = nullptr;
  apply_mask(slot);
  // Traps first: a position that another term fills or drops is checked all the same, whatever the order of the terms.
  apply_terms(slot, [](OutOfRange policy) { return policy == OutOfRange::kTrap; });
  apply_terms(slot, [](OutOfRange policy) { return policy != OutOfRange::kTrap; });
  odometer_.advance(s.count);
  return first + s.count;
}

void SegmentWalker::fill_affine(Slot& slot) {
  const Index base = affine_.base + at(affine_.step), step = last(affine_.step);
  for (Index j = 0; j < slot.segment.count; ++j) slot.offset[static_cast<std::size_t>(j)] = base + j * step;
}

void SegmentWalker::apply_mask(Slot& slot) {
  if (!launch_.facts.can_skip) return;
  const auto count = static_cast<std::size_t>(slot.segment.count);
  if (!launch_.plan.mask_stride) {
    std::memset(slot.valid.data(), 1, count);
    return;
  }
  const auto* mask = static_cast<const std::uint8_t*>(launch_.buffers.mask) + at(*launch_.plan.mask_stride);
  const Index step = last(*launch_.plan.mask_stride);
  bool all = true;
  for (std::size_t j = 0; j < count; ++j) {
    slot.valid[j] = mask[static_cast<Index>(j) * step] != 0 ? 1 : 0;
    all = all && slot.valid[j] != 0;
  }
  if (!all) slot.segment.valid = slot.valid.data();
}

void SegmentWalker::apply_terms(Slot& slot, bool (*now)(OutOfRange policy)) {
  for (const AxisMap& map : launch_.plan.indexed) {
    if (map.term < 0) continue;
    const auto t = static_cast<std::size_t>(map.term);
    const IndexTerm& term = launch_.plan.terms[t];
    if (!now(term.bounds.policy)) continue;
    const auto* index = static_cast<const std::byte*>(launch_.buffers.indices[t]) + at(term.stride) * width(term.dtype);
    ask_for_next(index, last(term.stride) * width(term.dtype), slot.segment.count);
    const TermSegment run{.dtype = term.dtype,
                          .index = index,
                          .index_step = last(term.stride),
                          .count = slot.segment.count,
                          .bounds = &term.bounds,
                          .scale = map.stride,
                          .window = map.offset + at(map.step),
                          .window_step = last(map.step),
                          .offset = slot.offset.data(),
                          .valid = slot.valid.data()};
    if (resolve_segment(run) == 0) continue;
    slot.segment.valid = slot.valid.data();
    if (term.bounds.policy == OutOfRange::kTrap) launch_.ledger.record();
  }
}

}  // namespace garner
