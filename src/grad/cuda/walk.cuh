// Elements of several views of one shape, by their number in row-major order.
#pragma once
#include "device/cuda/on_device.h"
#include "garner/run.h"
#include "kernel/common/device_element.cuh"

namespace garner::grad::plain::on_device {

inline constexpr int kMostAxes = 32, kThreads = 256;

/// Where element i of each of `kViews` views lies. Axes that lie behind one another in all of them are one.
template <int kViews>
struct Walk {
  Index elements = 1;
  int axes = 0;
  Index extent[kMostAxes], stride[kViews][kMostAxes];

  /// False: too many axes.
  bool add(Index n, const Index (&steps)[kViews]) {
    elements *= n;
    if (n == 1) return true;
    bool follows = axes > 0;
    for (int v = 0; v < kViews; ++v) follows = follows && stride[v][axes - 1] == steps[v] * n;
    if (!follows && axes == kMostAxes) return false;
    const int at = follows ? axes - 1 : axes++;
    extent[at] = follows ? extent[at] * n : n;
    for (int v = 0; v < kViews; ++v) stride[v][at] = steps[v];
    return true;
  }

  __device__ void find(Index i, Index (&offset)[kViews]) const {
    for (int v = 0; v < kViews; ++v) offset[v] = 0;
    for (int a = axes - 1; a >= 0; --a) {
      const Index next = a > 0 ? i / extent[a] : 0, at = i - next * extent[a];
      for (int v = 0; v < kViews; ++v) offset[v] += at * stride[v][a];
      i = next;
    }
  }
};

inline Status too_many_axes() {
  return {Code::kUnsupported, "P24", "grad: a tensor has more than 32 axes, allowed [0, 32] on a device"};
}

__device__ inline Index thread_number() { return static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline Index thread_count_of_grid() { return static_cast<Index>(gridDim.x) * blockDim.x; }

/// Threads for so many elements; each may take several.
inline unsigned grid_for(Index elements) {
  constexpr Index kMostBlocks = 1 << 16;
  const Index blocks = (elements + kThreads - 1) / kThreads;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks > kMostBlocks ? kMostBlocks : blocks);
}

inline cudaStream_t current_stream() { return static_cast<cudaStream_t>(default_stream()); }

inline Status launched(const char* what) { return cuda_status(cudaGetLastError(), what); }

/// The number of elements in row-major order for every thread of the grid.
template <class F>
__device__ inline void for_each_element(Index elements, const F& f) {
  for (Index i = thread_number(); i < elements; i += thread_count_of_grid()) f(i);
}

}  // namespace garner::grad::plain::on_device
