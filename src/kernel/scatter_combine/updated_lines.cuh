// Scatters that update single elements of lines, each line apart from all others.
#pragma once
#include "kernel/common/group.cuh"
#include "kernel/common/plain_index.cuh"

namespace garner {

/// The domain's two axes: one of lines, one that is walked. Strides are in elements.
template <class S>
struct UpdatedLines {
  PlainIndex plain;
  S* place;  // of the first line's lowest index
  const S* update;
  const void* index;
  int places, steps;
  Index place_stride, line_stride;
  Index update_step, update_line, index_step, index_line, number_step, number_line;
};

/// What updates P lines at one step.
template <class S, int P>
struct LineStep {
  Index index[P] = {};
  Group<S, P> update = {};
};

/// I: the index's type. Which it is must not be asked here: a branch between loads waits for them.
template <class I, int P, class S>
__device__ inline LineStep<S, P> read_step(const UpdatedLines<S>& lines, Index line, int step) {
  LineStep<S, P> out;
  if (step >= lines.steps) return out;
  const I* index = static_cast<const I*>(lines.index) + line * lines.index_line + step * lines.index_step;
  const auto read = *reinterpret_cast<const Group<I, P>*>(index);
#pragma unroll
  for (int k = 0; k < P; ++k) out.index[k] = read.v[k];
  out.update =
      *reinterpret_cast<const Group<S, P>*>(lines.update + line * lines.update_line + step * lines.update_step);
  return out;
}

/// Which place of its line, if any; a bad index is reported.
template <class S>
__device__ inline bool find_place(const UpdatedLines<S>& lines, Index line, int step, Index index, int& place) {
  Index above;
  const bool there = lines.plain.resolve(index, above);
  if (!there) lines.plain.report(step * lines.number_step + line * lines.number_line, index);
  place = static_cast<int>(above);
  return there;
}

}  // namespace garner
