// For files that do know CUDA: errors as Status, and the device a piece of work is for.
#pragma once
#include <cuda_runtime.h>

#include "garner/status.h"

namespace garner {

/// U2 with the runtime's own words; V6 where memory has run out. The runtime's sticky state is not cleared.
Status cuda_status(cudaError_t error, const char* what);

#define GARNER_CUDA_TRY(call) \
  if (const cudaError_t error = (call); error != cudaSuccess) return ::garner::cuda_status(error, #call)

/// Makes a device the thread's current one, as long as it lives.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    cudaGetDevice(&before_);
    if (before_ != device) cudaSetDevice(device);
    else before_ = -1;
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() {
    if (before_ >= 0) cudaSetDevice(before_);
  }

 private:
  int before_ = -1;
};

}  // namespace garner
