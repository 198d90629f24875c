// Lanes that lie behind one another. A group of threads (a block, or part of a warp) reads one lane, or one part of it,
// tile by tile; every thread has kLoads loads on their way.
#include "device/cuda/follow.cuh"
#include "index/cuda/argmax.cuh"

namespace garner::index::on_cuda {
namespace {

constexpr int kLoads = 4;

struct Rows {
  const void* data;
  Index rows, count, parts;
  int lanes;  // threads of a group
  Choice choice;
};

/// What one group reads: from the 16 bytes that the lane begins in, so that every load is whole but the first and last.
template <class Fold>
struct Row {
  using Bits = typename Fold::Bits;
  static constexpr Index kEach = 16 / sizeof(Bits);
  const Bits* base;
  Index begin, end;  // elements of the lane, counted from the base
  Index tile;  // elements

  __device__ Row(const Rows& rows, Index row) {
    const Bits* first = static_cast<const Bits*>(rows.data) + row * rows.count;
    begin = static_cast<Index>(reinterpret_cast<std::uintptr_t>(first) % 16 / sizeof(Bits));
    base = first - begin;
    end = begin + rows.count;
    tile = rows.lanes * kEach * kLoads;
  }
  __device__ Index tiles() const { return (end + tile - 1) / tile; }
  __device__ bool is_whole(Index t) const { return t * tile >= begin && (t + 1) * tile <= end; }
};

/// The elements of a load that belong to the lane; where others would be, one of them again. False: none does.
template <class Fold>
__device__ inline bool load_part(const Row<Fold>& row, Index at, uint4& v) {
  using Bits = typename Fold::Bits;
  constexpr Index kEach = Row<Fold>::kEach;
  if (at >= row.begin && at + kEach <= row.end) return v = Fold::load(row.base + at), true;
  const Index some = at < row.begin ? row.begin : at;
  if (some >= row.end || some >= at + kEach) return false;
  Bits16<Bits> bits;
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const Index here = at + e;
    bits.at[e] = row.base[here >= row.begin && here < row.end ? here : some];
  }
  v = seen_as<uint4>(bits);
  return true;
}

template <class Fold>
__device__ inline typename Fold::Key largest_column(const Fold& fold, const typename Fold::Folded& folded) {
  typename Fold::Key best = fold.key(folded, 0);
#pragma unroll
  for (int e = 1; e < Fold::kColumns; ++e) {
    const auto key = fold.key(folded, e);
    best = best < key ? key : best;
  }
  return best;
}

/// One thread's loads of a tile.
template <class Fold>
__device__ inline void look_at_tile(const Fold& fold, const Row<Fold>& row, Index tile, int thread, int lanes,
                                    bool last, Candidate<typename Fold::Key>& best) {
  constexpr Index kEach = Row<Fold>::kEach;
  const Index at = tile * row.tile + thread * kEach;
  if (row.is_whole(tile)) {
    uint4 v[kLoads];
#pragma unroll
    for (int u = 0; u < kLoads; ++u) v[u] = Fold::load(row.base + at + u * lanes * kEach);
    auto folded = fold.first(v[0]);
#pragma unroll
    for (int u = 1; u < kLoads; ++u) fold.add(folded, v[u]);
    return keep_better(best, largest_column(fold, folded), tile, last);
  }
  for (int u = 0; u < kLoads; ++u) {
    uint4 v;
    if (load_part(row, at + u * lanes * kEach, v)) keep_better(best, largest_column(fold, fold.first(v)), tile, last);
  }
}

/// The first (or last) of one thread's elements of a tile that has the key; -1 where none does.
template <class Fold>
__device__ inline Index place_in_tile(const Fold& fold, const Row<Fold>& row, Index tile, int thread, int lanes,
                                      bool last, typename Fold::Key key) {
  constexpr Index kEach = Row<Fold>::kEach;
  Index found = -1;
  for (int u = 0; u < kLoads; ++u)
    for (int e = 0; e < kEach; ++e) {
      const Index at = tile * row.tile + (u * lanes + thread) * kEach + e;
      if (at < row.begin || at >= row.end || fold.keys(row.base[at]) != key) continue;
      if (found < 0 || last) found = at - row.begin;
    }
  return found;
}

// ---- between the threads of a group ----

template <class T>
__device__ inline T from_lane(const T& value, int offset) {
  constexpr int kWords = sizeof(T) / 4;
  std::uint32_t words[kWords];
  memcpy(words, &value, sizeof value);
#pragma unroll
  for (int w = 0; w < kWords; ++w) words[w] = __shfl_xor_sync(0xffffffffU, words[w], offset);
  T out;
  memcpy(&out, words, sizeof out);
  return out;
}

/// The best of a group, to all of its threads.
template <bool kBlock, class Key>
__device__ inline Candidate<Key> best_of_group(Candidate<Key> mine, int lanes, bool last) {
  for (int o = (kBlock ? 32 : lanes) / 2; o > 0; o /= 2) mine = better(mine, from_lane(mine, o), last);
  if constexpr (kBlock) {
    __shared__ Room<Candidate<Key>, kThreads / 32> room;
    Candidate<Key>* of_warp = room.begin();
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = of_warp[0];
    for (int w = 1; w < kThreads / 32; ++w) mine = better(mine, of_warp[w], last);
    __syncthreads();
  }
  return mine;
}

/// The position closest to the wanted end; those that have none give -1.
template <bool kBlock>
__device__ inline Index place_of_group(Index mine, int lanes, bool last) {
  // Part numbers as keys: the smallest position is the largest key, or the largest is.
  const Candidate<std::uint64_t> place{last ? static_cast<std::uint64_t>(mine) : ~static_cast<std::uint64_t>(mine),
                                       mine};
  return best_of_group<kBlock>(place, lanes, last).part;
}

// ---- kernels ----

/// A part of a row for every group: the row's position, or, where rows have several parts, what the part has seen.
template <class Fold, bool kBlock>
__global__ void __launch_bounds__(kThreads)
    best_in_rows(const Fold fold, const Rows rows, Candidate<typename Fold::Key>* seen, Index* out) {
  using Key = typename Fold::Key;
  if (seen != nullptr) may_be_followed();
  const int lanes = kBlock ? kThreads : rows.lanes, thread = static_cast<int>(threadIdx.x) & (lanes - 1);
  const Index group = kBlock ? blockIdx.x : (static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x) / lanes;
  const Index units = rows.rows * rows.parts;
  // Groups beyond the last do what it does, since their warp needs them, and say nothing.
  const Index unit = group < units ? group : units - 1;
  const Row<Fold> row(rows, unit / rows.parts);
  Candidate<Key> mine;
  const Index tiles = row.tiles();
  for (Index tile = unit % rows.parts; tile < tiles; tile += rows.parts)
    look_at_tile(fold, row, tile, thread, lanes, rows.choice.last, mine);
  const Candidate<Key> best = best_of_group<kBlock>(mine, lanes, rows.choice.last);
  const bool says = thread == 0 && group < units;
  if (seen != nullptr) {
    if (says) seen[unit] = best;
    return;
  }
  // A thread that saw the key earlier than the winning tile, or later, would itself have won.
  Index place = -1;
  if (mine.part == best.part && mine.key == best.key)
    place = place_in_tile(fold, row, best.part, thread, lanes, rows.choice.last, best.key);
  place = place_of_group<kBlock>(place, lanes, rows.choice.last);
  if (says) out[unit] = rows.choice.answer(best.key, place);
}

/// Rows of several parts, a block each.
template <class Fold>
__global__ void __launch_bounds__(kThreads)
    best_of_parts(const Fold fold, const Rows rows, const Candidate<typename Fold::Key>* seen, Index* out) {
  using Key = typename Fold::Key;
  const int thread = static_cast<int>(threadIdx.x);
  const bool last = rows.choice.last;
  wait_for_first();
  for (Index r = blockIdx.x; r < rows.rows; r += gridDim.x) {
    Candidate<Key> mine;
    for (Index p = thread; p < rows.parts; p += kThreads) mine = better(mine, seen[r * rows.parts + p], last);
    const Candidate<Key> best = best_of_group<true>(mine, kThreads, last);
    const Row<Fold> row(rows, r);
    const Index place =
        place_of_group<true>(place_in_tile(fold, row, best.part, thread, kThreads, last, best.key), kThreads, last);
    if (thread == 0) out[r] = rows.choice.answer(best.key, place);
  }
}

// ---- how many threads a row has ----

// Rows below this are read by a warp or a part of one.
constexpr Index kWarpBytes = 8192;
// Blocks that a multiprocessor has at work, and those that a single row is cut into.
constexpr Index kBlocksEach = 8;

Index parts_for(Index rows, Index bytes, int device) {
  const Index busy = kBlocksEach * multiprocessors(device), tiles = bytes / (kThreads * 16 * kLoads);
  if (rows >= busy || tiles <= 1) return 1;
  const Index wanted = (busy + rows - 1) / rows;
  return wanted < tiles ? wanted : tiles;
}

int lanes_for(Index bytes) {
  int lanes = 1;
  while (lanes < 32 && lanes * 32 < bytes) lanes *= 2;
  return lanes;
}

template <class Fold>
Status launch_blocks(const Where& where, const Fold& fold, Rows rows, Index* out) {
  using Seen = Candidate<typename Fold::Key>;
  std::shared_ptr<void> seen;
  if (rows.parts > 1) {
    auto memory = cuda_memory(where.device, where.stream, rows.rows * rows.parts * static_cast<Index>(sizeof(Seen)));
    if (!memory.ok()) return memory.status();
    seen = *std::move(memory);
  }
  auto* const parts = static_cast<Seen*>(seen.get());
  const Index units = rows.rows * rows.parts;
  if (units > INT32_MAX) return {Code::kUnsupported, "P24", "argmax: more than 2^31 lanes of more than 8 KiB"};
  best_in_rows<Fold, true><<<static_cast<unsigned>(units), kThreads, 0, stream_of(where)>>>(fold, rows, parts, out);
  GARNER_CUDA_TRY(cudaGetLastError());
  if (rows.parts == 1) return {};
  const Following second{where.device, stream_of(where), static_cast<unsigned>(rows.rows), kThreads};
  GARNER_CUDA_TRY(follow(second, best_of_parts<Fold>, fold, rows, parts, out));
  return {};
}

/// As many rows at a time as a grid has room for.
template <class Fold>
Status launch_warps(const Where& where, const Fold& fold, Rows rows, Index* out) {
  using Bits = typename Fold::Bits;
  const Index most = (Index{INT32_MAX} - 1) * (kThreads / rows.lanes), all = rows.rows;
  const auto* data = static_cast<const Bits*>(rows.data);
  for (Index done = 0; done < all; done += most) {
    rows.rows = all - done < most ? all - done : most;
    rows.data = data + done * rows.count;
    const unsigned blocks = blocks_for(rows.rows * rows.lanes);
    best_in_rows<Fold, false><<<blocks, kThreads, 0, stream_of(where)>>>(fold, rows, nullptr, out + done);
    GARNER_CUDA_TRY(cudaGetLastError());
  }
  return {};
}

Status best_in_rows(const Where& where, const Lanes& lanes, const BestQuery& query, Index* out) {
  const Index bytes = lanes.count * query.code.width;
  Rows rows{query.data, lanes.outer, lanes.count, 1, kThreads, choice_of(query)};
  return with_fold(query.code, [&](const auto& fold) {
    if (bytes > kWarpBytes) {
      rows.parts = parts_for(lanes.outer, bytes, where.device);
      return launch_blocks(where, fold, rows, out);
    }
    rows.lanes = lanes_for(bytes);
    return launch_warps(where, fold, rows, out);
  });
}

__global__ void __launch_bounds__(kThreads) put_all(Index* out, Index count, Index value) {
  for (Index i = grid_thread(); i < count; i += grid_threads()) out[i] = value;
}

}  // namespace

Status best_in_lanes(const Where& where, const Lanes& lanes, const BestQuery& query, Index* out) {
  const Index total = lanes.outer * lanes.inner;
  if (total == 0) return {};
  const OnDevice on(where.device);
  if (lanes.count == 0) {
    put_all<<<loop_blocks(where, total), kThreads, 0, stream_of(where)>>>(out, total, query.nothing);
    GARNER_CUDA_TRY(cudaGetLastError());
    return {};
  }
  return lanes.inner == 1 ? best_in_rows(where, lanes, query, out) : best_in_columns(where, lanes, query, out);
}

}  // namespace garner::index::on_cuda
