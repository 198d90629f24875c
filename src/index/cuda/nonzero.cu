// Positions of what is not zero, in three passes: elements to bits, with a count for each tile; the running sum of the
// counts; bits to positions. The elements are read once, and bits are a 32nd of what f32 has. (One pass that asks the
// tiles before for their sums was slower, 2814 us against 2430 for 1 % of 2 G f32: nothing is read while a block waits
// for them.)
// A tile belongs to a warp, which waits for nobody, unless its block has much to write.
#include <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>

#include "device/cuda/runtime.h"
#include "index/cuda/keys.cuh"

namespace garner::index::on_cuda {
namespace {

constexpr int kLaneWords = 4;                    // of 32 bits, of a tile
constexpr int kWords = 32 * kLaneWords;          // in a tile
constexpr Index kTile = 32 * kWords;             // elements
constexpr int kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffffU;           // lanes of a warp

/// The tile of this warp.
__device__ inline Index tile_of_warp() { return static_cast<Index>(blockIdx.x) * kWarps + threadIdx.x / 32; }

/// Blocks are whole: what elements there are not counts as zeros.
Index tiles_of(Index elements) { return (elements + kWarps * kTile - 1) / (kWarps * kTile) * kWarps; }
unsigned blocks_of(Index tiles) { return static_cast<unsigned>(tiles / kWarps); }

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

/// A warp's loads lie side by side; lanes that share a word put it together.
template <int kWidth>
__global__ void __launch_bounds__(kThreads) find_bits(const TruthSource s, std::uint32_t* words, Index* count) {
  constexpr int kEach = 16 / kWidth, kShare = 32 / kEach;  // elements of a load; lanes of a word
  constexpr int kLoads = kTile / (32 * kEach);             // of a lane
  constexpr int kAtOnce = kLoads < 8 ? kLoads : 8;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const Index tile = tile_of_warp(), first = tile * kTile;
  const bool whole = first + kTile <= s.elements && reinterpret_cast<std::uintptr_t>(s.data) % 16 == 0;
  int ones = 0;
#pragma unroll 1
  for (int u = 0; u < kLoads; u += kAtOnce) {
    uint4 v[kAtOnce];
    load_some<kWidth>(s, first + (static_cast<Index>(u) * 32 + lane) * kEach, 32 * kEach, whole, v);
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) {
      const unsigned bits = bits_of<kWidth>(masked(v[j], s.mask));
      ones += __popc(bits);
      unsigned word = bits << (lane % kShare * kEach);
#pragma unroll
      for (int o = 1; o < kShare; o *= 2) word |= __shfl_xor_sync(kAll, word, o);
      if (lane % kShare == 0) words[tile * kWords + (u + j) * kEach + lane / kShare] = word;
    }
  }
  ones = __reduce_add_sync(kAll, ones);
  if (lane == 0) count[tile] = ones;
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
    find_bits<sizeof(Bits)><<<blocks_of(truth.tiles), kThreads, 0, stream_of(where)>>>(source, words, before);
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
    __stcs(to + a * table.axis_step, static_cast<Index>(position - above * extent));
    position = above;
  }
  __stcs(to, static_cast<Index>(position));
}

/// What lanes before this one have.
__device__ inline int before_lane(int mine, int lane) {
  int sum = mine;
#pragma unroll
  for (int o = 1; o < 32; o *= 2) {
    const int other = __shfl_up_sync(kAll, sum, o);
    if (lane >= o) sum += other;
  }
  return sum - mine;
}

/// Where positions go.
struct Place {
  Index position;  // of the first element
  Index number;    // of the first position in the table
  Index room;
};

/// Positions that were put together, by kCount threads. A warp writes from one line of memory on: a store that begins
/// in the middle of a sector costs as much as two.
template <class U, int kCount>
__device__ inline void write_out(const std::uint16_t* inside, int ones, const Place& at, const Shape& shape,
                                 const PositionTable& table) {
  const auto address =
      reinterpret_cast<std::uintptr_t>(table.data) / sizeof(Index) + static_cast<std::uintptr_t>(at.number);
  const int n = ones < at.room ? ones : static_cast<int>(at.room);
  for (int i = static_cast<int>(threadIdx.x % kCount) - static_cast<int>(address % 32); i < n; i += kCount)
    if (i >= 0) put_position<U>(shape, table, at.number + i, static_cast<U>(at.position + inside[i]));
}

__device__ inline int put_bits(std::uint32_t word, int base, std::uint16_t* inside, int k) {
  for (; word != 0; word &= word - 1)
    inside[k++] = static_cast<std::uint16_t>(base + __ffs(static_cast<int>(word)) - 1);
  return k;
}

constexpr int kFew = 1024;  // ones in the tiles of a block

/// A few: every warp by itself.
template <class U>
__device__ inline void put_few(const std::uint32_t* words, const Place& at, const Shape& shape,
                               const PositionTable& table, std::uint16_t* inside) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const uint4 v = reinterpret_cast<const uint4*>(words)[lane];
  const std::uint32_t mine[kLaneWords] = {v.x, v.y, v.z, v.w};
  int k = before_lane(__popc(v.x) + __popc(v.y) + __popc(v.z) + __popc(v.w), lane);
#pragma unroll
  for (int w = 0; w < kLaneWords; ++w) k = put_bits(mine[w], (lane * kLaneWords + w) * 32, inside, k);
  const int ones = __shfl_sync(kAll, k, 31);
  __syncwarp();
  write_out<U, 32>(inside, ones, at, shape, table);
}

/// Many: a word of every thread at a time. (Straight from the words, a bit a lane, took 2978 us of 50 % of 2 G; this,
/// 2460 before stores began at lines.)
template <class U>
__device__ inline void put_many(const std::uint32_t* words, Place at, const Shape& shape, const PositionTable& table,
                                std::uint16_t* inside) {
  using Scan = cub::BlockScan<std::uint64_t, kThreads>;  // of four counts, 16 bits each
  __shared__ typename Scan::TempStorage space;
  std::uint32_t mine[kLaneWords];
  std::uint64_t counts = 0, before = 0, all = 0;
#pragma unroll
  for (int w = 0; w < kLaneWords; ++w) {
    mine[w] = words[w * kThreads + threadIdx.x];
    counts |= static_cast<std::uint64_t>(__popc(mine[w])) << (16 * w);
  }
  Scan(space).ExclusiveSum(counts, before, all);
#pragma unroll
  for (int w = 0; w < kLaneWords && at.room > 0; ++w) {
    std::uint16_t* const here = inside + w % 2 * (32 * kThreads);  // one is filled while the other is written
    put_bits(mine[w], static_cast<int>(threadIdx.x) * 32, here, static_cast<std::uint16_t>(before >> (16 * w)));
    __syncthreads();
    const int ones = static_cast<std::uint16_t>(all >> (16 * w));
    write_out<U, kThreads>(here, ones, at, shape, table);
    at = {at.position + 32 * kThreads, at.number + ones, at.room - ones};
  }
}

/// kWarps tiles for every block.
template <class U>
__global__ void __launch_bounds__(kThreads) put_tiles(const std::uint32_t* words, const Index* before,
                                                      const __grid_constant__ Shape shape, const PositionTable table) {
  __shared__ std::uint16_t inside[2 * 32 * kThreads];
  static_assert(kWarps * kFew <= 2 * 32 * kThreads);
  const auto place_of = [&](Index tile) { return Place{tile * kTile, before[tile], table.capacity - before[tile]}; };
  const Index first = static_cast<Index>(blockIdx.x) * kWarps, tile = tile_of_warp();
  if (before[first + kWarps] - before[first] > kFew)
    put_many<U>(words + first * kWords, place_of(first), shape, table, inside);
  else if (before[tile + 1] != before[tile])
    put_few<U>(words + tile * kWords, place_of(tile), shape, table, inside + threadIdx.x / 32 * kFew);
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
  if (Status status = find(where, source, truth); !status.ok()) return status;
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
