// Every block finds all places, in its shared memory, and sees which updates meet in one. Whoever has the first update
// of a place combines those that follow, in their order: no memory, and nothing is sorted.
#include "kernel/scatter_combine/few_updates.h"

#include "kernel/scatter_combine/sorted_updates.cuh"

namespace garner {
namespace {

using Size = PlanSize<4, 2>;
constexpr int kMostUpdates = 1024;
constexpr Index kFewLooks = Index{1} << 22;

struct Few {
  int count;
  Index run, lo;  // elements of a row, the lowest place
};

/// Places that are updated, and the first and the last update of each.
struct FewPlaces {
  static constexpr unsigned kSlots = 2 * kMostUpdates, kNone = ~0U;
  std::uint32_t place[kSlots];
  int first[kSlots], last[kSlots];

  __device__ void clear() {
    for (unsigned i = threadIdx.x; i < kSlots; i += kBlockThreads) {
      place[i] = kNone;
      first[i] = kMostUpdates;
      last[i] = -1;
    }
  }

  /// The slot of the place, which is less than kNone.
  __device__ std::uint32_t add(std::uint32_t wanted, int update) {
    unsigned slot = wanted * 0x9E3779B1U % kSlots;
    for (;; slot = (slot + 1) % kSlots) {
      const std::uint32_t there = atomicCAS(&place[slot], kNone, wanted);
      if (there == kNone || there == wanted) break;
    }
    atomicMin(&first[slot], update);
    atomicMax(&last[slot], update);
    return slot;
  }
};

/// What each update has: the slot of its place, and what it is, or where it begins.
template <class S>
struct FewUpdates {
  static constexpr int kAtOnce = 16;  // slots that are looked at together: their reads do not wait for one another
  struct alignas(16) Four {
    std::uint32_t slot[4];
  };
  Four four[kMostUpdates / 4];
  alignas(16) unsigned char memory[kMostUpdates * (sizeof(S) > 4 ? sizeof(S) : 4)];

  __device__ S& single(int at) { return reinterpret_cast<S*>(memory)[at]; }
  __device__ std::uint32_t& from(int at) { return reinterpret_cast<std::uint32_t*>(memory)[at]; }

  __device__ std::uint32_t& slot(int at) { return four[at / 4].slot[at % 4]; }

  /// A bit for each of the kAtOnce updates from `begin` on that is of this slot.
  __device__ unsigned of_slot(std::uint32_t mine, int begin) const {
    unsigned found = 0;
#pragma unroll
    for (int r = 0; r < kAtOnce / 4; ++r) {
      const Four some = four[begin / 4 + r];
#pragma unroll
      for (int e = 0; e < 4; ++e) found |= some.slot[e] == mine ? 1U << (4 * r + e) : 0;
    }
    return found;
  }
};

/// One block reports bad indices. Single elements are read at once, for whoever wants them: where each asked for its own
/// when it was found, and all keys were compared with all, 1,024 sums of f32 took 20 us on an H200 (with this 10, which
/// is the time of the call).
template <class S>
__device__ inline void find_places(const DevicePlan<Size>& plan, const Few& few, const S* update, FewPlaces& places,
                                   FewUpdates<S>& updates) {
#pragma unroll
  for (int k = 0; k < kMostUpdates / kBlockThreads; ++k) {
    const int i = k * kBlockThreads + static_cast<int>(threadIdx.x);
    if (i >= few.count) continue;
    const Spot spot = locate(plan, i, blockIdx.x == 0);
    updates.slot(i) = spot.valid ? places.add(static_cast<std::uint32_t>(spot.indexed - few.lo), i) : FewPlaces::kNone;
    if (few.run > 1) updates.from(i) = static_cast<std::uint32_t>(spot.dense);
    else if (spot.valid) updates.single(i) = update[spot.dense];
  }
}

/// Of places that are assigned the last update has all there is to do, of others the first one.
template <class T>
__global__ void __launch_bounds__(kBlockThreads)
    combine_few(const __grid_constant__ DevicePlan<Size> plan, Few few, Work<typename T::Storage> w) {
  using S = typename T::Storage;
  __shared__ FewPlaces places;
  __shared__ FewUpdates<S> updates;
  places.clear();
  __syncthreads();
  find_places(plan, few, w.update, places, updates);
  __syncthreads();
  const Index thread = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  const Index number = thread / few.run, column = thread - number * few.run;
  if (number >= few.count) return;
  const auto at = static_cast<int>(number);
  const std::uint32_t slot = updates.slot(at);
  const bool assigns = w.combine == Combine::kAssign;
  if (slot == FewPlaces::kNone || (assigns ? places.last : places.first)[slot] != at) return;
  const auto update = [&](int i) { return few.run > 1 ? w.update[updates.from(i) + column] : updates.single(i); };
  auto& place = w.place[few.lo + places.place[slot] + column];
  if (assigns) {
    place = update(at);
    return;
  }
  S sum = place;
  const int last = places.last[slot];
  with_step<T>(w.combine, [&](const auto& step) {
    for (int begin = at / updates.kAtOnce * updates.kAtOnce; begin <= last; begin += updates.kAtOnce) {
      unsigned which = updates.of_slot(slot, begin);
      if (last - begin < updates.kAtOnce) which &= (2U << (last - begin)) - 1;  // behind the last update is anything
      if (which == 0) continue;
      S some[updates.kAtOnce];  // on their way together: one place may have all updates
#pragma unroll
      for (int e = 0; e < updates.kAtOnce; ++e)
        if ((which >> e & 1) != 0) some[e] = update(begin + e);
#pragma unroll
      for (int e = 0; e < updates.kAtOnce; ++e)
        if ((which >> e & 1) != 0) sum = step(sum, some[e]);
    }
  });
  place = sum;
}

std::size_t walked_axes(const Launch& l) { return l.plan.domain.size() - (in_rows(l) ? 1 : 0); }
Index run_of(const Launch& l) { return in_rows(l) ? l.facts.run : 1; }

}  // namespace

bool has_few_updates(const Launch& l) {
  if (steps_count(l.plan) || walked_axes(l) > Size::kAxes || lookups(l.plan) > Size::kTerms) return false;
  const Index run = run_of(l), count = l.facts.elements / run;
  return count <= kMostUpdates && count * count <= kFewLooks / run;
}

void scatter_few(const Launch& l) {
  const Index run = run_of(l), count = l.facts.elements / run, lo = l.facts.span.lo;
  const Few few{static_cast<int>(count), run, lo};
  const auto plan = device_plan<Size>(l, walked_axes(l));
  with_device_element(l.plan.dtype, [&]<class T>() {
    using S = typename T::Storage;
    const Work<S> w{.place = static_cast<S*>(l.buffers.indexed[0]),
                    .block_sums = nullptr,
                    .update = static_cast<const S*>(l.buffers.dense[0]),
                    .combine = l.plan.combine,
                    .from_zero = false,
                    .log_lanes = 0};
    combine_few<T><<<blocks_for(count * run), kBlockThreads, 0, stream_of(l)>>>(plan, few, w);
  });
  launched(l, "combine_few");
}

}  // namespace garner
