// Row-major order over positions and over the elements of a view.
#pragma once
#include <cstddef>

#include "garner/view.h"

namespace garner {

/// Steps a row-major odometer; false when it has come round to all zeros.
inline bool next_position(Axes& position, const Axes& shape) {
  for (std::size_t a = shape.size(); a-- > 0;) {
    if (++position[a] < shape[a]) return true;
    position[a] = 0;
  }
  return false;
}

/// sum of position * stride.
inline Index dot(const Axes& position, const Axes& stride) {
  Index sum = 0;
  for (std::size_t a = 0; a < position.size(); ++a) sum += position[a] * stride[a];
  return sum;
}

inline bool any_zero(const Axes& shape) {
  for (const Index n : shape)
    if (n == 0) return true;
  return false;
}

/// f(position) for every position of a shape, in row-major order.
template <class F>
void walk_positions(const Axes& shape, F&& f) {
  if (any_zero(shape)) return;
  Axes position(shape.size(), 0);
  do f(static_cast<const Axes&>(position));
  while (next_position(position, shape));
}

/// f(pointer to element) for every element, in row-major order. For tools and tests: kernels have their own loops.
template <class F>
void walk_bytes(const View& view, F&& f) {
  const auto* base = static_cast<const std::byte*>(view.data());
  walk_positions(view.shape(), [&](const Axes& at) { f(base + dot(at, view.stride()) * width(view.dtype())); });
}

}  // namespace garner
