// Starting kernels whose blocks work in clusters: they see each other's shared memory.
#pragma once
#include "kernel/common/launch.cuh"

namespace garner {

inline bool has_clusters(const Launch& l) { return device_attribute(l, cudaDevAttrComputeCapabilityMajor) >= 9; }

inline bool lies_at_multiple(const void* data, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(data) % bytes == 0;
}

struct Clusters {
  Index count;
  int blocks;   // of a cluster
  int threads;  // of a block
  Index bytes;  // of its shared memory
};

/// The device has clusters.
template <class... Parameters, class... Arguments>
void start_clusters(const Launch& l, const Clusters& c, void (*kernel)(Parameters...), const Arguments&... arguments) {
  if (!allow_shared(l, kernel, c.bytes)) return;
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {static_cast<unsigned>(c.blocks), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(c.count * c.blocks));
  config.blockDim = dim3(static_cast<unsigned>(c.threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(c.bytes);
  config.stream = stream_of(l);
  config.attrs = &cluster;
  config.numAttrs = 1;
  noted(l, cudaLaunchKernelEx(&config, kernel, arguments...), "clusters");
}

}  // namespace garner
