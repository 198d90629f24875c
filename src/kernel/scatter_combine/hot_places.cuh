// Places that very many updates go to, found by a sample of the positions. Nothing hangs on what the sample misses but
// time.
#pragma once
#include <cub/block/block_radix_sort.cuh>

#include "kernel/common/launch.cuh"
#include "kernel/common/places.cuh"

namespace garner {
namespace {

constexpr int kSampleThreads = 1024, kSamplesEach = 4, kSamples = kSampleThreads * kSamplesEach;
constexpr int kHotSamples = 4;  // of one place make it hot: it has some thousandth of all updates
constexpr int kMostHot = kSamples / kHotSamples;
constexpr unsigned kNoPlace = UINT32_MAX;

/// The hot places, in no order, and a table of hashes that leads to them.
struct HotTable {
  static constexpr unsigned kLogSlots = 12, kLogBits = 13;
  unsigned count;
  unsigned place[kMostHot];
  unsigned bits[1U << (kLogBits - 5)];  // where most places see that they are not hot
  unsigned slot[1U << kLogSlots];       // numbers of places; kNoPlace: free

  __device__ static unsigned hash(unsigned key) { return key * 2654435769U; }
  __device__ static unsigned first_slot(unsigned hash) { return hash >> (32 - kLogSlots); }
  __device__ static unsigned bit(unsigned hash) { return hash >> (32 - kLogBits); }

  /// Which hot place it is; kNoPlace: none.
  __device__ unsigned find(unsigned key) const {
    const unsigned h = hash(key);
    if (__ldg(&count) == 0 || (__ldg(bits + bit(h) / 32) >> bit(h) % 32 & 1U) == 0) return kNoPlace;
    for (unsigned at = first_slot(h);; at = (at + 1) % (1U << kLogSlots)) {
      const unsigned number = __ldg(slot + at);
      if (number == kNoPlace || __ldg(place + number) == key) return number;
    }
  }

  __device__ void clear() {
    for (unsigned i = threadIdx.x; i < 1U << kLogSlots; i += blockDim.x) slot[i] = kNoPlace;
    for (unsigned i = threadIdx.x; i < 1U << (kLogBits - 5); i += blockDim.x) bits[i] = 0;
    if (threadIdx.x == 0) count = 0;
  }
  __device__ void add(unsigned key) {
    const unsigned number = atomicAdd(&count, 1), h = hash(key);
    place[number] = key;
    atomicOr(bits + bit(h) / 32, 1U << bit(h) % 32);
    unsigned at = first_slot(h);
    while (atomicCAS(slot + at, kNoPlace, number) != kNoPlace) at = (at + 1) % (1U << kLogSlots);
  }
};

/// Places as numbers from 0 on; what updates nothing is kNoPlace.
struct PlaceNumbers {
  Index lo;
  int log_apart;
  __device__ unsigned operator()(const Spot& spot) const {
    return spot.valid ? static_cast<unsigned>((spot.indexed - lo) >> log_apart) : kNoPlace;
  }
};

/// Evenly spread positions, none of them twice, each anywhere in its stretch.
template <class Places>
__global__ void __launch_bounds__(kBlockThreads)
    take_samples(const __grid_constant__ Places places, PlaceNumbers numbers, unsigned* sample) {
  const unsigned i = blockIdx.x * kBlockThreads + threadIdx.x;
  const Index count = places.positions(), begin = i * count / kSamples, end = (i + 1) * count / kSamples;
  const Index at = begin < end ? begin + HotTable::hash(i) % (end - begin) : begin;
  sample[i] = begin < end ? numbers(places.at(at, false)) : kNoPlace;
}

/// What one panel of places has too many samples of.
struct Crowd {
  int log_panel, samples;
};

/// By one block. What else is to begin empty is set to zero. Told to the CPU, if it asks: how many hot places there
/// are, and how many samples more than a panel should have.
__global__ void __launch_bounds__(kSampleThreads)
    find_hot(const unsigned* sample, Crowd crowd, HotTable* table, uint4* zero, Index* found) {
  using Sort = cub::BlockRadixSort<unsigned, kSampleThreads, kSamplesEach>;
  __shared__ union {
    typename Sort::TempStorage sort;
    unsigned sorted[kSamples];
  } room;
  unsigned mine[kSamplesEach];
  for (int k = 0; k < kSamplesEach; ++k) mine[k] = sample[threadIdx.x * kSamplesEach + k];
  table->clear();
  if (threadIdx.x == 0) *zero = {0, 0, 0, 0};
  Sort(room.sort).Sort(mine);
  __syncthreads();
  for (int k = 0; k < kSamplesEach; ++k) room.sorted[threadIdx.x * kSamplesEach + k] = mine[k];
  __syncthreads();
  const auto key_at = [&](int at) { return at < kSamples ? room.sorted[at] : kNoPlace; };
  int crowded = 0;
  for (int at = static_cast<int>(threadIdx.x); at < kSamples; at += kSampleThreads) {
    const unsigned key = key_at(at), last_of_crowd = key_at(at + crowd.samples - 1);
    if (key == kNoPlace) continue;
    if (last_of_crowd != kNoPlace && last_of_crowd >> crowd.log_panel == key >> crowd.log_panel) ++crowded;
    const bool is_first = at == 0 || room.sorted[at - 1] != key;
    if (is_first && key_at(at + kHotSamples - 1) == key) table->add(key);
  }
  atomicAdd(&zero->w, static_cast<unsigned>(crowded));
  __syncthreads();
  if (threadIdx.x == 0 && found != nullptr) *found = table->count + zero->w;
}

}  // namespace
}  // namespace garner
