// Any gather, and scatters in which no two positions meet, element by element. The one CUDA kernel that takes every
// such plan; fast where elements are single anyway.
#include "kernel/common/device_element.cuh"
#include "kernel/common/launch.cuh"
#include "kernel/common/places.cuh"
#include "kernel/common/width.h"

namespace garner {
namespace {

constexpr int kEach = 4;  // positions of a thread, so that as many reads are on their way at once

template <class U, class Places>
__global__ void __launch_bounds__(kBlockThreads)
    gather(const __grid_constant__ Places places, const U* indexed, U* dense) {
  const Index first = static_cast<Index>(blockIdx.x) * (kBlockThreads * kEach) + threadIdx.x,
              count = places.positions();
  Spot spot[kEach];
  U value[kEach];
#pragma unroll
  for (int j = 0; j < kEach; ++j)
    if (const Index at = first + j * kBlockThreads; at < count) spot[j] = places.at(at);
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    value[j] = U{};
    if (first + j * kBlockThreads >= count) continue;
    if (spot[j].valid) value[j] = indexed[spot[j].indexed];
    else if (places.fill() != nullptr) value[j] = static_cast<const U*>(places.fill())[spot[j].fill];
  }
#pragma unroll
  for (int j = 0; j < kEach; ++j)
    if (first + j * kBlockThreads < count) dense[spot[j].dense] = value[j];
}

/// One update a position; `combine` is the same for all.
template <class T, class Size>
__global__ void __launch_bounds__(kBlockThreads)
    scatter_apart(const __grid_constant__ DevicePlan<Size> plan, Combine combine) {
  const Index at = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  if (at >= plan.positions) return;
  const Spot spot = locate(plan, at);
  update_one<T>(plan, spot, combine);
}

void gather_all(const Launch& l) {
  const unsigned blocks = blocks_for((l.facts.elements + kEach - 1) / kEach);
  dispatch_width(width(l.plan.dtype), [&]<class U>() {
    with_places(l, l.plan.domain.size(), [&]<class Places>(const Places& places) {
      gather<U, Places><<<blocks, kBlockThreads, 0, stream_of(l)>>>(places, static_cast<const U*>(l.buffers.indexed[0]),
                                                                    static_cast<U*>(l.buffers.dense[0]));
    });
  });
  launched(l, "gather");
}

void scatter_all(const Launch& l) {
  const auto plan = device_plan<LargestPlan>(l, l.plan.domain.size());
  with_device_element(l.plan.dtype, [&]<class T>() {
    scatter_apart<T, LargestPlan><<<blocks_for(plan.positions), kBlockThreads, 0, stream_of(l)>>>(plan, l.plan.combine);
  });
  launched(l, "scatter_apart");
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  if (l.plan.direction == Direction::kScatter) scatter_all(l);
  else gather_all(l);
}

const char* refuses(const IndexPlan& plan, const PlanFacts& facts) {
  if (!fits_device(plan)) return "it takes 32 axes and 32 index tensors at most";
  if (plan.direction == Direction::kScatter && !facts.unique_targets) return "updates may meet in one place";
  return nullptr;
}

}  // namespace

namespace kernel {
extern const Kernel generic_cuda;
const Kernel generic_cuda{
    .name = "generic_cuda",
    .device = DeviceKind::kCuda,
    .refuses = refuses,
    .cost_ns = [](const IndexPlan&, const PlanFacts& f) { return 2000 + 0.02 * static_cast<double>(f.elements); },
    .run = launch,
};
}  // namespace kernel
}  // namespace garner
