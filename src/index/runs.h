// Walking several views of one shape together, in pieces of rows: any strides, on several threads.
#pragma once
#include <algorithm>
#include <array>

#include "device/cpu/threads.h"
#include "garner/view.h"
#include "tensor/walk.h"

namespace garner::index {

inline constexpr std::size_t kMaxOperands = 4;
using Offsets = std::array<Index, kMaxOperands>;  // one entry per operand, in elements

/// Elements first, …, first + count - 1 in row-major order; the j-th of operand k lies at start[k] + j * step[k].
struct Run {
  Index first, count;
  Offsets start, step;
};

/// The rows of a shape, after axes that lie behind one another in every operand have been joined.
class RunSpace {
 public:
  RunSpace(const Axes& shape, const std::vector<Axes>& strides) {
    for (std::size_t a = 0; a < shape.size(); ++a) add_axis(shape[a], strides, a);
    if (shape_.empty()) shape_ = {1}, strides_ = {Offsets{}};
    row_ = shape_.back(), step_ = strides_.back();
    shape_.pop_back();
    strides_.pop_back();
    pieces_ = (row_ + kPiece - 1) / kPiece;
  }

  /// Pieces of at most this many elements are what threads share out.
  static constexpr Index kPiece = 1 << 14;

  Index units() const {
    Index rows = 1;
    for (const Index n : shape_) rows *= n;
    return rows * pieces_;
  }

  /// f(run) for the units [begin, end), in order.
  template <class F>
  void visit(Index begin, Index end, F&& f) const {
    if (begin >= end) return;
    Index row = begin / pieces_, piece = begin % pieces_;
    Axes position = unravel(row);
    for (Index u = begin; u < end; ++u) {
      f(run_at(position, row, piece));
      if (++piece < pieces_) continue;
      piece = 0, ++row;
      next_position(position, shape_);
    }
  }

 private:
  void add_axis(Index extent, const std::vector<Axes>& strides, std::size_t axis) {
    if (extent == 1) return;
    Offsets step{};
    for (std::size_t k = 0; k < strides.size(); ++k) step[k] = strides[k][axis];
    if (!shape_.empty() && follows(extent, step)) shape_.back() *= extent, strides_.back() = step;
    else shape_.push_back(extent), strides_.push_back(step);
  }

  bool follows(Index extent, const Offsets& step) const {
    for (std::size_t k = 0; k < kMaxOperands; ++k)
      if (strides_.back()[k] != step[k] * extent) return false;
    return true;
  }

  Axes unravel(Index row) const {
    Axes position(shape_.size());
    for (std::size_t a = shape_.size(); a-- > 0; row /= shape_[a]) position[a] = row % shape_[a];
    return position;
  }

  Run run_at(const Axes& position, Index row, Index piece) const {
    const Index skip = piece * kPiece;
    Run run{row * row_ + skip, std::min(kPiece, row_ - skip), {}, step_};
    for (std::size_t k = 0; k < kMaxOperands; ++k) {
      run.start[k] = skip * step_[k];
      for (std::size_t a = 0; a < position.size(); ++a) run.start[k] += position[a] * strides_[a][k];
    }
    return run;
  }

  Axes shape_;
  std::vector<Offsets> strides_;  // per axis
  Index row_ = 1, pieces_ = 1;
  Offsets step_{};
};

/// How many threads, and for how many bytes of work that is decided.
struct Effort {
  int threads = 0;
  Index bytes = 0;
};

/// f(run) for every run of the views, whose shapes are all `shape`.
template <class F>
void for_each_run(const Axes& shape, const std::vector<Axes>& strides, const Effort& effort, F&& f) {
  if (any_zero(shape)) return;
  const RunSpace space(shape, strides);
  const Index units = space.units();
  const Index grain = std::max<Index>(1, units * kBytesPerThread / std::max<Index>(effort.bytes, 1));
  parallel_ranges(thread_count(effort.threads, effort.bytes), units, grain,
                  [&](Index begin, Index end) { space.visit(begin, end, f); });
}

}  // namespace garner::index
