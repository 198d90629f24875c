// Positions of what is not zero, for those who say how many there is room for: one pass. A block finds the bits of a
// tile and says how many ones it has; then it finds those of its next tile, and only then asks what stands before the
// first one and writes its positions. By then the others have long said how many they found. (Where it asked at once,
// nothing was read meanwhile: 1 % of 2 G bool on an H200 took 879 us; in three passes, with bits in memory, 780; so,
// 654.)
#include <cuda/atomic>

#include "device/cuda/runtime.h"
#include "index/cuda/positions.cuh"
#include "index/cuda/truth_bits.cuh"

namespace garner::index::on_cuda {
namespace {

constexpr int kWarps = kThreads / 32;

/// What a block has at a time: 16 loads of 16 bytes a thread, of bytes 8, and at least a word of bits. Blocks at once
/// on a processor: with more of them a thread has too few registers, and what does not fit goes to memory and back. 2 G
/// f32 on an H200, 1 / 10 / 50 %: 2039 / 2377 / 4235 us so; with half as much in a block and 6 of them 2103 / 2571 /
/// 4564, with 8 of them 2698 / 3165 / 5335. bool: 654 / 1066 / 2943 with 6 blocks, 658 / 1121 / 2876 with 5.
template <int kWidth>
struct Tile {
  static constexpr int kLoads = kWidth == 1 ? 8 : kWidth == 16 ? 32 : 16, kBlocks = kWidth == 1 ? 6 : 5;
  static constexpr int kElements = kThreads * kLoads * 16 / kWidth;
  static constexpr int kWords = kElements / 32, kRows = kWords / kThreads;
};

/// What all blocks share. `found` has one more than the number of ones of a tile; 0: it is not known yet.
struct Board {
  Index* total;
  unsigned* ticket;
  std::uint32_t* found;
  int tiles;
};

using Said = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>;

/// Tiles are handed out in their order, so that whoever waits for one waits for a block that is at work.
__device__ inline int next_tile(const Board& board) { return static_cast<int>(atomicAdd(board.ticket, 1U)); }

__device__ inline void say(const Board& board, int tile, unsigned ones) {
  Said(board.found[tile]).store(ones + 1, cuda::std::memory_order_relaxed);
}

/// What a block knows, kept out of registers: with fewer of them it has more loads on their way.
struct Kept {
  Index before;  // ones in the tiles [0, known)
  int known;
  int tile[4];  // the tiles of rounds k - 1, k and k + 1, at k % 4
  unsigned ones[kWarps];
};

__device__ inline unsigned sum_of(const unsigned (&ones)[kWarps]) {
  unsigned sum = 0;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) sum += ones[w];
  return sum;
}

__device__ inline void sum_in_warp(unsigned mine, unsigned (&ones)[kWarps]) {
  const unsigned all = __reduce_add_sync(kAllLanes, mine);
  if (threadIdx.x % 32 == 0) ones[threadIdx.x / 32] = all;
}

/// Waits until it is known.
__device__ inline unsigned ones_in(const Board& board, int tile) {
  const Said found(board.found[tile]);
  std::uint32_t said = found.load(cuda::std::memory_order_relaxed);
  while (said == 0) said = found.load(cuda::std::memory_order_relaxed);
  return said - 1;
}

/// Ones in front of a tile, to all threads.
__device__ inline Index ones_before(const Board& board, int tile, Kept& kept) {
  constexpr int kMost = 64 * kThreads;  // tiles whose ones 32 bits hold
  Index before = kept.before;
  const int known = kept.known;
  for (int from = known; from < tile; from += kMost) {
    unsigned mine = 0;
    for (int t = from + static_cast<int>(threadIdx.x); t < tile && t < from + kMost; t += kThreads)
      mine += ones_in(board, t);
    sum_in_warp(mine, kept.ones);
    __syncthreads();
    before += sum_of(kept.ones);
    __syncthreads();
  }
  if (threadIdx.x == 0 && known < tile) {
    kept.before = before;
    kept.known = tile;
  }
  return before;
}

/// The bits of a tile, each warp's in its part; ones of each warp.
template <int kWidth>
__device__ inline void find_tile(const TruthSource& s, int tile, std::uint32_t* words, unsigned (&ones)[kWarps]) {
  using T = Tile<kWidth>;
  const auto warp = static_cast<int>(threadIdx.x / 32);
  const Index first = Index{tile} * T::kElements + warp * (T::kElements / kWarps);
  const int mine = find_words<kWidth, T::kElements / kWarps>(s, first, words + warp * (T::kWords / kWarps));
  sum_in_warp(static_cast<unsigned>(mine), ones);
}

/// U holds every position.
template <int kWidth, class U>
__global__ void __launch_bounds__(kThreads, Tile<kWidth>::kBlocks)
    find_and_put(const TruthSource s, const Board board, const __grid_constant__ Shape shape,
                 const PositionTable table) {
  using T = Tile<kWidth>;
  __shared__ std::uint32_t words[2][T::kWords];
  __shared__ unsigned ones[2][kWarps];
  __shared__ Kept kept;
  __shared__ PositionRoom room;
  if (threadIdx.x == 0) {
    kept.before = kept.known = 0;
    kept.tile[0] = next_tile(board);
  }
  __syncthreads();
  for (int k = 0;; ++k) {
    const int tile = kept.tile[k % 4];
    const bool is_tile = tile < board.tiles;
    if (is_tile) {
      if (threadIdx.x == 0) kept.tile[(k + 1) % 4] = next_tile(board);
      find_tile<kWidth>(s, tile, words[k % 2], ones[k % 2]);
    }
    __syncthreads();
    if (is_tile && threadIdx.x == 0) say(board, tile, sum_of(ones[k % 2]));
    if (k > 0) {
      const int last = kept.tile[(k - 1) % 4];
      const Index before = ones_before(board, last, kept);
      if (last == board.tiles - 1 && threadIdx.x == 0) *board.total = before + sum_of(ones[(k - 1) % 2]);
      put_words<U, T::kRows>(words[(k - 1) % 2], {Index{last} * T::kElements, before, table.capacity - before}, shape,
                             table, room);
    }
    if (!is_tile) return;
  }
}

template <int kWidth>
void launch(const Where& where, const TruthSource& source, const Board& board, const Shape& shape,
            const PositionTable& table) {
  const int most = Tile<kWidth>::kBlocks * multiprocessors(where.device);
  const auto blocks = static_cast<unsigned>(board.tiles < most ? board.tiles : most);
  const bool large = source.elements > UINT32_MAX;
  const auto kernel = large ? find_and_put<kWidth, std::uint64_t> : find_and_put<kWidth, std::uint32_t>;
  kernel<<<blocks, kThreads, 0, stream_of(where)>>>(source, board, shape, table);
}

__global__ void __launch_bounds__(kThreads) put_fill(const Index* total, int rank, const PositionTable table) {
  for (Index k = *total + grid_thread(); k < table.capacity; k += grid_threads())
    for (int a = 0; a < rank; ++a) table.data[k * table.step + a * table.axis_step] = table.fill;
}

/// Behind the last position.
Status fill_rest(const Where& where, const Index* total, int rank, const PositionTable& table) {
  if (table.capacity == 0) return {};
  put_fill<<<loop_blocks(where, table.capacity), kThreads, 0, stream_of(where)>>>(total, rank, table);
  GARNER_CUDA_TRY(cudaGetLastError());
  return {};
}

}  // namespace

Result<std::shared_ptr<Index>> write_all_positions(const Where& where, const TruthSource& source, const Axes& extents,
                                                   PositionTable table) {
  if (extents.empty()) table.capacity = 0;  // positions without coordinates
  const OnDevice on(where.device);
  const Shape shape(extents);
  std::shared_ptr<void> memory;
  const Status done = with_bits(source.width, [&]<class Bits>(Bits) -> Status {
    constexpr Index kElements = Tile<sizeof(Bits)>::kElements;
    const Index tiles = (source.elements + kElements - 1) / kElements;
    if (tiles > INT32_MAX / 2) return {Code::kUnsupported, "P24", "nonzero: more than 2^43 elements"};
    const Index bytes = static_cast<Index>(sizeof(Index)) + (tiles + 1) * 4;
    auto made = cuda_memory(where.device, where.stream, bytes);
    if (!made.ok()) return made.status();
    memory = *std::move(made);
    GARNER_CUDA_TRY(cudaMemsetAsync(memory.get(), 0, static_cast<std::size_t>(bytes), stream_of(where)));
    auto* const total = static_cast<Index*>(memory.get());
    auto* const ticket = reinterpret_cast<unsigned*>(total + 1);
    if (tiles > 0)
      launch<sizeof(Bits)>(where, source, {total, ticket, ticket + 1, static_cast<int>(tiles)}, shape, table);
    GARNER_CUDA_TRY(cudaGetLastError());
    return fill_rest(where, total, shape.rank, table);
  });
  if (!done.ok()) return done;
  return std::static_pointer_cast<Index>(memory);
}

}  // namespace garner::index::on_cuda
