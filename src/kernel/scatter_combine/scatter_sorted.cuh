// Every scatter. Positions are sorted by the place they update, those of one place in index order; then every place is
// updated by one group of threads, in that order. No atomics: the bits are the same every time, and those of the CPU.
//
//   keys     the place of every row, and where its updates lie; small elements go along themselves
//   sort     by place; stable, and only the bits that places have
//   tasks    where a place begins in the sorted list
//   combine  every task by one group of lanes
//   long     places of many updates, which combine only lists, in blocks (kernel/common/block_sums.h): by whole warps;
//            what is no first block goes into memory of its own
//   finish   those blocks are added to their places, one after another
//
// K holds places and offsets of updates. Each K is compiled in a file of its own: they take minutes.
#pragma once
#include <thrust/iterator/counting_iterator.h>
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include "device/cpu/tuning.h"
#include "device/cuda/runtime.h"
#include "kernel/common/device_element.cuh"
#include "kernel/common/launch.cuh"
#include "kernel/common/locate.cuh"
#include "kernel/common/pieces.h"
#include "kernel/common/width.h"

namespace garner {
namespace {

// Updates that a lane has on their way. Rows of 512 B, three updates a place, on an H200: 1.65 ms with 4; 2.2 with 8,
// which take registers from the others.
constexpr int kAhead = 4;
constexpr int kLongThreads = 64;  // in a block of combine_long_rows(): there may be few of them, for all processors

/// Is every step of a place a result, or the condition of the next?
bool steps_count(const IndexPlan& plan) { return plan.fetch_stride || plan.combine == Combine::kCompareExchange; }

/// Rows where no two overlap in part; otherwise single elements.
bool in_rows(const Launch& l) {
  return l.facts.run > 1 && l.facts.apart == static_cast<int>(l.plan.domain.size()) - 1 && !steps_count(l.plan);
}

/// What all steps speak of. K holds places, and offsets of updates.
template <class K>
struct Sorted {
  Index count = 0;      // rows, or elements
  Index run = 1;        // elements of a row
  Index lo = 0;         // the lowest place
  int log_apart = 0;    // places are multiples of this power of two from there: keys have fewer bits to sort by
  K nowhere = 0;        // the key of what updates nothing; above all places
  Index block = 0;      // updates in a block; 0: one block
  K *key = nullptr, *from = nullptr;            // sorted: places by their number; and what is sorted with them:
  bool carried = false;                         // the update itself, not where it lies
  K *task = nullptr, *tasks = nullptr;          // where each begins, and their number; null: any position may
  Index long_from = 0;                          // a task of more updates is left to whole warps
  K *long_begin = nullptr, *long_end = nullptr;  // its blocks, in any order, and how many there are of all
  unsigned* longs = nullptr;
  void* block_sums = nullptr;
};

// ---- keys ----

/// What is sorted with the places.
struct Along {
  enum class What { kOffset, kNumber, kUpdate } what;
  const void* update;
  int width;  // of an element
};

template <class K>
__device__ inline K bits_of(const Along& along, Index at) {
  switch (along.width) {
    case 1: return static_cast<const std::uint8_t*>(along.update)[at];
    case 2: return static_cast<const std::uint16_t*>(along.update)[at];
    case 4: return static_cast<const std::uint32_t*>(along.update)[at];
    default: return static_cast<K>(static_cast<const std::uint64_t*>(along.update)[at]);
  }
}

template <class K, class Size>
__global__ void __launch_bounds__(kBlockThreads)
    place_keys(const __grid_constant__ DevicePlan<Size> plan, Sorted<K> sorted, K* key, K* from, Along along) {
  const Index at = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  if (at >= plan.positions) return;
  const Spot spot = locate(plan, at);
  key[at] = spot.valid ? static_cast<K>((spot.indexed - sorted.lo) >> sorted.log_apart) : sorted.nowhere;
  from[at] = along.what == Along::What::kNumber   ? static_cast<K>(at)
             : along.what == Along::What::kOffset ? static_cast<K>(spot.dense)
             : spot.valid                         ? bits_of<K>(along, spot.dense)
                                                  : K{};
}

template <class K>
__device__ inline Index place_of(const Sorted<K>& s, K key) {
  return (static_cast<Index>(key) << s.log_apart) + s.lo;
}

/// The update of a position of the sorted list. Carried ones lie in the low bytes, which come first.
template <class U, class K>
__device__ inline const U* update_of(const Sorted<K>& s, const U* update, Index at, int log_unit = 0) {
  if (s.carried) return reinterpret_cast<const U*>(s.from + at);
  return update + (static_cast<Index>(s.from[at]) >> log_unit);
}

// ---- tasks ----

template <class K>
struct BeginsTask {
  const K* key;
  K apart;  // positions with this key are tasks by themselves

  __device__ bool operator()(K at) const { return at == 0 || key[at - 1] != key[at] || key[at] == apart; }
};

template <class K>
__device__ inline Index task_end(const Sorted<K>& s, Index task) {
  return task + 1 < static_cast<Index>(*s.tasks) ? static_cast<Index>(s.task[task + 1]) : s.count;
}

/// Where the updates of a place end that begin at `begin`: twice as far at every step, then by halves.
template <class K>
__device__ inline Index place_end(const Sorted<K>& s, Index begin) {
  const K key = s.key[begin];
  Index end = begin + 1, beyond = begin + 1;
  for (Index step = 1; beyond < s.count && s.key[beyond] == key; step *= 2) {
    end = beyond + 1;
    beyond = min(begin + 2 * step, s.count);
  }
  while (end < beyond) {
    const Index middle = end + (beyond - end) / 2;
    if (s.key[middle] == key) end = middle + 1;
    else beyond = middle;
  }
  return end;
}

/// A task's updates in the sorted list.
struct Updates {
  Index begin, end;
};
template <class K>
__device__ inline Updates updates_of(const Sorted<K>& s, Index task) {
  if (s.task != nullptr) return {static_cast<Index>(s.task[task]), task_end(s, task)};
  const bool begins = task == 0 || s.key[task - 1] != s.key[task];
  return {task, begins ? place_end(s, task) : task};
}

// ---- the last update of every place ----

template <class U, class K>
__global__ void __launch_bounds__(kBlockThreads)
    store_last(Sorted<K> s, U* place, const U* update, Index pieces, int log_lanes, int log_unit) {
  const Index thread = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  const Index at = thread >> log_lanes, lanes = Index{1} << log_lanes;
  if (at >= s.count || s.key[at] == s.nowhere || (at + 1 < s.count && s.key[at + 1] == s.key[at])) return;
  U* to = place + (place_of(s, s.key[at]) >> log_unit);
  const U* from = update_of(s, update, at, log_unit);
  for (Index p = thread & (lanes - 1); p < pieces; p += lanes) to[p] = from[p];
}

// ---- combining ----

/// V elements side by side, moved as one.
template <class S, int V>
struct alignas(V == 1 ? alignof(S) : sizeof(S) * V) Pack {
  S v[V];
};

template <class S, int V, class Step>
__device__ inline void add_to(Pack<S, V>& sum, const Pack<S, V>& update, const Step& step) {
#pragma unroll
  for (int e = 0; e < V; ++e) sum.v[e] = step(sum.v[e], update.v[e]);
}

template <class S>
struct Work {
  S *place, *block_sums;
  const S* update;
  Combine combine;
  bool from_zero;  // a block of a float sum begins with +0, of anything else with its first update
  int log_lanes;
};

/// Where a task's sum begins and goes.
template <class S, class K>
struct Task {
  Index begin, end;
  bool is_first;  // of its place: the sum begins with what is there
  S* target;      // the place, or a block's own memory

  __device__ Task(const Sorted<K>& s, const Work<S>& w, const Updates& u) : begin(u.begin), end(u.end) {
    const K key = s.key[begin];
    is_first = begin == 0 || s.key[begin - 1] != key;
    target = key == s.nowhere ? nullptr
             : is_first       ? w.place + place_of(s, key)
                              : w.block_sums + begin / s.block * s.run;
  }
};

template <class K>
__device__ inline void list_long(const Sorted<K>& s, Index begin, Index end) {
  const Index block = s.block > 0 ? s.block : end - begin;
  const auto blocks = static_cast<unsigned>((end - begin + block - 1) / block);
  const unsigned first = atomicAdd(s.longs, blocks);
  for (unsigned b = 0; b < blocks; ++b) {
    s.long_begin[first + b] = static_cast<K>(begin + b * block);
    s.long_end[first + b] = static_cast<K>(min(begin + (b + 1) * block, end));
  }
}

/// A lane's columns of a task.
template <class T, int V, class K, class S = typename T::Storage>
__device__ inline void combine_task(const Sorted<K>& s, const Work<S>& w, const Task<S, K>& task, Index column) {
  using P = Pack<S, V>;
  const auto read = [&](Index at) {
    const S* update = V == 1 ? update_of(s, w.update, at) : w.update + static_cast<Index>(s.from[at]);
    return *reinterpret_cast<const P*>(update + column);
  };
  auto* to = reinterpret_cast<P*>(task.target + column);
  Index at = task.begin;
  P sum{};
  if (task.is_first) sum = *to;
  else if (!w.from_zero) sum = read(at++);
  const AnyStep<T> step{w.combine};  // sums by themselves: 3 % less time, half as much code again
  while (at < task.end) {
    P update[kAhead];
#pragma unroll
    for (int j = 0; j < kAhead; ++j)
      if (at + j < task.end) update[j] = read(at + j);
#pragma unroll
    for (int j = 0; j < kAhead; ++j)
      if (at + j < task.end) add_to(sum, update[j], step);
    at += kAhead;
  }
  *to = sum;
}

template <class T, int V, class K>
__global__ void __launch_bounds__(kBlockThreads) combine_tasks(Sorted<K> s, Work<typename T::Storage> w) {
  using S = typename T::Storage;
  const Index thread = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x, lanes = Index{1} << w.log_lanes;
  const Index groups = (static_cast<Index>(gridDim.x) * kBlockThreads) >> w.log_lanes;
  const Index tasks = s.task != nullptr ? static_cast<Index>(*s.tasks) : s.count;
  // A group has as many columns as its lanes; of long rows several groups have one task each.
  const Index slices = (s.run + lanes * V - 1) / (lanes * V), work = tasks * slices;
  for (Index item = thread >> w.log_lanes; item < work; item += groups) {
    const Index number = slices == 1 ? item : item / slices, slice = item - number * slices;
    const Updates updates = updates_of(s, number);
    if (updates.begin == updates.end) continue;
    const Task<S, K> task(s, w, updates);
    if (task.target == nullptr) continue;
    if (task.end - task.begin > s.long_from) {
      if (slice == 0 && (thread & (lanes - 1)) == 0) list_long(s, task.begin, task.end);
      continue;
    }
    if (const Index column = (slice * lanes + (thread & (lanes - 1))) * V; column < s.run)
      combine_task<T, V>(s, w, task, column);
  }
}

/// One column of a long task: each lane reads one of 32 updates, kRounds times ahead, and all lanes combine them.
template <class K, class S, class Step>
__device__ inline S combine_column(const Sorted<K>& s, const Work<S>& w, Index at, Index end, Index column, S sum,
                                   const Step& step) {
  constexpr int kRounds = 4;
  const auto lane = static_cast<int>(threadIdx.x) % 32;
  S next[kRounds];
  const auto read = [&](Index first) {
#pragma unroll
    for (int r = 0; r < kRounds; ++r) {
      const Index mine = first + 32 * r + lane;
      next[r] = mine < end ? update_of(s, w.update, mine)[column] : S{};
    }
  };
  read(at);
  while (at < end) {
    S now[kRounds];
#pragma unroll
    for (int r = 0; r < kRounds; ++r) now[r] = next[r];
    read(at + 32 * kRounds);
#pragma unroll
    for (int r = 0; r < kRounds; ++r, at += 32) {
      const auto count = static_cast<int>(min(Index{32}, end - at));
      if (count == 32) {
#pragma unroll 8
        for (int j = 0; j < 32; ++j) sum = step(sum, of_lane(now[r], j));
      } else {
        for (int j = 0; j < count; ++j) sum = step(sum, of_lane(now[r], j));
      }
    }
  }
  return sum;
}

/// Many updates of narrow rows: a warp has one column of one. 32 M updates of single f32, zipf, on an H200: 2.1 ms in
/// all; where one thread had them, they alone took 4.
template <class T, class K>
__global__ void __launch_bounds__(kBlockThreads) combine_long(Sorted<K> s, Work<typename T::Storage> w) {
  using S = typename T::Storage;
  const Index warp = (static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x) / 32;
  const Index warps = static_cast<Index>(gridDim.x) * (kBlockThreads / 32), work = static_cast<Index>(*s.longs) * s.run;
  for (Index item = warp; item < work; item += warps) {
    const Index number = item / s.run, column = item - number * s.run;
    const Task<S, K> task(s, w, {static_cast<Index>(s.long_begin[number]), static_cast<Index>(s.long_end[number])});
    Index at = task.begin;
    S sum{};
    if (task.is_first) sum = task.target[column];
    else if (!w.from_zero) sum = update_of(s, w.update, at++)[column];
    sum = w.combine == Combine::kAdd ? combine_column(s, w, at, task.end, column, sum, AddStep<T>{})
                                     : combine_column(s, w, at, task.end, column, sum, AnyStep<T>{w.combine});
    if (threadIdx.x % 32 == 0) task.target[column] = sum;
  }
}

/// The next N updates, all on their way before the first is combined: no conditions here, or they are read one by one.
template <int N, class S, int V, class Step, class Where>
__device__ inline void combine_next(Pack<S, V>& sum, const S* from, const Step& step, const Where& where) {
  Pack<S, V> update[N];
#pragma unroll
  for (int j = 0; j < N; ++j) update[j] = *reinterpret_cast<const Pack<S, V>*>(from + static_cast<Index>(where(j)));
#pragma unroll
  for (int j = 0; j < N; ++j) add_to(sum, update[j], step);
}

/// A lane's columns of a long task.
template <int N, class K, class S, int V, class Step>
__device__ inline void combine_columns(Pack<S, V>& sum, const Sorted<K>& s, Index at, Index end, const S* from,
                                       const Step& step) {
  const auto lane = static_cast<int>(threadIdx.x) % 32;
  const auto offset = [&](Index first) { return first + lane < end ? s.from[first + lane] : K{}; };
  K next = offset(at);
  for (; at + N <= end; at += N) {
    const K mine = next;
    next = offset(at + N);
    combine_next<N>(sum, from, step, [&](int j) { return of_lane(mine, j); });
  }
  for (; at + 4 <= end; at += 4) combine_next<4>(sum, from, step, [&](int j) { return s.from[at + j]; });
  for (; at < end; ++at) combine_next<1>(sum, from, step, [&](int j) { return s.from[at + j]; });
}

/// Many updates of wide rows: a warp has V * 32 columns of one. Places of up to 16384 updates in rows of 512 B by the
/// lanes of combine_tasks() are what all wait for at the end.
template <class T, int V, class K>
__global__ void __launch_bounds__(kLongThreads) combine_long_rows(Sorted<K> s, Work<typename T::Storage> w) {
  using S = typename T::Storage;
  using P = Pack<S, V>;
  const Index warp = (static_cast<Index>(blockIdx.x) * kLongThreads + threadIdx.x) / 32;
  const Index warps = static_cast<Index>(gridDim.x) * (kLongThreads / 32), slices = (s.run + 32 * V - 1) / (32 * V);
  const Index work = static_cast<Index>(*s.longs) * slices;
  for (Index item = warp; item < work; item += warps) {
    const Index number = item / slices, column = ((item - number * slices) * 32 + threadIdx.x % 32) * V;
    const Task<S, K> task(s, w, {static_cast<Index>(s.long_begin[number]), static_cast<Index>(s.long_end[number])});
    const bool has_columns = column < s.run;  // others go along and keep nothing
    auto* to = reinterpret_cast<P*>(task.target + (has_columns ? column : 0));
    const S* from = w.update + (has_columns ? column : 0);
    Index at = task.begin;
    P sum{};
    if (task.is_first) sum = *to;
    else if (!w.from_zero) sum = *reinterpret_cast<const P*>(from + static_cast<Index>(s.from[at++]));
    constexpr int kUpdates = sizeof(P) <= 4 ? 32 : static_cast<int>(128 / sizeof(P));
    if (w.combine == Combine::kAdd) combine_columns<kUpdates>(sum, s, at, task.end, from, AddStep<T>{});
    else combine_columns<8>(sum, s, at, task.end, from, AnyStep<T>{w.combine});
    if (has_columns) *to = sum;
  }
}

/// What the blocks from position `at` on make of a place. Eight are read at once: there may be hundreds.
template <class T, class K, class S = typename T::Storage>
__device__ inline S add_blocks(const Sorted<K>& s, const Work<S>& w, K key, Index at, Index column, S sum) {
  constexpr int kBlocks = 8;
  for (bool more = true; more; at += kBlocks * s.block) {
    bool is[kBlocks];
    S block[kBlocks];
#pragma unroll
    for (int b = 0; b < kBlocks; ++b) {
      const Index position = at + b * s.block;
      is[b] = position < s.count && s.key[min(position, s.count - 1)] == key;
    }
#pragma unroll
    for (int b = 0; b < kBlocks; ++b) block[b] = w.block_sums[(at / s.block + (is[b] ? b : 0)) * s.run + column];
#pragma unroll
    for (int b = 0; b < kBlocks; ++b)
      if (is[b]) sum = updated<T>(w.combine, sum, block[b], sum);
    const Index next = at + kBlocks * s.block;
    more = is[kBlocks - 1] && next < s.count && s.key[next] == key;
  }
  return sum;
}

/// Later blocks to their places, in order.
template <class T, class K>
__global__ void __launch_bounds__(kBlockThreads) finish_blocks(Sorted<K> s, Work<typename T::Storage> w) {
  using S = typename T::Storage;
  const Index thread = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  const Index groups = (static_cast<Index>(gridDim.x) * kBlockThreads) >> w.log_lanes, longs = *s.longs;
  for (Index number = thread >> w.log_lanes; number < longs; number += groups) {
    const auto begin = static_cast<Index>(s.long_begin[number]), later = begin + s.block;
    const K key = s.key[begin];
    const bool is_first = begin == 0 || s.key[begin - 1] != key;
    if (!is_first || later >= s.count || s.key[later] != key) continue;
    for (Index column = thread & ((Index{1} << w.log_lanes) - 1); column < s.run; column += Index{1} << w.log_lanes) {
      S& place = w.place[place_of(s, key) + column];
      place = add_blocks<T>(s, w, key, later, column, place);
    }
  }
}

/// Steps whose every result counts: one thread a place, one update after another.
template <class T, class K>
__global__ void __launch_bounds__(kBlockThreads)
    step_by_step(const __grid_constant__ DevicePlan<LargestPlan> plan, Sorted<K> s, Combine combine) {
  const Index threads = static_cast<Index>(gridDim.x) * kBlockThreads, tasks = static_cast<Index>(*s.tasks);
  for (Index task = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x; task < tasks; task += threads) {
    const Index end = task_end(s, task);
    for (auto at = static_cast<Index>(s.task[task]); at < end; ++at)
      update_one<T>(plan, locate<Locate::kQuietly>(plan, static_cast<Index>(s.from[at])), combine);
  }
}

// ---- the host's part ----

/// Memory for one launch, cut from one piece.
class Workspace {
 public:
  template <class T>
  void want(T*& pointer, Index count) {
    wanted_.push_back({reinterpret_cast<void**>(&pointer), bytes_});
    bytes_ += (count * static_cast<Index>(sizeof(T)) + 255) / 256 * 256;
  }
  Index bytes() const { return bytes_; }
  bool get(const Launch& l) {
    auto memory = cuda_memory(l.cuda->device, l.cuda->stream, bytes_);
    if (!memory.ok()) {
      l.cuda->failure = memory.status();
      return false;
    }
    memory_ = *memory;
    for (const auto& [pointer, at] : wanted_) *pointer = static_cast<std::byte*>(memory_.get()) + at;
    return true;
  }

 private:
  std::vector<std::pair<void**, Index>> wanted_;
  Index bytes_ = 0;
  std::shared_ptr<void> memory_;
};

/// Updates in a block: where the order of a result's steps counts and no block is defined, all are one.
Index block_of(const Launch& l) {
  const Combine c = l.plan.combine;
  if (steps_count(l.plan) || c == Combine::kAssign) return 0;
  if (c == Combine::kMul && rounds(l.plan.dtype)) return 0;
  return l.sum_block > 0 ? l.sum_block : tuning().sum_block;
}

/// Blocks that combine_tasks() lists at most.
template <class K>
Index most_longs(const Sorted<K>& s) {
  return s.count / s.long_from + (s.block > 0 ? s.count / s.block : 0) + 1;
}

/// What combine_tasks() has listed.
template <class T, int V, class K>
void combine_listed(const Launch& l, const Sorted<K>& s, Work<typename T::Storage> w) {
  constexpr int kWord = V == 1 ? 1 : std::max(1, 4 / static_cast<int>(sizeof(typename T::Storage)));
  const Index warps = most_longs(s) * s.run;
  if (s.run < 32) combine_long<T, K><<<resident_blocks(l, warps * 32), kBlockThreads, 0, stream_of(l)>>>(s, w);
  else combine_long_rows<T, kWord, K><<<resident_blocks(l, warps * 8), kLongThreads, 0, stream_of(l)>>>(s, w);
  if (!launched(l, "combine_long") || s.block == 0 || s.count <= s.block) return;
  w.log_lanes = lanes_for(s.run);
  finish_blocks<T, K><<<resident_blocks(l, most_longs(s) << w.log_lanes), kBlockThreads, 0, stream_of(l)>>>(s, w);
  launched(l, "finish_blocks");
}

template <class T, int V, class K>
void combine_sorted(const Launch& l, const Sorted<K>& s) {
  using S = typename T::Storage;
  const Work<S> w{static_cast<S*>(l.buffers.indexed[0]),
                  static_cast<S*>(s.block_sums),
                  static_cast<const S*>(l.buffers.dense[0]),
                  l.plan.combine,
                  l.plan.combine == Combine::kAdd && rounds(l.plan.dtype),
                  lanes_for(s.run / V)};
  if (!noted(l, cudaMemsetAsync(s.longs, 0, sizeof(unsigned), stream_of(l)), "cudaMemsetAsync")) return;
  const Index slices = (s.run / V + (Index{1} << w.log_lanes) - 1) >> w.log_lanes;
  const unsigned blocks = resident_blocks(l, (s.count * slices) << w.log_lanes);
  combine_tasks<T, V, K><<<blocks, kBlockThreads, 0, stream_of(l)>>>(s, w);
  if (launched(l, "combine_tasks") && s.count > s.long_from) combine_listed<T, V>(l, s, w);
}

template <class K>
void combine_all(const Launch& l, const Sorted<K>& s) {
  const bool wide = s.run > 1 && piece_bytes(l) == 16;
  with_device_element(l.plan.dtype, [&]<class T>() {
    constexpr int kWide = 16 / static_cast<int>(sizeof(typename T::Storage));
    if (wide) combine_sorted<T, kWide, K>(l, s);
    else combine_sorted<T, 1, K>(l, s);
  });
}

template <class K>
void step_all(const Launch& l, const Sorted<K>& s) {
  const auto plan = device_plan<LargestPlan>(l, l.plan.domain.size());
  with_device_element(l.plan.dtype, [&]<class T>() {
    step_by_step<T, K><<<resident_blocks(l, s.count), kBlockThreads, 0, stream_of(l)>>>(plan, s, l.plan.combine);
  });
  launched(l, "step_by_step");
}

template <class K>
void store_all(const Launch& l, const Sorted<K>& s) {
  const int element = width(l.plan.dtype);
  const auto store = [&]<class U>() {
    const int log_unit = std::countr_zero(static_cast<unsigned>(sizeof(U)) / static_cast<unsigned>(element));
    const Index pieces = s.run >> log_unit;
    const int log_lanes = lanes_for(pieces);
    store_last<U, K><<<blocks_for(s.count << log_lanes), kBlockThreads, 0, stream_of(l)>>>(
        s, static_cast<U*>(l.buffers.indexed[0]), static_cast<const U*>(l.buffers.dense[0]), pieces, log_lanes,
        log_unit);
  };
  const int piece = s.run > 1 ? piece_bytes(l) : 0;
  if (piece >= element) with_piece(piece, store);
  else dispatch_width(element, store);  // single elements, and a c128 at an odd multiple of 8
  launched(l, "store_last");
}

/// What one scatter needs besides its result.
template <class K>
struct Scratch {
  K *key = nullptr, *from = nullptr;  // not yet sorted
  std::byte *cub = nullptr, *block_sums = nullptr;
  std::size_t sort_bytes = 0, select_bytes = 0;
};

/// Updates of a place that is left to whole warps. On an H200 places of rows of 512 B, zipf: 1.75 ms with 512, 2.1 with
/// 256; of rows of 16 KiB: 0.34 ms with 512, 0.27 with 64.
Index long_from(Index run, Index block) {
  const Index updates = run < 32 ? 128 : std::clamp<Index>(65536 / run, 64, 512);
  return block > 0 ? std::min(updates, block) : updates;
}

/// Does an element fit where its offset would be? A complex number may lie where no word of its size does.
template <class K>
bool carries(const IndexPlan& plan) {
  return width(plan.dtype) <= static_cast<int>(sizeof(K)) && kind(plan.dtype) != Kind::kComplex && !steps_count(plan);
}

/// The greatest power of two that divides the way from the lowest place to any other.
int log_apart(const Launch& l) {
  Index ways = 0;
  const std::size_t axes = l.plan.domain.size() - (in_rows(l) ? 1 : 0);
  for (const AxisMap& axis : l.plan.indexed) {
    ways |= axis.stride * (axis.term >= 0 ? 1 : axis.offset);
    if (axis.stride < 0) ways |= axis.stride * (axis.extent - 1);  // the lowest place is the last
    for (std::size_t k = 0; k < axes; ++k) ways |= axis.stride * axis.step[k];
  }
  return ways == 0 ? 0 : std::countr_zero(static_cast<std::uint64_t>(ways));
}

template <class K>
Sorted<K> sorted_of(const Launch& l) {
  Sorted<K> s;
  s.run = in_rows(l) ? l.facts.run : 1;
  s.count = l.facts.elements / s.run;
  s.lo = l.facts.span.lo;
  s.log_apart = log_apart(l);
  s.nowhere = static_cast<K>(((l.facts.span.hi - s.lo) >> s.log_apart) + 1);
  s.block = block_of(l);
  s.carried = s.run == 1 && carries<K>(l.plan);
  s.long_from = long_from(s.run, s.block);
  return s;
}

/// With no memory: how much it takes.
template <class K>
cudaError_t sort(const Launch& l, const Sorted<K>& s, Scratch<K>& scratch) {
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(s.nowhere)));
  return cub::DeviceRadixSort::SortPairs(scratch.cub, scratch.sort_bytes, scratch.key, s.key, scratch.from, s.from,
                                         s.count, 0, bits, stream_of(l));
}

template <class K>
cudaError_t find_tasks(const Launch& l, const Sorted<K>& s, Scratch<K>& scratch) {
  const K apart = steps_count(l.plan) ? s.nowhere : static_cast<K>(-1);
  return cub::DeviceSelect::If(scratch.cub, scratch.select_bytes, thrust::counting_iterator<K>(0), s.task, s.tasks,
                               s.count, BeginsTask<K>{s.key, apart}, stream_of(l));
}

/// Most places of single elements are met once: each position looks by itself whether it begins one. 32 M f32: 2.20 ms
/// with a list, 2.05 without.
template <class K>
bool lists_tasks(const Launch& l, const Sorted<K>& s) {
  return steps_count(l.plan) || (s.run > 1 && l.plan.combine != Combine::kAssign);
}

template <class K>
bool want_memory(const Launch& l, Sorted<K>& s, Scratch<K>& scratch, Workspace& work) {
  if (!noted(l, sort(l, s, scratch), "SortPairs")) return false;
  for (K** keys : {&scratch.key, &scratch.from, &s.key, &s.from}) work.want(*keys, s.count);
  if (lists_tasks(l, s)) {
    if (!noted(l, find_tasks(l, s, scratch), "Select")) return false;
    work.want(s.task, s.count);
    work.want(s.tasks, 1);
  }
  for (K** longs : {&s.long_begin, &s.long_end}) work.want(*longs, most_longs(s));
  work.want(s.longs, 1);
  work.want(scratch.cub, static_cast<Index>(std::max(scratch.sort_bytes, scratch.select_bytes)));
  work.want(scratch.block_sums, s.block > 0 ? (s.count / s.block + 1) * s.run * width(l.plan.dtype) : 0);
  return true;
}

template <class K>
bool get_memory(const Launch& l, Sorted<K>& s, Scratch<K>& scratch, Workspace& work) {
  if (!want_memory(l, s, scratch, work) || !work.get(l)) return false;
  s.block_sums = scratch.block_sums;
  return true;
}

template <class K>
Index bytes_wanted(const Launch& l) {
  Sorted<K> s = sorted_of<K>(l);
  Scratch<K> scratch;
  Workspace work;
  want_memory(l, s, scratch, work);
  return work.bytes();
}

template <class K>
void find_keys(const Launch& l, const Sorted<K>& s, const Scratch<K>& scratch) {
  const std::size_t axes = l.plan.domain.size() - (in_rows(l) ? 1 : 0);
  const Along along{steps_count(l.plan) ? Along::What::kNumber
                    : s.carried         ? Along::What::kUpdate
                                        : Along::What::kOffset,
                    l.buffers.dense[0], width(l.plan.dtype)};
  with_plan_size(axes, lookups(l.plan), [&]<class Size>() {
    place_keys<K, Size><<<blocks_for(s.count), kBlockThreads, 0, stream_of(l)>>>(device_plan<Size>(l, axes), s,
                                                                                 scratch.key, scratch.from, along);
  });
}

template <class K>
void scatter_sorted(const Launch& l) {
  Sorted<K> s = sorted_of<K>(l);
  Scratch<K> scratch;
  Workspace work;
  if (!get_memory(l, s, scratch, work)) return;
  find_keys(l, s, scratch);
  if (!launched(l, "place_keys") || !noted(l, sort(l, s, scratch), "SortPairs")) return;
  const bool assigns = l.plan.combine == Combine::kAssign && !steps_count(l.plan);
  if (assigns) return store_all(l, s);
  if (lists_tasks(l, s) && !noted(l, find_tasks(l, s, scratch), "Select")) return;
  if (steps_count(l.plan)) step_all(l, s);
  else combine_all(l, s);
}

}  // namespace

/// With places in 64 bits: scatter_cuda_64.cu.
void scatter_sorted_64(const Launch& l);
Index scatter_bytes_64(const Launch& l);

}  // namespace garner
