// The list that a scatter sorts: keys, what goes along with them, and where each place begins. scatter_sorted.cuh has
// the whole way.
#pragma once
#include <bit>

#include "device/cpu/tuning.h"
#include "kernel/common/device_element.cuh"
#include "kernel/common/launch.cuh"
#include "kernel/common/locate.cuh"
#include "kernel/common/width.h"

namespace garner {
namespace {

/// Is every step of a place a result, or the condition of the next?
bool steps_count(const IndexPlan& plan) { return plan.fetch_stride || plan.combine == Combine::kCompareExchange; }

/// Rows where no two overlap in part; otherwise single elements.
bool in_rows(const Launch& l) {
  return l.facts.run > 1 && l.facts.apart == static_cast<int>(l.plan.domain.size()) - 1 && !steps_count(l.plan);
}

/// Updates in a block: where the order of a result's steps counts and no block is defined, all are one.
Index block_of(const Launch& l) {
  const Combine c = l.plan.combine;
  if (steps_count(l.plan) || c == Combine::kAssign) return 0;
  if (c == Combine::kMul && rounds(l.plan.dtype)) return 0;
  return l.sum_block > 0 ? l.sum_block : tuning().sum_block;
}

/// Does an element fit where its offset would be? A complex number may lie where no word of its size does.
template <class K>
bool carries(const IndexPlan& plan) {
  return width(plan.dtype) <= static_cast<int>(sizeof(K)) && kind(plan.dtype) != Kind::kComplex && !steps_count(plan);
}

/// The greatest power of two that divides the way from the lowest place to any other that these axes
/// lead to.
int log_apart(const IndexPlan& plan, std::size_t axes) {
  Index ways = 0;
  for (const AxisMap& axis : plan.indexed) {
    ways |= axis.stride * (axis.term >= 0 ? 1 : axis.offset);
    if (axis.stride < 0) ways |= axis.stride * (axis.extent - 1);  // the lowest place is the last
    for (std::size_t k = 0; k < axes; ++k) ways |= axis.stride * axis.step[k];
  }
  return ways == 0 ? 0 : std::countr_zero(static_cast<std::uint64_t>(ways));
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
  if (along.width == 1) return static_cast<const std::uint8_t*>(along.update)[at];
  if (along.width == 2) return static_cast<const std::uint16_t*>(along.update)[at];
  if (along.width == 4) return static_cast<const std::uint32_t*>(along.update)[at];
  return static_cast<K>(static_cast<const std::uint64_t*>(along.update)[at]);
}

template <class K, class Size>
__global__ void __launch_bounds__(kBlockThreads)
    place_keys(const __grid_constant__ DevicePlan<Size> plan, Sorted<K> sorted, K* key, K* from, Along along_with) {
  const Index at = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  if (at >= plan.positions) return;
  // On its way before the index is waited for, behind which comes the report of a bad one.
  Index d[Size::kAxes];
  coordinates(plan, at, d);
  K update{};
  if (along_with.what == Along::What::kUpdate) update = bits_of<K>(along_with, along(plan, d, plan.dense_stride));
  const Spot spot = locate(plan, at);
  key[at] = spot.valid ? static_cast<K>((spot.indexed - sorted.lo) >> sorted.log_apart) : sorted.nowhere;
  from[at] = along_with.what == Along::What::kNumber   ? static_cast<K>(at)
             : along_with.what == Along::What::kOffset ? static_cast<K>(spot.dense)
                                                       : update;
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

/// Where the updates of the place end that one at `at` is of: twice as far at every step, then by halves.
template <class K>
__device__ inline Index place_end(const Sorted<K>& s, Index at, Index step = 1) {
  const K key = s.key[at];
  Index end = at + 1, beyond = min(at + step, s.count);
  for (; beyond < s.count && s.key[beyond] == key; step *= 2) {
    end = beyond + 1;
    beyond = min(at + 2 * step, s.count);
  }
  while (end < beyond) {
    const Index middle = end + (beyond - end) / 2;
    if (s.key[middle] == key) end = middle + 1;
    else beyond = middle;
  }
  return end;
}

/// Where the updates of the place begin that one at `at` is of; `low` is of another place, or the first position it may
/// begin at.
template <class K>
__device__ inline Index place_begin(const Sorted<K>& s, Index low, Index at) {
  const K key = s.key[at];
  while (low < at) {
    const Index middle = low + (at - low) / 2;
    if (s.key[middle] == key) at = middle;
    else low = middle + 1;
  }
  return at;
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

}  // namespace
}  // namespace garner
