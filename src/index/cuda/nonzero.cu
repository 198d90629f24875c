// Positions of what is not zero where their number decides how much memory they get, in three passes: elements to bits,
// with a count for each tile; the running sum of the counts; bits to positions. The elements are read once, and bits
// are a 32nd of what f32 has. nonzero_once.cu is for those who have the memory already.
#include <cub/device/device_scan.cuh>

#include "device/cuda/runtime.h"
#include "index/cuda/positions.cuh"
#include "index/cuda/truth_bits.cuh"

namespace garner::index::on_cuda {
namespace {

constexpr int kLaneWords = 4;  // of 32 bits, of a tile
constexpr int kWords = 32 * kLaneWords;  // in a tile
constexpr int kTile = 32 * kWords;  // elements
constexpr int kWarps = kThreads / 32;

/// The tile of this warp.
__device__ inline Index tile_of_warp() { return static_cast<Index>(blockIdx.x) * kWarps + threadIdx.x / 32; }

/// Blocks are whole: what elements there are not counts as zeros.
Index tiles_of(Index elements) { return (elements + kWarps * kTile - 1) / (kWarps * kTile) * kWarps; }
unsigned blocks_of(Index tiles) { return static_cast<unsigned>(tiles / kWarps); }

// ---- elements to bits ----

template <int kWidth>
__global__ void __launch_bounds__(kThreads) find_bits(const TruthSource s, std::uint32_t* words, Index* count) {
  const Index tile = tile_of_warp();
  const int ones = find_words<kWidth, kTile>(s, tile * kTile, words + tile * kWords);
  const int all = __reduce_add_sync(kAllLanes, ones);
  if (threadIdx.x % 32 == 0) count[tile] = all;
}

/// One block has all elements, and adds up the counts by itself: what makes a short call long is how many kernels it
/// starts.
template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    find_few_bits(const TruthSource s, std::uint32_t* words, Index* before, Index* total) {
  __shared__ int ones[kWarps];
  const auto tile = static_cast<int>(threadIdx.x / 32);
  const int mine = find_words<kWidth, kTile>(s, Index{tile} * kTile, words + tile * kWords);
  const int all = __reduce_add_sync(kAllLanes, mine);
  if (threadIdx.x % 32 == 0) ones[tile] = all;
  __syncthreads();
  if (threadIdx.x > kWarps) return;
  Index sum = 0;
  for (int w = 0; w < static_cast<int>(threadIdx.x); ++w) sum += ones[w];
  before[threadIdx.x] = sum;
  if (threadIdx.x == kWarps) *total = sum;
}

/// Counts become what stands before each; one more entry has them all.
Status add_up(const Where& where, Index* count, Index tiles) {
  std::size_t bytes = 0;
  GARNER_CUDA_TRY(cub::DeviceScan::ExclusiveSum(nullptr, bytes, count, count, tiles + 1, stream_of(where)));
  auto space = cuda_memory(where.device, where.stream, static_cast<Index>(bytes));
  if (!space.ok()) return space.status();
  GARNER_CUDA_TRY(cub::DeviceScan::ExclusiveSum(space->get(), bytes, count, count, tiles + 1, stream_of(where)));
  return {};
}

/// `total`: in memory that the CPU reads when the stream is done.
Status find_few(const Where& where, const TruthSource& source, const Truth& truth, Index* total) {
  return with_bits(source.width, [&]<class Bits>(Bits) -> Status {
    find_few_bits<sizeof(Bits)><<<1, kThreads, 0, stream_of(where)>>>(
        source, static_cast<std::uint32_t*>(truth.words.get()), static_cast<Index*>(truth.before.get()), total);
    GARNER_CUDA_TRY(cudaGetLastError());
    return {};
  });
}

Status find_many(const Where& where, const TruthSource& source, const Truth& truth, Index* total) {
  auto* const words = static_cast<std::uint32_t*>(truth.words.get());
  auto* const before = static_cast<Index*>(truth.before.get());
  GARNER_CUDA_TRY(cudaMemsetAsync(before + truth.tiles, 0, sizeof(Index), stream_of(where)));
  const Status launched = with_bits(source.width, [&]<class Bits>(Bits) -> Status {
    find_bits<sizeof(Bits)><<<blocks_of(truth.tiles), kThreads, 0, stream_of(where)>>>(source, words, before);
    GARNER_CUDA_TRY(cudaGetLastError());
    return {};
  });
  if (!launched.ok()) return launched;
  if (Status added = add_up(where, before, truth.tiles); !added.ok()) return added;
  GARNER_CUDA_TRY(
      cudaMemcpyAsync(total, before + truth.tiles, sizeof(Index), cudaMemcpyDeviceToHost, stream_of(where)));
  return {};
}

// ---- bits to positions ----

/// kWarps tiles for every block.
template <class U>
__global__ void __launch_bounds__(kThreads) put_tiles(const std::uint32_t* words, const Index* before,
                                                      const __grid_constant__ Shape shape, const PositionTable table) {
  __shared__ PositionRoom room;
  const Index first = static_cast<Index>(blockIdx.x) * kWarps, number = before[first];
  if (before[first + kWarps] == number) return;
  put_words<U, kLaneWords>(words + first * kWords, {first * kTile, number, table.capacity - number}, shape, table,
                           room);
}

// ---- counts of lanes ----

template <class Bits>
__device__ inline Index truth_at(const TruthSource& s, Index at) {
  const Bits bits = static_cast<const Bits*>(s.data)[at];
  if constexpr (sizeof(Bits) == 16) return ((bits.lo | bits.hi) & s.mask) != 0 ? 1 : 0;
  else return (bits & static_cast<Bits>(s.mask)) != 0 ? 1 : 0;
}

/// Stretches of one lane are added by atomics: sums of whole numbers are the same in any order.
struct CountPlan {
  Lanes lanes;
  Index stretch, stretches;  // along the lane
};

/// Warps along lanes that lie behind one another, threads along those side by side.
template <class Bits>
__global__ void __launch_bounds__(kThreads) count_stretches(const TruthSource s, const CountPlan p, Index* out) {
  const bool rows = p.lanes.inner == 1;
  const Index thread = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x, id = rows ? thread / 32 : thread;
  const Index inner = id % p.lanes.inner, stretch = id / p.lanes.inner % p.stretches,
              outer = id / p.lanes.inner / p.stretches;
  if (outer >= p.lanes.outer) return;  // whole warps where they work together
  const Index first = stretch * p.stretch;
  const Index end = first + p.stretch < p.lanes.count ? first + p.stretch : p.lanes.count;
  const Index base = outer * p.lanes.count * p.lanes.inner + inner;
  Index ones = 0;
  for (Index i = first + (rows ? thread % 32 : 0); i < end; i += rows ? 32 : 1)
    ones += truth_at<Bits>(s, base + i * p.lanes.inner);
  if (rows)
    for (int o = 16; o > 0; o /= 2) ones += __shfl_xor_sync(0xffffffffU, ones, o);
  if (!rows || thread % 32 == 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(out + outer * p.lanes.inner + inner),
              static_cast<unsigned long long>(ones));
}

Index at_least_one(Index n) { return n > 1 ? n : 1; }

CountPlan count_plan(const Lanes& lanes, int device) {
  const Index each = lanes.inner == 1 ? 32 : 1, busy = 2048 * multiprocessors(device);
  const Index threads = at_least_one(lanes.outer * lanes.inner * each);
  const Index shortest = 64 * each, wanted = at_least_one(busy / threads);
  const Index stretch = at_least_one((lanes.count + wanted - 1) / wanted);
  CountPlan plan{lanes, stretch < shortest ? shortest : stretch, 1};
  plan.stretches = at_least_one((lanes.count + plan.stretch - 1) / plan.stretch);
  return plan;
}

}  // namespace

Result<Truth> truth_of(const Where& where, const TruthSource& source) {
  Truth truth{.elements = source.elements, .tiles = tiles_of(source.elements)};
  if (truth.tiles > INT32_MAX) return Status{Code::kUnsupported, "P24", "nonzero: more than 2^43 elements"};
  const OnDevice on(where.device);
  auto before = cuda_memory(where.device, where.stream, (truth.tiles + 1) * static_cast<Index>(sizeof(Index)));
  if (!before.ok()) return before.status();
  truth.before = *std::move(before);
  auto words = cuda_memory(where.device, where.stream, truth.tiles * kWords * 4);
  if (!words.ok()) return words.status();
  truth.words = *std::move(words);
  if (truth.tiles == 0) return truth;
  const auto total = cuda_number();
  if (!total.ok()) return total.status();
  const Status found = (truth.tiles == kWarps ? find_few : find_many)(where, source, truth, total->get());
  if (!found.ok()) return found;
  GARNER_CUDA_TRY(cudaStreamSynchronize(stream_of(where)));
  truth.count = **total;
  return truth;
}

Status write_positions(const Where& where, const Truth& truth, const Axes& extents, const PositionTable& table) {
  if (extents.empty() || table.capacity == 0) return {};  // positions without coordinates, or none
  const OnDevice on(where.device);
  const Shape shape(extents);
  const auto* words = static_cast<const std::uint32_t*>(truth.words.get());
  const auto* before = static_cast<const Index*>(truth.before.get());
  const unsigned blocks = blocks_of(truth.tiles);
  if (truth.elements > UINT32_MAX)
    put_tiles<std::uint64_t><<<blocks, kThreads, 0, stream_of(where)>>>(words, before, shape, table);
  else if (blocks > 0) put_tiles<std::uint32_t><<<blocks, kThreads, 0, stream_of(where)>>>(words, before, shape, table);
  GARNER_CUDA_TRY(cudaGetLastError());
  return {};
}

Status count_in_lanes(const Where& where, const TruthSource& source, const Lanes& lanes, Index* out) {
  const Index total = lanes.outer * lanes.inner;
  if (total == 0) return {};
  const OnDevice on(where.device);
  GARNER_CUDA_TRY(cudaMemsetAsync(out, 0, static_cast<std::size_t>(total) * sizeof(Index), stream_of(where)));
  if (lanes.count == 0) return {};
  const CountPlan plan = count_plan(lanes, where.device);
  const Index threads = total * plan.stretches * (lanes.inner == 1 ? 32 : 1);
  if (threads / kThreads >= INT32_MAX) return {Code::kUnsupported, "P24", "count_nonzero: more than 2^34 lanes"};
  return with_bits(source.width, [&]<class Bits>(Bits) -> Status {
    count_stretches<Bits><<<blocks_for(threads), kThreads, 0, stream_of(where)>>>(source, plan, out);
    GARNER_CUDA_TRY(cudaGetLastError());
    return {};
  });
}

Result<Index> read_index(const Where& where, const Index* from) {
  const OnDevice on(where.device);
  Index value = 0;
  GARNER_CUDA_TRY(cudaMemcpyAsync(&value, from, sizeof value, cudaMemcpyDeviceToHost, stream_of(where)));
  GARNER_CUDA_TRY(cudaStreamSynchronize(stream_of(where)));
  return value;
}

}  // namespace garner::index::on_cuda
