// Every scatter. Positions are sorted by the place they update, those of one place in index order; then every place is
// updated by one group of threads, in that order. No atomics: the bits are the same every time, and those of the CPU.
//
//   keys     the place of every row, and where its updates lie; small elements go along themselves
//   sort     by place; stable, and only the bits that places have
//   tasks    where a place begins in the sorted list (both by one block where it is short)
//   long     places of many updates are listed, in blocks (kernel/common/block_sums.h), and combined by whole warps;
//            what is no first block goes into memory of its own
//   combine  every other task by one group of lanes, at the same time
//   finish   those blocks are added to their places, one after another
//
// Few updates are combined as they stand (few_updates.h).
// K holds places and offsets of updates. Each K is compiled in a file of its own: they take minutes.
#pragma once
#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_select.cuh>

#include "kernel/common/pieces.h"
#include "kernel/common/width.h"
#include "kernel/common/workspace.cuh"
#include "kernel/scatter_combine/small_list.cuh"
#include "kernel/scatter_combine/sort_pairs.h"
#include "kernel/scatter_combine/sorted_updates.cuh"

namespace garner {
namespace {

/// Axes of the domain that are walked, not part of a row.
std::size_t walked(const Launch& l) { return l.plan.domain.size() - (in_rows(l) ? 1 : 0); }

/// Blocks that combine_tasks() lists at most.
template <class K>
Index most_longs(const Sorted<K>& s) {
  return s.count / s.long_from + (s.block > 0 ? s.count / s.block : 0) + 1;
}

/// How one kernel combines with the next.
template <class T, int V, class K>
struct Combining {
  using S = typename T::Storage;
  const Launch& l;
  const Sorted<K>& s;
  Work<S> w;

  /// Places of many updates are listed, and given to whole warps.
  void longs() const {
    constexpr int kWord = V == 1 ? 1 : std::max(1, 4 / static_cast<int>(sizeof(S)));
    list_longs<<<resident_blocks(l, 2 * s.count / s.long_from), kBlockThreads, 0, stream_of(l)>>>(s);
    const Index warps = most_longs(s) * s.run;
    if (s.run < 32) combine_long<T, K><<<resident_blocks(l, warps * 32), kBlockThreads, 0, stream_of(l)>>>(s, w);
    else combine_long_rows<T, kWord, K><<<resident_blocks(l, warps * 8), kLongThreads, 0, stream_of(l)>>>(s, w);
  }

  /// All others, by groups of lanes; beside long ones, which wait for one update after another.
  bool others(bool beside) const {
    const Index slices = (s.run / V + (Index{1} << w.log_lanes) - 1) >> w.log_lanes;
    const unsigned blocks = resident_blocks(l, (s.count * slices) << w.log_lanes);
    const Following second{l.cuda->device, stream_of(l), blocks, kBlockThreads};
    if (beside) return noted(l, follow(second, combine_tasks<T, V, K>, s, w), "combine_tasks");
    combine_tasks<T, V, K><<<blocks, kBlockThreads, 0, stream_of(l)>>>(s, w);
    return launched(l, "combine_tasks");
  }

  void finish() const {
    Work<S> rows = w;
    rows.log_lanes = lanes_for(s.run);
    const unsigned blocks = resident_blocks(l, most_longs(s) * s.run);
    finish_blocks<T, K><<<blocks, kBlockThreads, 0, stream_of(l)>>>(s, rows);
    launched(l, "finish_blocks");
  }
};

template <class T, int V, class K>
void combine_sorted(const Launch& l, const Sorted<K>& s) {
  using S = typename T::Storage;
  const Combining<T, V, K> combining{
      l,
      s,
      {static_cast<S*>(l.buffers.indexed[0]), static_cast<S*>(s.block_sums), static_cast<const S*>(l.buffers.dense[0]),
       l.plan.combine, l.plan.combine == Combine::kAdd && rounds(l.plan.dtype), lanes_for(s.run / V)}};
  const bool has_longs = s.count > s.long_from;
  if (has_longs) combining.longs();
  if (!launched(l, "combine_long") || !combining.others(has_longs)) return;
  if (has_longs && s.block > 0 && s.count > s.block) combining.finish();
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

template <class K>
Sorted<K> sorted_of(const Launch& l) {
  Sorted<K> s;
  s.run = in_rows(l) ? l.facts.run : 1;
  s.count = l.facts.elements / s.run;
  s.lo = l.facts.span.lo;
  s.log_apart = log_apart(l.plan, walked(l));
  s.nowhere = static_cast<K>(((l.facts.span.hi - s.lo) >> s.log_apart) + 1);
  s.block = block_of(l);
  s.carried = s.run == 1 && carries<K>(l.plan);
  s.long_from = long_from(s.run, s.block);
  return s;
}

/// That places have.
template <class K>
int key_bits(const Sorted<K>& s) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(s.nowhere)));
}

/// With no memory: how much it takes.
template <class K>
cudaError_t sort(const Launch& l, const Sorted<K>& s, Scratch<K>& scratch) {
  return sort_pairs({scratch.cub, scratch.sort_bytes},
                    Pairs<K>{scratch.key, scratch.from, s.key, s.from, s.count, 0, key_bits(s)}, stream_of(l));
}

/// What updates nothing is a task each where every step is a result.
template <class K>
K task_apart(const Launch& l, const Sorted<K>& s) {
  return steps_count(l.plan) ? s.nowhere : static_cast<K>(-1);
}

template <class K>
cudaError_t find_tasks(const Launch& l, const Sorted<K>& s, Scratch<K>& scratch) {
  return cub::DeviceSelect::If(scratch.cub, scratch.select_bytes, thrust::counting_iterator<K>(0), s.task, s.tasks,
                               s.count, BeginsTask<K>{s.key, task_apart(l, s)}, stream_of(l));
}

/// Most places of single elements are met once: each position looks by itself whether it begins one. 32 M f32: 2.20 ms
/// with a list, 2.05 without.
template <class K>
bool lists_tasks(const Launch& l, const Sorted<K>& s) {
  return steps_count(l.plan) || (s.run > 1 && l.plan.combine != Combine::kAssign);
}

template <class K>
bool want_memory(const Launch& l, Sorted<K>& s, Scratch<K>& scratch, Workspace& work) {
  for (K** keys : {&scratch.key, &scratch.from}) work.want(*keys, s.count);
  for (K** keys : {&s.key, &s.from}) work.want(*keys, s.count);
  if (!is_small(s) && !noted(l, sort(l, s, scratch), "SortPairs")) return false;
  if (lists_tasks(l, s)) {
    if (!is_small(s) && !noted(l, find_tasks(l, s, scratch), "Select")) return false;
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
  const std::size_t axes = walked(l);
  const Along along{steps_count(l.plan) ? Along::What::kNumber
                    : s.carried         ? Along::What::kUpdate
                                        : Along::What::kOffset,
                    l.buffers.dense[0], width(l.plan.dtype)};
  with_plan_size(axes, lookups(l.plan), [&]<class Size>() {
    place_keys<K, Size><<<blocks_for(s.count), kBlockThreads, 0, stream_of(l)>>>(device_plan<Size>(l, axes), s,
                                                                                 scratch.key, scratch.from, along);
  });
}

/// Keys in their order, where places begin, and an empty list of long ones.
template <class K>
bool make_list(const Launch& l, const Sorted<K>& s, Scratch<K>& scratch) {
  if constexpr (sizeof(K) == 4)
    if (is_small(s)) return sort_by_one_block(l, s, {scratch.key, scratch.from, key_bits(s), task_apart(l, s)});
  if (!noted(l, sort(l, s, scratch), "SortPairs")) return false;
  if (lists_tasks(l, s) && !noted(l, find_tasks(l, s, scratch), "Select")) return false;
  return noted(l, cudaMemsetAsync(s.longs, 0, sizeof(unsigned), stream_of(l)), "cudaMemsetAsync");
}

template <class K>
void scatter_sorted(const Launch& l) {
  Sorted<K> s = sorted_of<K>(l);
  Scratch<K> scratch;
  Workspace work;
  if (!get_memory(l, s, scratch, work)) return;
  find_keys(l, s, scratch);
  if (!launched(l, "place_keys")) return;
  if (!make_list(l, s, scratch)) return;
  if (steps_count(l.plan)) step_all(l, s);
  else if (l.plan.combine == Combine::kAssign) store_all(l, s);
  else combine_all(l, s);
}

}  // namespace

/// With places in 64 bits: scatter_cuda_64.cu.
void scatter_sorted_64(const Launch& l);
Index scatter_bytes_64(const Launch& l);

}  // namespace garner
