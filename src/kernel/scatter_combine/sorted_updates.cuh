// The updates of a sorted list: the last one of every place, or all of them combined. scatter_sorted.cuh has the whole
// way.
#pragma once
#include "device/cuda/follow.cuh"
#include "kernel/common/group.cuh"
#include "kernel/scatter_combine/sorted_list.cuh"

namespace garner {
namespace {

// Updates that a lane has on their way. Rows of 512 B, three updates a place, on an H200: 1.65 ms with 4; 2.2 with 8,
// which take registers from the others.
constexpr int kAhead = 4;
constexpr int kLongThreads = 64;  // in a block of combine_long_rows(): there may be few of them, for all processors

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

template <class S, int V, class Step>
__device__ inline void add_to(Group<S, V>& sum, const Group<S, V>& update, const Step& step) {
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

template <class To, class From>
__device__ inline To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

/// A lane's columns of a task. Of wide rows the first updates are on their way before the place is waited for (1396 ->
/// 1322 us for rows of 512 B; 32 M single f32, most of them alone in their place, 2026 -> 2096), and stay words until
/// they are added: taken apart at once, narrow elements would be waited for one after another.
template <class T, int V, class K, class S = typename T::Storage>
__device__ inline void combine_task(const Sorted<K>& s, const Work<S>& w, const Task<S, K>& task, Index column) {
  using P = Group<S, V>;
  constexpr bool kEarly = V > 1;
  using Words = std::conditional_t<V == 1, P, Group<unsigned, 4>>;
  const auto read = [&](Index at) {
    const S* update = V == 1 ? update_of(s, w.update, at) : w.update + static_cast<Index>(s.from[at]);
    return *reinterpret_cast<const Words*>(update + column);
  };
  Words update[kAhead];
  const auto read_some = [&](Index at) {
#pragma unroll
    for (int j = 0; j < kAhead; ++j)
      if (at + j < task.end) update[j] = read(at + j);
  };
  auto* to = reinterpret_cast<P*>(task.target + column);
  const bool with_first = !task.is_first && !w.from_zero;
  Index at = task.begin + (with_first ? 1 : 0);
  if constexpr (kEarly) read_some(at);
  P sum{};
  if (task.is_first) sum = *to;
  else if (with_first) sum = same_bits<P>(read(task.begin));
  const AnyStep<T> step{w.combine};  // sums by themselves: 3 % less time, half as much code again
  while (at < task.end) {
    if constexpr (!kEarly) read_some(at);
#pragma unroll
    for (int j = 0; j < kAhead; ++j)
      if (at + j < task.end) add_to(sum, same_bits<P>(update[j]), step);
    at += kAhead;
    if constexpr (kEarly) read_some(at);
  }
  *to = sum;
}

/// Places of many updates, for whole warps. One of more than long_from updates has a multiple of half as many among its
/// positions, and another beside that.
template <class K>
__global__ void __launch_bounds__(kBlockThreads) list_longs(Sorted<K> s) {
  const Index threads = static_cast<Index>(gridDim.x) * kBlockThreads, half = max(Index{1}, s.long_from / 2);
  const Index first = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  for (Index at = first * half; at + half < s.count; at += threads * half) {
    const K key = s.key[at];
    if (key == s.nowhere || key != s.key[at + half] || (at > 0 && key == s.key[at - half])) continue;
    const Index begin = place_begin(s, at > 0 ? at - half : at, at), end = place_end(s, at + half, half);
    if (end - begin > s.long_from) list_long(s, begin, end);
  }
}

/// Blocks of combine_tasks() that a processor should hold, by the bytes of a lane's columns. Rows of 512 B on an H200,
/// uniform, half of them to one place, zipf: 1318, 1367, 1184 us with 4; 1382, 1290, 1190 with the 5 that the compiler
/// chooses; 1526, 1441, 1194 with 6.
constexpr int blocks_at_once(std::size_t bytes) { return bytes > 4 ? 4 : 6; }

/// Beside what combines long places, which are others.
template <class T, int V, class K>
__global__ void __launch_bounds__(kBlockThreads, blocks_at_once(sizeof(typename T::Storage) * V))
    combine_tasks(Sorted<K> s, Work<typename T::Storage> w) {
  using S = typename T::Storage;
  const Index thread = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x, lanes = Index{1} << w.log_lanes;
  const Index groups = (static_cast<Index>(gridDim.x) * kBlockThreads) >> w.log_lanes;
  const Index tasks = s.task != nullptr ? static_cast<Index>(*s.tasks) : s.count;
  // A group has as many columns as its lanes; of long rows several groups have one task each.
  const Index slices = (s.run + lanes * V - 1) / (lanes * V), work = tasks * slices;
  for (Index item = thread >> w.log_lanes; item < work; item += groups) {
    const Index number = slices == 1 ? item : item / slices, slice = item - number * slices;
    const Updates updates = updates_of(s, number);
    if (updates.begin == updates.end || updates.end - updates.begin > s.long_from) continue;
    const Task<S, K> task(s, w, updates);
    if (task.target == nullptr) continue;
    if (const Index column = (slice * lanes + (thread & (lanes - 1))) * V; column < s.run)
      combine_task<T, V>(s, w, task, column);
  }
  if (blockIdx.x == gridDim.x - 1) wait_for_first();  // what comes next begins when both have ended
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
  may_be_followed();
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
__device__ inline void combine_next(Group<S, V>& sum, const S* from, const Step& step, const Where& where) {
  Group<S, V> update[N];
#pragma unroll
  for (int j = 0; j < N; ++j) update[j] = *reinterpret_cast<const Group<S, V>*>(from + static_cast<Index>(where(j)));
#pragma unroll
  for (int j = 0; j < N; ++j) add_to(sum, update[j], step);
}

/// A lane's columns of a long task: N updates are on their way while those before them are combined.
template <int N, class K, class S, int V, class Step>
__device__ inline void combine_columns(Group<S, V>& sum, const Sorted<K>& s, Index at, Index end, const S* from,
                                       const Step& step) {
  using P = Group<S, V>;
  const auto lane = static_cast<int>(threadIdx.x) % 32;
  const auto offset = [&](Index first) { return first + lane < end ? s.from[first + lane] : K{}; };
  const auto read = [&](P(&to)[N], K mine) {
#pragma unroll
    for (int j = 0; j < N; ++j) to[j] = *reinterpret_cast<const P*>(from + static_cast<Index>(of_lane(mine, j)));
  };
  const auto add = [&](const P(&some)[N]) {
#pragma unroll
    for (int j = 0; j < N; ++j) add_to(sum, some[j], step);
  };
  if (at + N <= end) {
    P now[N], later[N];
    read(now, offset(at));
    K next = offset(at + N);
    for (; at + 2 * N <= end; at += N) {
      read(later, next);
      next = offset(at + 2 * N);
      add(now);
#pragma unroll
      for (int j = 0; j < N; ++j) now[j] = later[j];
    }
    add(now);
    at += N;
  }
  for (; at + 4 <= end; at += 4) combine_next<4>(sum, from, step, [&](int j) { return s.from[at + j]; });
  for (; at < end; ++at) combine_next<1>(sum, from, step, [&](int j) { return s.from[at + j]; });
}

/// Many updates of wide rows: a warp has V * 32 columns of one. Places of up to 16384 updates in rows of 512 B by the
/// lanes of combine_tasks() are what all wait for at the end.
template <class T, int V, class K>
__global__ void __launch_bounds__(kLongThreads) combine_long_rows(Sorted<K> s, Work<typename T::Storage> w) {
  using S = typename T::Storage;
  using P = Group<S, V>;
  may_be_followed();
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

/// What the blocks from position `at` on make of a place. Sixteen are read at once: there may be hundreds.
template <class T, class K, class S = typename T::Storage>
__device__ inline S add_blocks(const Sorted<K>& s, const Work<S>& w, K key, Index at, Index column, S sum) {
  constexpr int kBlocks = 16;
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

/// Later blocks to their places, in order. Of long rows several groups have one place each: with 78 blocks of 128
/// columns one group took 122 us.
template <class T, class K>
__global__ void __launch_bounds__(kBlockThreads) finish_blocks(Sorted<K> s, Work<typename T::Storage> w) {
  using S = typename T::Storage;
  const Index thread = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x, lanes = Index{1} << w.log_lanes;
  const Index groups = (static_cast<Index>(gridDim.x) * kBlockThreads) >> w.log_lanes;
  const Index slices = (s.run + lanes - 1) / lanes, work = static_cast<Index>(*s.longs) * slices;
  for (Index item = thread >> w.log_lanes; item < work; item += groups) {
    const Index number = item / slices, column = (item - number * slices) * lanes + (thread & (lanes - 1));
    const auto begin = static_cast<Index>(s.long_begin[number]), later = begin + s.block;
    const K key = s.key[begin];
    const bool is_first = begin == 0 || s.key[begin - 1] != key;
    if (!is_first || later >= s.count || s.key[later] != key || column >= s.run) continue;
    S& place = w.place[place_of(s, key) + column];
    place = add_blocks<T>(s, w, key, later, column, place);
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

}  // namespace
}  // namespace garner
