// Starting kernels: grids, and errors that reach the caller.
#pragma once
#include <algorithm>

#include "device/cuda/on_device.h"
#include "kernel/kernel.h"

namespace garner {

inline constexpr int kBlockThreads = 256;

inline cudaStream_t stream_of(const Launch& launch) { return static_cast<cudaStream_t>(launch.cuda->stream); }

/// Blocks of kBlockThreads threads for so many threads; never more than a grid may have.
inline unsigned blocks_for(Index threads) {
  return static_cast<unsigned>(std::clamp<Index>((threads + kBlockThreads - 1) / kBlockThreads, 1, INT32_MAX));
}

/// Keeps the first failure of a launch.
inline bool noted(const Launch& launch, cudaError_t error, const char* what) {
  if (error != cudaSuccess && launch.cuda->failure.ok()) launch.cuda->failure = cuda_status(error, what);
  return launch.cuda->failure.ok();
}

/// After <<<>>>.
inline bool launched(const Launch& launch, const char* what) { return noted(launch, cudaGetLastError(), what); }

}  // namespace garner
