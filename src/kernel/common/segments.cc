#include "kernel/common/segments.h"

#include <cstring>

namespace garner {

SegmentWalker::SegmentWalker(const Launch& launch, std::size_t axes)
    : launch_(launch), odometer_(launch.plan.domain, axes), affine_(launch.plan) {
  for (std::size_t k = 0; k < axes; ++k) positions_ *= launch.plan.domain[k];
  segment_.dense_step = last(launch.plan.dense_stride);
  if (launch.plan.fill_stride) segment_.fill_step = last(*launch.plan.fill_stride);
  if (launch.plan.fetch_stride) segment_.fetch_step = last(*launch.plan.fetch_stride);
}

void SegmentWalker::fill_segment(Index first, Index limit) {
  const IndexPlan& plan = launch_.plan;
  segment_.first = first;
  segment_.count = std::min({odometer_.left(), limit, kCapacity});
  segment_.dense = at(plan.dense_stride);
  if (plan.fill_stride) segment_.fill = at(*plan.fill_stride);
  if (plan.fetch_stride) segment_.fetch = at(*plan.fetch_stride);
  fill_affine();
  segment_.offset = offset_.data();
  segment_.valid = nullptr;
  apply_mask();
  // Traps first: a position that another term fills or drops is checked all the same, whatever the order of the terms.
  apply_terms([](OutOfRange policy) { return policy == OutOfRange::kTrap; });
  apply_terms([](OutOfRange policy) { return policy != OutOfRange::kTrap; });
}

void SegmentWalker::fill_affine() {
  const Index base = affine_.base + at(affine_.step), step = last(affine_.step);
  for (Index j = 0; j < segment_.count; ++j) offset_[static_cast<std::size_t>(j)] = base + j * step;
}

void SegmentWalker::apply_mask() {
  if (!launch_.facts.can_skip) return;
  const auto count = static_cast<std::size_t>(segment_.count);
  if (!launch_.plan.mask_stride) {
    std::memset(valid_.data(), 1, count);
    return;
  }
  const auto* mask = static_cast<const std::uint8_t*>(launch_.buffers.mask) + at(*launch_.plan.mask_stride);
  const Index step = last(*launch_.plan.mask_stride);
  bool all = true;
  for (std::size_t j = 0; j < count; ++j) {
    valid_[j] = mask[static_cast<Index>(j) * step] != 0 ? 1 : 0;
    all = all && valid_[j] != 0;
  }
  if (!all) segment_.valid = valid_.data();
}

void SegmentWalker::apply_terms(bool (*now)(OutOfRange policy)) {
  for (const AxisMap& map : launch_.plan.indexed) {
    if (map.term < 0) continue;
    const auto t = static_cast<std::size_t>(map.term);
    const IndexTerm& term = launch_.plan.terms[t];
    if (!now(term.bounds.policy)) continue;
    const auto* index = static_cast<const std::byte*>(launch_.buffers.indices[t]) + at(term.stride) * width(term.dtype);
    const TermSegment run{.dtype = term.dtype,
                          .index = index,
                          .index_step = last(term.stride),
                          .count = segment_.count,
                          .bounds = &term.bounds,
                          .scale = map.stride,
                          .window = map.offset + at(map.step),
                          .window_step = last(map.step),
                          .offset = offset_.data(),
                          .valid = valid_.data()};
    if (resolve_segment(run) == 0) continue;
    segment_.valid = valid_.data();
    if (term.bounds.policy == OutOfRange::kTrap) launch_.ledger.record();
  }
}

}  // namespace garner
