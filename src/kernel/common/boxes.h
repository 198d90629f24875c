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
  Index block;         // the lines of a box
};

/// f(box) for boxes that cover the domain, panel by panel, on the launch's threads.
template <class F>
void for_each_box(int threads, const BoxShape& shape, F&& f) {
  const Index panels = (shape.inner + shape.panel - 1) / shape.panel;
  const Index blocks = (shape.lines + shape.block - 1) / shape.block;
  parallel_ranges(threads, panels * blocks, 1, [&](Index begin, Index end) {
    for (Index b = begin; b < end; ++b) {
      const Index first = b / blocks * shape.panel, line = b % blocks * shape.block;
      f(Box{line, std::min(shape.block, shape.lines - line), first, std::min(shape.panel, shape.inner - first)});
    }
  });
}

/// What the lines of one plan have in common, and where each begins.
class Lines {
 public:
  explicit Lines(const Launch& l);

  Index inner() const { return inner_; }
  Index lines() const { return lines_; }

  /// How wide a panel is worth its while: inner() when the operand is small, or lines do not come back to the same part
  /// of it.
  Index panel() const;

  /// f(index line, element offset on the indexed side where its values count from, element offset on the dense side)
  template <class F>
  void walk(const Box& box, F&& f) const {
    Odometer outer(plan_.domain, plan_.domain.size() - 1);
    outer.seek(box.line);
    const IndexTerm& term = plan_.terms[0];
    for (Index n = 0; n < box.lines; ++n, outer.advance()) {
      const Index at = outer.at(term.stride) + box.first;
      if (box.count < inner_ && lines_ > 1) ask_ahead(at, box.count);
      const IndexLine line{.dtype = term.dtype,
                           .index = static_cast<const std::byte*>(index_) + at * width(term.dtype),
                           .count = box.count,
                           .bounds = &term.bounds,
                           .scale = static_cast<std::int32_t>(scale_),
                           .step = static_cast<std::int32_t>(affine_.step.back())};
      f(line, affine_.base + outer.at(affine_.step) + box.first * affine_.step.back(),
        outer.at(plan_.dense_stride) + box.first);
    }
  }

 private:
  /// Of a panel the hardware sees short pieces far apart: those of the lines to come are asked for.
  void ask_ahead(Index at, Index count) const {
    constexpr Index kAhead = 6;
    const IndexTerm& term = plan_.terms[0];
    const Index step = term.stride[term.stride.size() - 2], bytes = width(term.dtype);
    const auto next =
        reinterpret_cast<std::uintptr_t>(index_) + static_cast<std::uintptr_t>((at + kAhead * step) * bytes);
    for (Index b = 0; b < count * bytes; b += 64)
      __builtin_prefetch(reinterpret_cast<const void*>(next + static_cast<std::uintptr_t>(b)));
  }

  const IndexPlan& plan_;
  const void* index_;
  Affine affine_;
  Index inner_, lines_, scale_ = 0;
};

}  // namespace garner
