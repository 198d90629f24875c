// Positions of what is not zero, in three passes: elements to bits, with a count for each tile; the running sum of the
// counts; bits to positions. The elements are read once, and bits are a 32nd of what f32 has.
#include <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>

#include "device/cuda/runtime.h"
#include "index/cuda/keys.cuh"

namespace garner::index::on_cuda {
namespace {

constexpr int kWords = kThreads;        // of 32 bits, in a tile
constexpr Index kTile = 32 * kWords;    // elements
constexpr int kWarps = kThreads / 32;

// ---- elements to bits ----

/// 0x80 in every byte that is not zero, to four bits.
__device__ inline unsigned bits_of_bytes(unsigned v) {
  const unsigned high = (((v & 0x7f7f7f7fU) + 0x7f7f7f7fU) | v) & 0x80808080U;
  return (high >> 7) * 0x01020408U >> 24 & 0xfU;  // no two products meet
}

/// One bit for each of the elements in 16 bytes, masked already.
template <int kWidth>
__device__ inline unsigned bits_of(const uint4& v) {
  const unsigned w[4] = {v.x, v.y, v.z, v.w};
  unsigned bits = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if constexpr (kWidth == 1) bits |= bits_of_bytes(w[i]) << (4 * i);
    else if constexpr (kWidth == 2)
      bits |= ((w[i] & 0xffffU) != 0 ? 1U : 0U) << (2 * i) | ((w[i] >> 16) != 0 ? 2U : 0U) << (2 * i);
    else bits |= (w[i] != 0 ? 1U : 0U) << (i / (kWidth / 4));
  }
  return bits;
}

/// 16 bytes of the source from element `at` on, at any address; zeros behind the end.
template <int kWidth>
__device__ inline uint4 load_bytes(const TruthSource& s, Index at) {
  const auto* bytes = static_cast<const unsigned char*>(s.data) + at * kWidth;
  const Index left = (s.elements - at) * kWidth;
  unsigned w[4] = {};
  for (int i = 0; i < 16 && i < left; ++i) w[i / 4] |= static_cast<unsigned>(bytes[i]) << (8 * (i % 4));
  return {w[0], w[1], w[2], w[3]};
}

__device__ inline uint4 masked(const uint4& v, std::uint64_t mask) {
  const auto lo = static_cast<unsigned>(mask), hi = static_cast<unsigned>(mask >> 32);
  return {v.x & lo, v.y & hi, v.z & lo, v.w & hi};
}

/// Loads of one thread, `apart` elements from one to the next. Whole ones are on their way together.
template <int kWidth, int kCount>
__device__ inline void load_some(const TruthSource& s, Index at, Index apart, bool whole, uint4 (&v)[kCount]) {
  if (whole) {
    const auto* bytes = static_cast<const unsigned char*>(s.data) + at * kWidth;
#pragma unroll
    for (int j = 0; j < kCount; ++j) v[j] = __ldg(reinterpret_cast<const uint4*>(bytes + j * apart * kWidth));
  } else {
#pragma unroll
    for (int j = 0; j < kCount; ++j) v[j] = load_bytes<kWidth>(s, at + j * apart);
  }
}

/// A tile for every block. A warp's loads lie side by side; lanes that share a word put it together.
template <int kWidth, bool kKeep>
__global__ void __launch_bounds__(kThreads) find_bits(const TruthSource s, std::uint32_t* words, Index* count) {
  constexpr int kEach = 16 / kWidth, kShare = 32 / kEach;          // elements of a load; lanes of a word
  constexpr int kLoads = kTile / (kThreads * kEach);                // of a thread
  constexpr int kAtOnce = kLoads < 8 ? kLoads : 8;
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  const Index first = static_cast<Index>(blockIdx.x) * kTile + static_cast<Index>(warp) * (kTile / kWarps);
  const bool whole =
      (static_cast<Index>(blockIdx.x) + 1) * kTile <= s.elements && reinterpret_cast<std::uintptr_t>(s.data) % 16 == 0;
  int ones = 0;
#pragma unroll 1
  for (int u = 0; u < kLoads; u += kAtOnce) {
    uint4 v[kAtOnce];
    load_some<kWidth>(s, first + (static_cast<Index>(u) * 32 + lane) * kEach, 32 * kEach, whole, v);
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) {
      const unsigned bits = bits_of<kWidth>(masked(v[j], s.mask));
      ones += __popc(bits);
      if constexpr (kKeep) {
        unsigned word = bits << (lane % kShare * kEach);
#pragma unroll
        for (int o = 1; o < kShare; o *= 2) word |= __shfl_xor_sync(0xffffffffU, word, o);
        if (lane % kShare == 0) words[first / 32 + (u + j) * kEach + lane / kShare] = word;
      }
    }
  }
  __shared__ int of_warp[kWarps];
  ones = __reduce_add_sync(0xffffffffU, ones);
  if (lane == 0) of_warp[warp] = ones;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int all = 0;
  for (int w = 0; w < kWarps; ++w) all += of_warp[w];
  count[blockIdx.x] = all;
}

template <int kWidth>
void launch_find(const Where& where, const TruthSource& s, Index tiles, std::uint32_t* words, Index* count) {
  const auto blocks = static_cast<unsigned>(tiles);
  if (words != nullptr) find_bits<kWidth, true><<<blocks, kThreads, 0, stream_of(where)>>>(s, words, count);
  else find_bits<kWidth, false><<<blocks, kThreads, 0, stream_of(where)>>>(s, nullptr, count);
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

Status find(const Where& where, const TruthSource& source, Truth& truth) {
  auto* const words = static_cast<std::uint32_t*>(truth.words.get());
  auto* const before = static_cast<Index*>(truth.before.get());
  GARNER_CUDA_TRY(cudaMemsetAsync(before + truth.tiles, 0, sizeof(Index), stream_of(where)));
  if (truth.tiles == 0) return {};
  const Status launched = with_bits(source.width, [&]<class Bits>(Bits) {
    launch_find<sizeof(Bits)>(where, source, truth.tiles, words, before);
    return Status{};
  });
  if (!launched.ok()) return launched;
  GARNER_CUDA_TRY(cudaGetLastError());
  return add_up(where, before, truth.tiles);
}

// ---- bits to positions ----

/// U holds every position.
template <class U>
__device__ inline void put_position(const Shape& shape, const PositionTable& table, Index number, U position) {
  Index* to = table.data + number * table.step;
  for (int a = shape.rank - 1; a > 0; --a) {
    const U extent = static_cast<U>(shape.extent[a]), above = position / extent;
    to[a * table.axis_step] = static_cast<Index>(position - above * extent);
    position = above;
  }
  to[0] = static_cast<Index>(position);
}

/// A tile for every block: its positions are put together in shared memory, then written side by side.
template <class U>
__global__ void __launch_bounds__(kThreads) put_tiles(const std::uint32_t* words, const Index* before,
                                                      const __grid_constant__ Shape shape, const PositionTable table) {
  using Scan = cub::BlockScan<int, kThreads>;
  __shared__ typename Scan::TempStorage space;
  __shared__ std::uint16_t inside[kTile];
  const Index tile = blockIdx.x, first = before[tile];
  const auto ones = static_cast<int>(before[tile + 1] - first);
  if (ones == 0 || first >= table.capacity) return;
  std::uint32_t word = words[tile * kWords + threadIdx.x];
  int at = 0;
  Scan(space).ExclusiveSum(__popc(word), at);
  for (; word != 0; word &= word - 1)
    inside[at++] = static_cast<std::uint16_t>(threadIdx.x * 32 + __ffs(static_cast<int>(word)) - 1);
  __syncthreads();
  const Index room = table.capacity - first, n = ones < room ? ones : room;
  for (int k = static_cast<int>(threadIdx.x); k < n; k += kThreads)
    put_position<U>(shape, table, first + k, static_cast<U>(tile * kTile + inside[k]));
}

__global__ void __launch_bounds__(kThreads) put_fill(const Index* total, int rank, const PositionTable table) {
  for (Index k = *total + grid_thread(); k < table.capacity; k += grid_threads())
    for (int a = 0; a < rank; ++a) table.data[k * table.step + a * table.axis_step] = table.fill;
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

Result<Truth> truth_of(const Where& where, const TruthSource& source, Keep keep) {
  Truth truth{.elements = source.elements, .tiles = (source.elements + kTile - 1) / kTile};
  if (truth.tiles > INT32_MAX) return Status{Code::kUnsupported, "P24", "nonzero: more than 2^44 elements"};
  const OnDevice on(where.device);
  auto before = cuda_memory(where.device, where.stream, (truth.tiles + 1) * static_cast<Index>(sizeof(Index)));
  if (!before.ok()) return before.status();
  truth.before = *std::move(before);
  if (keep == Keep::kBits) {
    auto words = cuda_memory(where.device, where.stream, truth.tiles * kWords * 4);
    if (!words.ok()) return words.status();
    truth.words = *std::move(words);
  }
  if (Status status = find(where, source, truth); !status.ok()) return status;
  return truth;
}

Status write_positions(const Where& where, const Truth& truth, const Axes& extents, const PositionTable& table) {
  if (extents.empty() || table.capacity == 0) return {};  // positions without coordinates, or none
  const OnDevice on(where.device);
  const Shape shape(extents);
  const auto* words = static_cast<const std::uint32_t*>(truth.words.get());
  const auto* before = static_cast<const Index*>(truth.before.get());
  const auto tiles = static_cast<unsigned>(truth.tiles);
  if (truth.elements > UINT32_MAX)
    put_tiles<std::uint64_t><<<tiles, kThreads, 0, stream_of(where)>>>(words, before, shape, table);
  else if (tiles > 0) put_tiles<std::uint32_t><<<tiles, kThreads, 0, stream_of(where)>>>(words, before, shape, table);
  GARNER_CUDA_TRY(cudaGetLastError());
  put_fill<<<loop_blocks(where, table.capacity), kThreads, 0, stream_of(where)>>>(truth.total(), shape.rank, table);
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
