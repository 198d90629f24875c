// Elements that move as one.
#pragma once
#include <algorithm>
#include <cstddef>

namespace garner {

/// N elements side by side, at a multiple of their size or of 16 bytes: one load or store, or some of 16 bytes.
template <class T, int N>
struct alignas(N == 1 ? alignof(T) : std::min<std::size_t>(16, sizeof(T) * N)) Group {
  T v[N];
};

}  // namespace garner
