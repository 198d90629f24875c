// Starting kernels: grids, shared memory, and errors that reach the caller.
#pragma once
#include <algorithm>
#include <bit>

#include "device/cuda/on_device.h"
#include "kernel/kernel.h"

namespace garner {

inline constexpr int kBlockThreads = 256;

inline cudaStream_t stream_of(const Launch& launch) { return static_cast<cudaStream_t>(launch.cuda->stream); }

/// Blocks of kBlockThreads threads for so many threads; never more than a grid may have.
inline unsigned blocks_for(Index threads) {
  return static_cast<unsigned>(std::clamp<Index>((threads + kBlockThreads - 1) / kBlockThreads, 1, INT32_MAX));
}

inline int device_attribute(const Launch& launch, cudaDeviceAttr attribute) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, attribute, launch.cuda->device) == cudaSuccess ? value : 0;
}

/// As many blocks as the device holds a few times, where threads take one piece of work after another.
inline unsigned resident_blocks(const Launch& launch, Index threads) {
  const auto processors = static_cast<unsigned>(device_attribute(launch, cudaDevAttrMultiProcessorCount));
  return std::min(blocks_for(threads), std::max(1U, processors) * 16U);
}

/// Lanes that share a row of so many pieces, as a power of two: a warp's at most.
inline int lanes_for(Index pieces) {
  return std::min(5, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<Index>(pieces, 1) - 1))));
}

/// Keeps the first failure of a launch.
inline bool noted(const Launch& launch, cudaError_t error, const char* what) {
  if (error != cudaSuccess && launch.cuda->failure.ok()) launch.cuda->failure = cuda_status(error, what);
  return launch.cuda->failure.ok();
}

/// After <<<>>>.
inline bool launched(const Launch& launch, const char* what) { return noted(launch, cudaGetLastError(), what); }

/// May a block of this device have so much shared memory?
inline bool has_shared(const Launch& launch, Index bytes) {
  return bytes <= device_attribute(launch, cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

/// More than 48 KiB must be asked for.
template <class Kernel>
bool allow_shared(const Launch& launch, Kernel* kernel, Index bytes) {
  return noted(launch,
               cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
               "shared memory");
}

/// f.template operator()<U>() with a type of that many bytes that is moved by one instruction.
template <class F>
void with_piece(int bytes, F&& f) {
  switch (bytes) {
    case 16: return f.template operator()<uint4>();
    case 8: return f.template operator()<unsigned long long>();
    case 4: return f.template operator()<unsigned>();
    case 2: return f.template operator()<unsigned short>();
    case 1: return f.template operator()<unsigned char>();
  }
}

}  // namespace garner
