// Sums that may be added in any order: those of integers, and of floats at level fast. One pass, by the atomics of the
// L2 cache. Lanes of a warp that meet in one place add up first, so that a place that many updates go to is not waited
// for by all of them: 32 M updates of single f32, zipf, on an H200, 4.0 ms against 6.5 without; uniform 2.1 either way.
// Rows go in fours: 1.2 M rows of 512 B, 2.2 ms against 4.1.
#include "kernel/common/device_element.cuh"
#include "kernel/common/group.cuh"
#include "kernel/common/launch.cuh"
#include "kernel/common/pieces.h"
#include "kernel/common/places.cuh"

namespace garner {
namespace {

constexpr unsigned kAllLanes = 0xffffffffU;

/// Among the lanes of `same`, in their order.
template <class A>
__device__ inline A sum_of_lanes(A value, unsigned same) {
  A sum{};
  for (int lane = 0; lane < 32; ++lane) {
    const A other = __shfl_sync(kAllLanes, value, lane);
    if ((same >> lane & 1U) != 0) sum += other;
  }
  return sum;
}

template <class A, class Places>
__global__ void __launch_bounds__(kBlockThreads)
    add_elements(const __grid_constant__ Places places, A* place, const A* update) {
  const Index at = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  Spot spot;
  spot.valid = false;
  if (at < places.positions()) spot = places.at(at);
  A value{};
  if (spot.valid) value = __ldcs(update + spot.dense);
  const unsigned same = __match_any_sync(kAllLanes, spot.valid ? spot.indexed : INT64_MIN);
  const int leader = __ffs(static_cast<int>(same)) - 1, lane = static_cast<int>(threadIdx.x) % 32;
  const bool meets = spot.valid && __popc(same) > 1;
  if (__any_sync(kAllLanes, meets)) value = sum_of_lanes(value, same);
  if (spot.valid && lane == leader) atomicAdd(place + spot.indexed, value);
}

template <class A, int V>
__device__ inline void add_group(A* place, const Group<A, V>& update) {
#if __CUDA_ARCH__ >= 900
  constexpr bool kAtOnce = V == 4;
#else
  constexpr bool kAtOnce = false;
#endif
  if constexpr (kAtOnce) {
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(place), "f"(update.v[0]), "f"(update.v[1]),
                 "f"(update.v[2]), "f"(update.v[3])
                 : "memory");
  } else {
#pragma unroll
    for (int e = 0; e < V; ++e) atomicAdd(place + e, update.v[e]);
  }
}

/// A row by 1 << log_lanes lanes.
template <class A, int V, class Places>
__global__ void __launch_bounds__(kBlockThreads)
    add_rows(const __grid_constant__ Places places, A* place, const A* update, Index run, int log_lanes) {
  const Index thread = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x, row = thread >> log_lanes;
  const Index lanes = Index{1} << log_lanes, lane = thread & (lanes - 1);
  if (row >= places.positions()) return;
  const Spot spot = places.at(row, lane == 0);
  if (!spot.valid) return;
  for (Index column = lane * V; column < run; column += lanes * V)
    add_group<A, V>(place + spot.indexed + column, *reinterpret_cast<const Group<A, V>*>(update + spot.dense + column));
}

/// What is added: integers of either sign alike.
template <class S>
using Atomic = std::conditional_t<std::is_floating_point_v<S>, S,
                                  std::conditional_t<sizeof(S) == 8, unsigned long long, unsigned>>;

bool has_atomic(DType dtype) {
  return width(dtype) >= 4 && width(dtype) <= 8 && (is_integer(dtype) || kind(dtype) == Kind::kFloat);
}

template <class A>
struct Sides {
  A* place;
  const A* update;
};

template <class A, int V>
void start_rows(const Launch& l, const Sides<A>& sides) {
  const int log_lanes = lanes_for(l.facts.run / V);
  with_places(l, l.plan.domain.size() - 1, [&]<class Places>(const Places& places) {
    add_rows<A, V, Places><<<blocks_for(l.facts.rows << log_lanes), kBlockThreads, 0, stream_of(l)>>>(
        places, sides.place, sides.update, l.facts.run, log_lanes);
  });
  launched(l, "add_rows");
}

template <class A>
void start_elements(const Launch& l, const Sides<A>& sides) {
  with_places(l, l.plan.domain.size(), [&]<class Places>(const Places& places) {
    add_elements<A, Places>
        <<<blocks_for(l.facts.elements), kBlockThreads, 0, stream_of(l)>>>(places, sides.place, sides.update);
  });
  launched(l, "add_elements");
}

template <class A>
void start(const Launch& l) {
  const Sides<A> sides{static_cast<A*>(l.buffers.indexed[0]), static_cast<const A*>(l.buffers.dense[0])};
  if (l.facts.run == 1) return start_elements(l, sides);
  if constexpr (std::is_same_v<A, float>)
    if (piece_bytes(l) == 16) return start_rows<A, 4>(l, sides);
  start_rows<A, 1>(l, sides);
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  with_device_element(l.plan.dtype, [&]<class T>() {
    using S = typename T::Storage;
    if constexpr (std::is_arithmetic_v<S> && sizeof(S) >= 4) start<Atomic<S>>(l);
  });
}

const char* refuses(const IndexPlan& plan, const PlanFacts& facts) {
  if (!fits_device(plan)) return "it takes 32 axes and 32 index tensors at most";
  const bool adds = plan.direction == Direction::kScatter && plan.combine == Combine::kAdd && !plan.fetch_stride;
  if (!adds || !has_atomic(plan.dtype)) return "it only adds, in 32 and 64 bits";
  return facts.any_order ? nullptr : "the order of the sums counts";
}

}  // namespace

namespace kernel {
extern const Kernel atomic_scatter_cuda;
const Kernel atomic_scatter_cuda{
    .name = "atomic_scatter_cuda",
    .device = DeviceKind::kCuda,
    .refuses = refuses,
    .cost_ns =
        [](const IndexPlan&, const PlanFacts& f) {
  return 3000 + 0.06 * static_cast<double>(f.rows) + 0.0034 * static_cast<double>(f.elements);
},
    .run = launch,
};
}  // namespace kernel
}  // namespace garner
