// Walks positions of a plan's domain in row-major order, a segment of the innermost walked axis at a time, and turns
// them into element offsets. All CPU kernels but the reference are written on this.
#pragma once
#include <algorithm>
#include <array>

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
  /// 8 KiB of offsets: stays in the L1 cache beside the data.
  static constexpr Index kCapacity = 1024;

  /// Walks the first `axes` axes; the others are the kernel's own business.
  SegmentWalker(const Launch& launch, std::size_t axes);

  Index positions() const { return positions_; }

  /// f(segment) for positions [begin, end).
  template <class F>
  void walk(Index begin, Index end, F&& f) {
    seek(begin);
    for (Index at = begin; at < end; at += segment_.count) {
      fill_segment(at, end - at);
      f(static_cast<const Segment&>(segment_));
      advance();
    }
  }

 private:
  /// A strided walk: where it stands at the segment's start.
  Index at(const Axes& stride) const;
  Index last(const Axes& stride) const { return axes_ == 0 ? 0 : stride[axes_ - 1]; }
  void seek(Index position);
  void advance();
  void fill_segment(Index first, Index limit);
  void fill_affine();
  void apply_mask();
  void apply_terms(bool (*now)(OutOfRange policy));

  const Launch& launch_;
  std::size_t axes_;
  Index positions_ = 1;
  Index inner_ = 1;  // extent of the innermost walked axis
  Axes position_;
  Axes linear_;  // element step on the indexed side along each walked axis
  Index linear_base_;
  Segment segment_;
  std::array<Index, kCapacity> offset_;
  std::array<std::uint8_t, kCapacity> valid_;
};

}  // namespace garner
