// Walks positions of a plan's domain in row-major order, a segment of the innermost walked axis at a time, and turns
// them into element offsets. All CPU kernels but the reference are written on this.
#pragma once
#include <algorithm>
#include <array>

#include "kernel/common/odometer.h"
#include "kernel/common/resolve.h"
#include "kernel/kernel.h"

namespace garner {

/// Consecutive positions. Offsets are in elements; position j of the segment is at `dense + j * dense_step`, and so on.
struct Segment {
  Index first = 0;  // number of position 0 in the walked domain
  Index count = 0;
  const Index* offset = nullptr;  // on the indexed side
  const std::uint8_t* valid = nullptr;  // null: every position is; otherwise 0 marks one to skip or fill
  Index dense = 0, dense_step = 0;
  Index fill = 0, fill_step = 0;
  Index fetch = 0, fetch_step = 0;
};

class SegmentWalker {
 public:
  /// 32 KiB of offsets: with fewer the rows of a gather that are on their way run out too often (1024: 12 % slower).
  static constexpr Index kCapacity = 4096;

  /// Walks the first `axes` axes; the others are the kernel's own business.
  SegmentWalker(const Launch& launch, std::size_t axes);

  Index positions() const { return positions_; }

  /// f(segment) for positions [begin, end).
  template <class F>
  void walk(Index begin, Index end, F&& f) {
    odometer_.seek(begin);
    for (Index at = begin; at < end;) at = fill_segment(at, end - at), f(segment());
  }

  /// f(segment, the one behind it or null): what follows can be asked for. `most` positions a segment.
  template <class F>
  void walk_ahead(Index begin, Index end, Index most, F&& f) {
    if (begin >= end) return;
    odometer_.seek(begin);
    Index at = fill_segment(begin, std::min(end - begin, most));
    while (at < end) {
      const Segment& before = segment();
      slot_ ^= 1U;
      at = fill_segment(at, std::min(end - at, most));
      f(before, &segment());
    }
    f(segment(), nullptr);
  }

 private:
  struct Slot {
    Segment segment;
    std::array<Index, kCapacity> offset;
    std::array<std::uint8_t, kCapacity> valid;
  };

  Index at(const Axes& stride) const { return odometer_.at(stride); }
  Index last(const Axes& stride) const { return odometer_.axes() == 0 ? 0 : stride[odometer_.axes() - 1]; }
  const Segment& segment() const { return slots_[slot_].segment; }
  /// At most `limit` positions from where the odometer stands; it goes on, and the number of the next is returned.
  Index fill_segment(Index first, Index limit);
  void fill_affine(Slot& slot);
  void apply_mask(Slot& slot);
  void apply_terms(Slot& slot, bool (*now)(OutOfRange policy));

  const Launch& launch_;
  Odometer odometer_;
  Affine affine_;
  Index positions_ = 1;
  unsigned slot_ = 0;
  std::array<Slot, 2> slots_;
};

/// What it takes to begin the segments of a walk over all axes: nearly all there is where the innermost one is short
/// (256 rows of 4 f32 by pairs of indices: 17 us).
inline double segments_ns(const IndexPlan& plan, Index elements) {
  const Index segments = plan.domain.empty() ? 0 : elements / std::max<Index>(1, plan.domain.back());
  return 55.0 * static_cast<double>(segments);
}

}  // namespace garner
