// Updates sorted by the panel of the target that they go to: keys, and where each panel's begin. panel_scatter_cuda.cu
// has the whole way.
#pragma once
#include <bit>

#include "kernel/scatter_combine/hot_places.cuh"
#include "kernel/scatter_combine/sorted_updates.cuh"

namespace garner {
namespace {

constexpr int kPanelThreads = 256, kPanelWarps = kPanelThreads / 32;
constexpr unsigned kMostUpdates = 16384;  // of a panel that is not split
constexpr int kLogLeastPart = 9, kLogMostPart = 11, kPartPlaces = 1 << kLogMostPart;  // places of a part
constexpr int kKeysEach = 4;  // positions of a thread that wait for memory together

/// Places of a panel, as a power of two, by the bytes of each.
constexpr int log_panel(unsigned bytes) { return 15 - std::countr_zero(bytes); }

/// A part of a panel that has too many updates.
struct Split {
  unsigned panel, part, begin, end;
  int log_places;
};

/// What all steps speak of.
struct Panels {
  Sorted<unsigned> sorted;
  unsigned places, count;  // of the target; of panels
  int log_panel;  // places of a panel, as a power of two
  unsigned most;  // updates of a panel that is not split
  unsigned* begin;  // of the updates of each panel, then of each hot place, then of no place
  HotTable* hot;
  Split* split;
  unsigned *splits, *next;  // how many there are; the next panel that no block has yet

  __device__ unsigned key_of_hot(unsigned number) const { return (count + number) << log_panel; }
};

// ---- keys ----

template <class Places>
__global__ void __launch_bounds__(kBlockThreads)
    panel_keys(const __grid_constant__ Places places, Panels p, PlaceNumbers numbers, unsigned* key, unsigned* update,
               Along along) {
  const Index first = static_cast<Index>(blockIdx.x) * (kBlockThreads * kKeysEach) + threadIdx.x;
  unsigned place[kKeysEach], bits[kKeysEach];
#pragma unroll
  for (int k = 0; k < kKeysEach; ++k) {
    const Index at = first + k * kBlockThreads;
    const Spot spot = places.at(min(at, places.positions() - 1), at < places.positions());
    place[k] = numbers(spot);
    bits[k] = bits_of<unsigned>(along, spot.dense);
  }
#pragma unroll
  for (int k = 0; k < kKeysEach; ++k) {
    const Index at = first + k * kBlockThreads;
    if (at >= places.positions()) return;
    const unsigned hot = place[k] == kNoPlace ? kNoPlace : p.hot->find(place[k]);
    key[at] = place[k] == kNoPlace ? p.sorted.nowhere : hot == kNoPlace ? place[k] : p.key_of_hot(hot);
    update[at] = bits[k];
  }
}

/// The first position with a key that is not below this one.
__device__ inline unsigned first_from(const Sorted<unsigned>& s, unsigned key) {
  unsigned low = 0, high = static_cast<unsigned>(s.count);
  while (low < high) {
    const unsigned middle = low + (high - low) / 2;
    if (s.key[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// As many parts as keep their updates few, but not too few places: each part looks at all updates.
__device__ inline void split_panel(const Panels& p, unsigned panel, unsigned begin, unsigned end) {
  int log_places = min(kLogMostPart, p.log_panel);
  while (log_places > kLogLeastPart && (end - begin) >> (p.log_panel - log_places) > kMostUpdates) --log_places;
  const unsigned parts = 1U << (p.log_panel - log_places), first = atomicAdd(p.splits, parts);
  for (unsigned i = 0; i < parts; ++i) p.split[first + i] = {panel, i, begin, end, log_places};
}

/// One thread a key; the last thread of a block only finds where the one before it ends.
__global__ void __launch_bounds__(kBlockThreads) bound_panels(Panels p) {
  __shared__ unsigned begins[kBlockThreads];
  const unsigned number = blockIdx.x * (kBlockThreads - 1) + threadIdx.x;
  const bool is_there = number <= p.count + kMostHot;
  begins[threadIdx.x] = is_there ? first_from(p.sorted, number << p.log_panel) : 0;
  __syncthreads();
  if (!is_there || threadIdx.x == kBlockThreads - 1) return;
  const unsigned begin = begins[threadIdx.x];
  p.begin[number] = begin;
  if (number < p.count && begins[threadIdx.x + 1] - begin > p.most)
    split_panel(p, number, begin, begins[threadIdx.x + 1]);
}

/// Blocks of hot places, whose keys are those places from now on, as far as anyone looks at them.
__global__ void __launch_bounds__(kMostHot) list_hot(Panels p) {
  const unsigned number = threadIdx.x;
  if (number >= p.hot->count) return;
  const unsigned begin = p.begin[p.count + number], end = p.begin[p.count + number + 1], place = p.hot->place[number];
  if (begin == end) return;
  list_long(p.sorted, begin, end);
  for (Index at = begin; at < end; at += p.sorted.block) {
    p.sorted.key[at] = place;
    if (at > begin) p.sorted.key[at - 1] = place;
  }
}

// ---- updates in order ----

template <class S>
__device__ inline S element_of(unsigned word) {
  S out;
  memcpy(&out, &word, sizeof(S));
  return out;
}

/// Updates of one place, those of the lanes in `same`. What the next lane has is on its way before it is needed.
template <class Place, class S, class Next>
__device__ inline Place add_lanes(Place sum, S update, unsigned same, const Next& next) {
  if (__popc(same) <= 4) {
    for (; same != 0; same &= same - 1) sum = next(sum, of_lane(update, __ffs(static_cast<int>(same)) - 1));
    return sum;
  }
#pragma unroll 16
  for (int lane = 0; lane < 32; ++lane) {
    const Place added = next(sum, of_lane(update, lane));
    if ((same >> lane & 1U) != 0) sum = added;
  }
  return sum;
}

/// A list of updates, by all warps of a block: each has every eighth place, and takes its updates 32 at a time.
template <class S>
struct Listed {
  const unsigned *place, *update;
  unsigned count;

  template <class Place, class Next>
  __device__ void add(Place* places, const Next& next) const {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (unsigned row = 0; row < count; row += 32) {
      const unsigned at = min(row + lane, count - 1), where = row + lane < count ? place[at] : kNoPlace;
      const S what = element_of<S>(update[at]);
      unsigned mine = __ballot_sync(~0U, where != kNoPlace && where % kPanelWarps == warp);
      while (mine != 0) {
        const int leader = __ffs(static_cast<int>(mine)) - 1;
        const unsigned one = __shfl_sync(~0U, where, leader), same = __ballot_sync(~0U, where == one);
        const Place sum = add_lanes(places[one], what, same, next);
        __syncwarp();
        if (static_cast<int>(lane) == leader) places[one] = sum;
        __syncwarp();
        mine &= ~same;
      }
    }
  }
};

}  // namespace
}  // namespace garner
