// A plan's domain cut into boxes: some lines, and a part of the innermost axis. Boxes of different inner parts are
// panels: what one panel of an operand touches stays in a core's cache while all lines pass over it.
#pragma once
#include <algorithm>

#include "device/cpu/threads.h"
#include "kernel/common/lines.h"
#include "kernel/common/odometer.h"
#include "kernel/kernel.h"

namespace garner {

struct Box {
  Index line, lines;    // positions of all axes but the last
  Index first, count;   // positions on the last axis
};

struct BoxShape {
  Index lines, inner;  // of the whole domain
  Index panel;         // the inner extent of a box
  Index lead;          // by so much the first panel is wider, so that the others begin on a cache line
  Index block;         // the lines of a box
};

/// f(box) for boxes that cover the domain, panel by panel, on the launch's threads.
template <class F>
void for_each_box(int threads, const BoxShape& shape, F&& f) {
  const Index panels = std::max<Index>(1, (shape.inner - shape.lead + shape.panel - 1) / shape.panel);
  const auto bound = [&](Index k) { return k == 0 ? 0 : std::min(shape.lead + k * shape.panel, shape.inner); };
  const Index blocks = (shape.lines + shape.block - 1) / shape.block;
  parallel_ranges(threads, panels * blocks, 1, [&](Index begin, Index end) {
    for (Index b = begin; b < end; ++b) {
      const Index first = bound(b / blocks), line = b % blocks * shape.block;
      f(Box{line, std::min(shape.block, shape.lines - line), first, bound(b / blocks + 1) - first});
    }
  });
}

/// Where a thread keeps one panel of the indexed side, row behind row. In place it would not stay in a cache: rows a
/// power of two apart share a few of its sets (4096 rows of 16 KiB: 32 sets of 2048).
class PackedPanel {
 public:
  /// Elements [first, first + count) of each of the rows; row r begins at element first_row + r * row_step.
  struct Rows {
    std::byte* data;
    int width;
    Index first_row, row_step, rows, count;
  };
  /// Null where there is no memory for it.
  std::byte* load(const Rows& rows);
  /// `past_caches`: as in stream.h.
  void store(const Rows& rows, bool past_caches);
  /// From one place to another where there is no memory for it.
  static void copy(const Rows& from, const Rows& to);

 private:
  Tensor packed_;  // begins on a cache line, and is not zeroed first: scatter-add along axis 0 36 ms, in a vector 40
};

/// What the lines of one plan have in common, and where each begins.
class Lines {
 public:
  explicit Lines(const Launch& l);

  Index inner() const { return inner_; }
  Index lines() const { return lines_; }

  /// How wide a panel is worth packing: inner() when the operand is small, or lines do not come back to the same part
  /// of it.
  Index panel() const;

  /// Elements of a line up to where its result begins a cache line.
  Index lead(const void* dense, int width) const;

  /// The rows a box reads or updates, one for each value an index may have.
  PackedPanel::Rows rows_of(const Box& box, void* indexed, int width) const;

  /// Do the rows of all packed panels, or what all lines reach, make up `bytes` of the indexed side from its beginning?
  bool panels_cover(Index bytes) const;
  bool lines_cover(Index bytes) const;
  /// Bytes that a line reaches, and how far from where its value 0 leads.
  Index reach() const;
  Index lowest() const { return plan_.terms[0].bounds.lo * scale_ * width(plan_.dtype); }

  /// The same line on the packed rows, and where its values count from there.
  static LineBatch on_packed(LineBatch batch) {
    batch.line.scale = static_cast<std::int32_t>(batch.line.count);
    batch.indexed_pitch = 0;
    batch.far = false;
    batch.reach = 0;
    batch.sweep = 0;
    return batch;
  }
  Index packed_origin(Index panel) const { return -plan_.terms[0].bounds.lo * panel; }

  /// f(batch, element offset on the indexed side where the first line's values count from, element offset on the dense
  /// side) for batches along the last axis but one.
  template <class F>
  void walk(const Box& box, F&& f) const {
    Odometer outer(plan_.domain, plan_.domain.size() - 1);
    outer.seek(box.line);
    for (Index done = 0, n; done < box.lines; done += n, outer.advance(n)) {
      n = std::min({outer.left(), box.lines - done, most_at_once(box)});
      f(batch(box, outer, n), affine_.base + outer.at(affine_.step) + box.first * affine_.step.back(),
        outer.at(plan_.dense_stride) + box.first);
    }
  }

 private:
  /// Lines of a panel are short, and far apart: the index values of some that follow are asked for in between.
  Index most_at_once(const Box& box) const { return box.count < inner_ ? kShortLines : box.lines; }
  LineBatch batch(const Box& box, const Odometer& outer, Index lines) const;
  static constexpr Index kShortLines = 16;

  /// Is what is read likely to lie in L2, or to stay there once it has been read?
  bool lies_near() const;
  /// Does a line of `count` positions come to its cache lines once at most, and out of memory?
  bool is_far(Index count) const;
  /// reach() if the next line is worth asking for as a whole, else 0.
  Index reach_of_next(Index count) const;
  /// reach() if a far line comes to most of its cache lines (63 % where there are as many as positions), else 0.
  Index sweep_of_next(Index count) const;

  /// Do all values of the bounds lead into the operand? Under promise nobody has checked that.
  bool bounds_stay_inside() const;

  const IndexPlan& plan_;
  const Range span_;
  const void* index_;
  Affine affine_;
  Index inner_, lines_, scale_ = 0;
  bool is_near_;
};

}  // namespace garner
