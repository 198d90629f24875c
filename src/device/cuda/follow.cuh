// A second kernel that is brought to the processors while the first one still works, where the device can do that
// (compute capability 9 and later); elsewhere they follow one another as usual.
#pragma once
#include "device/cuda/on_device.h"

namespace garner {

/// In the first kernel, before its work: the next one may be brought. It is not when blocks of this one still wait for
/// a processor.
inline __device__ void may_be_followed() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/// In the second kernel, before it reads what the first one wrote, or before it ends: the first one has ended.
inline __device__ void wait_for_first() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

inline bool can_follow_early(int device) {
  int major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  return major >= 9;
}

/// Where a second kernel goes.
struct Following {
  int device;
  cudaStream_t stream;
  unsigned blocks;
  int threads;  // of a block
  std::size_t shared = 0;  // bytes of a block's
};

/// Starts the second kernel, behind what the stream was given last.
template <class... Parameters, class... Arguments>
cudaError_t follow(const Following& f, void (*kernel)(Parameters...), const Arguments&... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(f.blocks);
  config.blockDim = dim3(static_cast<unsigned>(f.threads));
  config.dynamicSmemBytes = f.shared;
  config.stream = f.stream;
  config.attrs = &early;
  config.numAttrs = can_follow_early(f.device) ? 1 : 0;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

}  // namespace garner
