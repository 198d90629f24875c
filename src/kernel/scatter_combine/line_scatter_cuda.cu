// Scatters whose last axis updates single elements of a line that fits a block's shared memory, and no line is updated
// by two outer positions (torch.scatter_add along the last axis). The line is read once; one warp applies its updates
// 32 at a time, in index order; the line is written once. The bits are those of the index order, without a sort.
#include <algorithm>

#include "device/cpu/tuning.h"
#include "kernel/common/device_element.cuh"
#include "kernel/common/launch.cuh"
#include "kernel/common/locate.cuh"
#include "kernel/common/odometer.h"

namespace garner {
namespace {

constexpr int kLineThreads = 288, kBatch = 1024;
constexpr Index kLeastLine = 512, kMostShared = 180 << 10;  // elements; bytes of a block

using LinePlan = DevicePlan<PlanSize<2, 1>>;

/// Updates in the order of their positions: where each goes, -1 for nowhere, and what.
template <class S>
struct Batch {
  int place[kBatch];
  S update[kBatch];
};

/// One update each of the lanes that take part. Where two lanes have one place, the lower lane comes first.
template <class T>
__device__ inline void apply(typename T::Storage* line, std::uint8_t* tag, int place, typename T::Storage update,
                             Combine combine) {
  const auto lane = static_cast<std::uint8_t>(threadIdx.x);
  const bool takes_part = place >= 0;
  if (takes_part) tag[place] = lane;
  __syncwarp();
  const bool alone = !takes_part || tag[place] == lane;  // of those that share a place, one is left
  const auto step = [&] { line[place] = updated<T>(combine, line[place], update, update); };
  if (__all_sync(0xffffffffU, alone)) {
    if (takes_part) step();
    __syncwarp();
    return;
  }
  for (int turn = 0; turn < 32; ++turn) {
    if (lane == turn && takes_part) step();
    __syncwarp();
  }
}

/// The warps from the second on put a batch together while the first one applies the batch before.
template <class T>
__device__ inline void prepare(const LinePlan& plan, Index outer, Index first, Batch<typename T::Storage>& batch) {
  using S = typename T::Storage;
  constexpr int kHelpers = kLineThreads - 32;
  const Index inner = plan.extent[plan.axes - 1];
  for (int at = static_cast<int>(threadIdx.x) - 32; at < kBatch; at += kHelpers) {
    batch.place[at] = -1;
    if (first + at >= inner) continue;
    const Spot spot = locate<Locate::kInLine>(plan, outer * inner + first + at);
    if (spot.valid) batch.place[at] = static_cast<int>(spot.indexed);
    batch.update[at] = static_cast<const S*>(plan.dense)[spot.dense];
  }
}

template <class T>
__global__ void __launch_bounds__(kLineThreads)
    scatter_lines(const __grid_constant__ LinePlan plan, Index elements, Combine combine) {
  using S = typename T::Storage;
  extern __shared__ uint4 memory[];
  auto* batches = reinterpret_cast<Batch<S>*>(memory);
  S* line = reinterpret_cast<S*>(batches + 2);
  auto* tag = reinterpret_cast<std::uint8_t*>(line + elements);
  const Index inner = plan.extent[plan.axes - 1], outer = blockIdx.x, rounds = (inner + kBatch - 1) / kBatch;
  const bool helps = threadIdx.x >= 32;
  Index d[2];
  coordinates(plan, outer * inner, d);
  S* place = static_cast<S*>(plan.indexed) + plan.base + along(plan, d, plan.step) + plan.term[0].bounds.lo;
  for (Index i = threadIdx.x; i < elements; i += kLineThreads) line[i] = place[i];
  if (helps) prepare<T>(plan, outer, 0, batches[0]);
  __syncthreads();
  for (Index round = 0; round < rounds; ++round) {
    if (helps) {
      if (round + 1 < rounds) prepare<T>(plan, outer, (round + 1) * kBatch, batches[(round + 1) % 2]);
    } else {
      const Batch<S>& batch = batches[round % 2];
      for (int at = static_cast<int>(threadIdx.x); at < kBatch; at += 32)
        apply<T>(line, tag, batch.place[at], batch.update[at], combine);
    }
    __syncthreads();
  }
  for (Index i = threadIdx.x; i < elements; i += kLineThreads) place[i] = line[i];
}

Index elements_of(const IndexPlan& plan) { return plan.terms[0].bounds.hi - plan.terms[0].bounds.lo; }

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  const auto plan = device_plan<PlanSize<2, 1>>(l, l.plan.domain.size());
  const Index elements = elements_of(l.plan);
  const auto blocks = static_cast<unsigned>(l.facts.elements / l.plan.domain.back());
  with_device_element(l.plan.dtype, [&]<class T>() {
    const int bytes = static_cast<int>(2 * sizeof(Batch<typename T::Storage>) +
                                       static_cast<std::size_t>(elements) * (sizeof(typename T::Storage) + 1));
    auto* kernel = scatter_lines<T>;
    if (!noted(l, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory"))
      return;
    kernel<<<blocks, kLineThreads, static_cast<std::size_t>(bytes), stream_of(l)>>>(plan, elements, l.plan.combine);
  });
  launched(l, "scatter_lines");
}

const char* refuses(const IndexPlan& plan, const PlanFacts& facts) {
  if (plan.direction != Direction::kScatter) return "it only scatters";
  if (plan.fetch_stride || plan.fill_stride || plan.combine == Combine::kCompareExchange)
    return "every step is a result";
  if (plan.domain.size() != 2 || lookups(plan) != 1 || facts.apart != 0) return "its lines are not apart";
  const AxisMap& looked_up = *std::ranges::find_if(plan.indexed, [](const AxisMap& map) { return map.term >= 0; });
  const bool still = Affine(plan).step.back() == 0 && plan.terms[0].bounds.scope == Scope::kTerm;
  if (looked_up.stride != 1 || !still) return "its last axis does not update single elements of a line";
  const Index elements = elements_of(plan);
  if (elements < kLeastLine || elements * (width(plan.dtype) + 1) > kMostShared)
    return "its lines do not fit a block's memory";
  if (plan.domain.back() > tuning().sum_block) return "its sums may be longer than a block";
  return plan.domain[0] < INT32_MAX && plan.domain.back() * 8 >= elements ? nullptr
                                                                          : "it updates too little of each line";
}

}  // namespace

namespace kernel {
extern const Kernel line_scatter_cuda;
const Kernel line_scatter_cuda{
    .name = "line_scatter_cuda",
    .device = DeviceKind::kCuda,
    .refuses = refuses,
    .cost_ns = [](const IndexPlan&, const PlanFacts& f) { return 4000 + 0.01 * static_cast<double>(f.elements); },
    .run = launch,
};
}  // namespace kernel
}  // namespace garner
