// Sums of many single elements in a large target. Positions are sorted by no more than the panel of the target that
// they update, in index order; then a block brings what is touched of a panel into shared memory, adds there, and takes
// it back. A sort by places (scatter_sorted.cuh) moves every update once more for each digit, and then goes to each
// place by itself.
//
//   samples  places that very many updates go to (hot_places.cuh) are kept apart
//   keys     of panels, of hot places, of what updates nothing; the updates themselves go along
//   sort     by these, stable
//   bounds   where the updates of each begin; panels of too many updates are split
//   hot      combined by whole warps, in blocks (kernel/common/block_sums.h), as in scatter_sorted.cuh
//   parts    of panels that are split: a block each looks through all of the panel's updates, and counts those of every
//            place, as a sum may be longer than a block here
//   panels   all others, a block each
//
// The last three run side by side.
#include <bit>

#include "kernel/common/workspace.cuh"
#include "kernel/scatter_combine/hot_places.cuh"
#include "kernel/scatter_combine/sort_pairs.h"
#include "kernel/scatter_combine/sorted_updates.cuh"

namespace garner {
namespace kernel {
extern const Kernel scatter_cuda;
}  // namespace kernel
namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kLogPanelBytes = 15;
constexpr int kEach = 6;  // updates of a thread that are added together
constexpr unsigned kBatch = kThreads * kEach;
constexpr unsigned kTags = 1024;
constexpr int kKeysEach = 4;  // positions of a thread that wait for memory together
constexpr unsigned kMostUpdates = 16384;  // of a panel that is not split
constexpr int kLogLeastPart = 9, kLogMostPart = 11, kPartPlaces = 1 << kLogMostPart;  // places of a part

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
  __host__ __device__ unsigned nowhere() const { return (count + kMostHot) << log_panel; }
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
    key[at] = place[k] == kNoPlace ? p.nowhere() : hot == kNoPlace ? place[k] : p.key_of_hot(hot);
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
  const unsigned block = p.sorted.block > 0 ? static_cast<unsigned>(p.sorted.block) : end - begin;
  for (Index at = begin; at < end; at += block) {
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
      unsigned mine = __ballot_sync(~0U, where != kNoPlace && where % kWarps == warp);
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

// ---- panels ----

template <class S>
constexpr int log_panel_of = kLogPanelBytes - std::countr_zero(sizeof(S));

template <class S>
struct PanelMemory {
  S place[1 << log_panel_of<S>];
  unsigned once[1 << (log_panel_of<S> - 5)], again[1 << (log_panel_of<S> - 5)];  // touched: a bit a place
  unsigned listed_place[kBatch], listed_update[kBatch], listed[kWarps];  // updates of what is touched again
  unsigned tag[kTags];
  unsigned next[2];  // panels
};

/// A thread's updates.
struct Batch {
  unsigned place[kEach], update[kEach], left = 0;  // a bit for each
  __device__ bool has(int k) const { return (left >> k & 1U) != 0; }
};

/// A panel's updates, and what they touch of it. All threads of a block take part in everything. A place that only one
/// update of a batch goes to is nobody else's; updates of the others are listed, in order.
template <class T, class S = typename T::Storage>
class Panel {
 public:
  __device__ Panel(const Panels& p, const Work<S>& w, PanelMemory<S>& memory) : p_(p), w_(w), m_(memory) {
    for (unsigned i = threadIdx.x; i < words(); i += kThreads) m_.once[i] = m_.again[i] = 0;
    for (unsigned i = threadIdx.x; i < kTags; i += kThreads) m_.tag[i] = UINT32_MAX;
    __syncthreads();
  }

  __device__ void update(unsigned number, unsigned begin, unsigned end) {
    first_ = number << p_.log_panel;
    for (Batch batch = read(begin, end); begin < end; batch = read(begin, end)) {
      touch(batch);
      __syncthreads();
      bring();
      count(batch);
      __syncthreads();
      const unsigned listed = add(batch);
      __syncthreads();
      if (listed > kThreads || !add_few(listed)) {
        Listed<S>{m_.listed_place, m_.listed_update, listed}.add(m_.place, AddStep<T>{});
        __syncthreads();
      }
      take_back();
      __syncthreads();
      begin += min(kBatch, end - begin);
    }
  }

 private:
  static constexpr unsigned kAll = ~0U;
  __device__ unsigned words() const { return 1U << p_.log_panel >> 5; }
  __device__ S* address(unsigned place) const { return w_.place + place_of(p_.sorted, first_ + place); }

  /// No conditions between loads, or they are waited for one by one.
  __device__ Batch read(unsigned begin, unsigned end) const {
    Batch out;
    if (begin >= end) return out;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      const unsigned at = (threadIdx.x / 32 * kEach + static_cast<unsigned>(k)) * 32 + threadIdx.x % 32;
      const unsigned there = begin + min(at, end - begin - 1);
      out.place[k] = p_.sorted.key[there] - first_;
      out.update[k] = p_.sorted.from[there];
      if (at < end - begin) out.left |= 1U << k;
    }
    return out;
  }

  /// Most see by looking that all is said of a place that very many go to: atomics of one word wait for each other.
  __device__ void touch(const Batch& batch) const {
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      if (!batch.has(k)) continue;
      const unsigned word = batch.place[k] / 32, bit = 1U << batch.place[k] % 32;
      const auto seen = [bit](volatile unsigned* words) { return (*words & bit) != 0; };
      const bool is_again = seen(m_.once + word) || (atomicOr(m_.once + word, bit) & bit) != 0;
      if (is_again && !seen(m_.again + word)) atomicOr(m_.again + word, bit);
    }
  }

  /// A warp has every eighth word of bits; a lane has one place of each, several of them on their way.
  __device__ void bring() const {
    constexpr unsigned kAtOnce = 16;
    for (unsigned word = threadIdx.x / 32; word < words(); word += kWarps * kAtOnce) {
      S value[kAtOnce];
      unsigned is = 0;
#pragma unroll
      for (unsigned j = 0; j < kAtOnce; ++j)
        if (const unsigned at = word + j * kWarps; at < words() && is_set(m_.once[at])) {
          value[j] = *address(at * 32 + threadIdx.x % 32);
          is |= 1U << j;
        }
#pragma unroll
      for (unsigned j = 0; j < kAtOnce; ++j)
        if (is >> j & 1U) m_.place[(word + j * kWarps) * 32 + threadIdx.x % 32] = value[j];
    }
  }

  __device__ void take_back() const {
    for (unsigned word = threadIdx.x / 32; word < words(); word += kWarps) {
      const unsigned place = word * 32 + threadIdx.x % 32;
      if (is_set(m_.once[word])) *address(place) = m_.place[place];
      __syncwarp();
      if (threadIdx.x % 32 == 0) m_.once[word] = m_.again[word] = 0;
    }
  }

  __device__ static bool is_set(unsigned word) { return (word >> threadIdx.x % 32 & 1U) != 0; }
  __device__ bool is_again(const Batch& batch, int k) const {
    return batch.has(k) && (m_.again[batch.place[k] / 32] >> batch.place[k] % 32 & 1U) != 0;
  }

  /// Updates that each warp will list.
  __device__ void count(const Batch& batch) const {
    unsigned mine = 0;
#pragma unroll
    for (int k = 0; k < kEach; ++k) mine += static_cast<unsigned>(__popc(__ballot_sync(kAll, is_again(batch, k))));
    if (threadIdx.x % 32 == 0) m_.listed[threadIdx.x / 32] = mine;
  }

  /// Adds or lists each update; how many are listed.
  __device__ unsigned add(const Batch& batch) const {
    unsigned to = 0, all = 0;
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      if (warp < threadIdx.x / 32) to += m_.listed[warp];
      all += m_.listed[warp];
    }
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      const bool lists = is_again(batch, k);
      const unsigned listed = __ballot_sync(kAll, lists);
      if (lists) {
        const unsigned at = to + static_cast<unsigned>(__popc(listed & ((1U << threadIdx.x % 32) - 1)));
        m_.listed_place[at] = batch.place[k];
        m_.listed_update[at] = batch.update[k];
      } else if (batch.has(k)) {
        S& place = m_.place[batch.place[k]];
        place = AddStep<T>{}(place, element_of<S>(batch.update[k]));
      }
      to += static_cast<unsigned>(__popc(listed));
    }
    return all;
  }

  /// A short list, an update a thread: of those with one tag the first is added, then the next. False: some are left.
  /// Numbers fall from round to round, so no tag needs to be cleared.
  __device__ bool add_few(unsigned count) {
    constexpr int kRounds = 4;
    unsigned place = threadIdx.x < count ? m_.listed_place[threadIdx.x] : kNoPlace;
    for (int round = 0; round < kRounds; ++round) {
      const unsigned number = round_-- * kThreads + threadIdx.x;
      unsigned& tag = m_.tag[place % kTags];
      if (place != kNoPlace) atomicMin(&tag, number);
      __syncthreads();
      if (place != kNoPlace && tag == number) {
        m_.place[place] = AddStep<T>{}(m_.place[place], element_of<S>(m_.listed_update[threadIdx.x]));
        place = kNoPlace;
      }
      if (__syncthreads_count(place != kNoPlace) == 0) return true;
    }
    if (threadIdx.x < count) m_.listed_place[threadIdx.x] = place;
    __syncthreads();
    return false;
  }

  const Panels& p_;
  const Work<S>& w_;
  PanelMemory<S>& m_;
  unsigned first_ = 0;  // the panel's first place
  unsigned round_ = UINT32_MAX / kThreads - 1;
};

/// Beside what combines hot places, which are others.
template <class T>
__global__ void __launch_bounds__(kThreads, 4)
    update_panels(const __grid_constant__ Panels p, const __grid_constant__ Work<typename T::Storage> w) {
  using S = typename T::Storage;
  extern __shared__ uint4 memory[];
  auto& room = *reinterpret_cast<PanelMemory<S>*>(memory);
  Panel<T> panel(p, w, room);
  int turn = 0;
  for (unsigned number = blockIdx.x; number < p.count; number = room.next[turn], turn ^= 1) {
    unsigned next = 0;
    if (threadIdx.x == 0) next = gridDim.x + atomicAdd(p.next, 1);
    const unsigned begin = p.begin[number], end = p.begin[number + 1];
    if (begin < end && end - begin <= p.most) panel.update(number, begin, end);
    if (threadIdx.x == 0) room.next[turn] = next;
    __syncthreads();
  }
  if (blockIdx.x == gridDim.x - 1) wait_for_first();  // what comes next begins when both have ended
}

// ---- parts of panels ----

/// A sum in blocks: the first one begins with what is there, each later one by itself.
template <class S>
struct BlockedSum {
  S block, before;  // of the updates since the last block ended; of all blocks before
  unsigned left;  // updates that still go to this block
  bool is_first;
};

template <class T, class S = typename T::Storage>
struct BlockedStep {
  unsigned block;  // updates
  bool from_zero;
  AddStep<T> step = {};

  __device__ BlockedSum<S> start(S value) const { return {value, S{}, block, true}; }
  __device__ BlockedSum<S> operator()(BlockedSum<S> s, S update) const {
    if (s.left > 0) return {step(s.block, update), s.before, s.left - 1, s.is_first};
    return {from_zero ? step(S{}, update) : update, total(s), block - 1, false};
  }
  __device__ S total(const BlockedSum<S>& s) const { return s.is_first ? s.block : step(s.before, s.block); }
};

constexpr unsigned kLookEach = 8, kLooks = kThreads * kLookEach;  // updates looked at together

template <class S>
struct PartMemory {
  BlockedSum<S> sum[kPartPlaces];
  unsigned touched[kPartPlaces / 32];
  unsigned place[2 * kLooks], update[2 * kLooks];  // the part's, in order, until they are many
  unsigned found[kWarps];
};

template <class T, class S = typename T::Storage>
class Part {
 public:
  __device__ Part(const Panels& p, const Work<S>& w, PartMemory<S>& memory)
      : p_(p),
        w_(w),
        m_(memory),
        step_{p.sorted.block > 0 ? static_cast<unsigned>(p.sorted.block) : UINT32_MAX, w.from_zero} {}

  __device__ void update(const Split& split) {
    first_ = (split.panel << p_.log_panel) + (split.part << split.log_places);
    places_ = 1U << split.log_places;
    for (unsigned i = threadIdx.x; i < kPartPlaces / 32; i += kThreads) m_.touched[i] = 0;
    __syncthreads();
    unsigned queued = 0;
    for (unsigned at = split.begin; at < split.end; at += min(kLooks, split.end - at)) {
      queued += look(at, split.end, queued);
      if (queued < kLooks) continue;
      add(queued);
      queued = 0;
    }
    add(queued);
    for (unsigned i = threadIdx.x; i < places_; i += kThreads)
      if ((m_.touched[i / 32] >> i % 32 & 1U) != 0) *address(i) = step_.total(m_.sum[i]);
    __syncthreads();
  }

 private:
  __device__ S* address(unsigned place) const { return w_.place + place_of(p_.sorted, first_ + place); }

  /// Puts the part's own of the next updates behind those in the queue, and returns how many.
  __device__ unsigned look(unsigned begin, unsigned end, unsigned queued) const {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned place[kLookEach], mine[kLookEach], count = 0;
#pragma unroll
    for (unsigned k = 0; k < kLookEach; ++k) place[k] = p_.sorted.key[position(begin, end, k)] - first_;
#pragma unroll
    for (unsigned k = 0; k < kLookEach; ++k) {
      mine[k] = __ballot_sync(~0U, offset(k) < end - begin && place[k] < places_);
      count += static_cast<unsigned>(__popc(mine[k]));
    }
    if (lane == 0) m_.found[warp] = count;
    __syncthreads();
    unsigned all = 0;
    for (unsigned other = 0; other < kWarps; ++other) {
      if (other < warp) queued += m_.found[other];
      all += m_.found[other];
    }
#pragma unroll
    for (unsigned k = 0; k < kLookEach; ++k) {
      if (mine[k] >> lane & 1U) {
        const unsigned to = queued + static_cast<unsigned>(__popc(mine[k] & ((1U << lane) - 1)));
        m_.place[to] = place[k];
        m_.update[to] = p_.sorted.from[position(begin, end, k)];
        bring(place[k]);
      }
      queued += static_cast<unsigned>(__popc(mine[k]));
    }
    __syncthreads();
    return all;
  }

  /// What is there, for the first one that comes by: nothing else of the part need be memory at all.
  __device__ void bring(unsigned place) const {
    const unsigned bit = 1U << place % 32;
    if ((*static_cast<volatile unsigned*>(m_.touched + place / 32) & bit) != 0) return;
    if ((atomicOr(m_.touched + place / 32, bit) & bit) == 0) m_.sum[place] = step_.start(*address(place));
  }
  __device__ static unsigned offset(unsigned k) { return (threadIdx.x / 32 * kLookEach + k) * 32 + threadIdx.x % 32; }
  __device__ static unsigned position(unsigned begin, unsigned end, unsigned k) {
    return begin + min(offset(k), end - begin - 1);
  }

  __device__ void add(unsigned queued) const {
    Listed<S>{m_.place, m_.update, queued}.add(m_.sum, step_);
    __syncthreads();
  }

  const Panels& p_;
  const Work<S>& w_;
  PartMemory<S>& m_;
  BlockedStep<T> step_;
  unsigned first_ = 0, places_ = 0;  // the part's first place, and how many there are
};

template <class T>
__global__ void __launch_bounds__(kThreads)
    update_parts(const __grid_constant__ Panels p, const __grid_constant__ Work<typename T::Storage> w) {
  using S = typename T::Storage;
  extern __shared__ uint4 memory[];
  may_be_followed();
  Part<T> part(p, w, *reinterpret_cast<PartMemory<S>*>(memory));
  for (unsigned number = blockIdx.x; number < *p.splits; number += gridDim.x) part.update(p.split[number]);
  if (blockIdx.x == gridDim.x - 1) wait_for_first();  // what follows waits for this
}

// ---- the host's part ----

constexpr Index kManyUpdates = 1 << 22;  // so many are not worth a wrong guess
constexpr Index kSkewed = 4;  // hot places, and samples too many in a panel

/// What the last sample found, of whatever call that was; null where there is no such memory.
Index* last_sample() {
  static const auto number = cuda_number();
  return number.ok() ? number->get() : nullptr;
}

/// Under skew most panels have places that many updates meet in, and where few panels have them all they are split into
/// parts; a sort by places is quicker then (32 M single f32 on an H200: zipf 1.9 ms, not 2.9; into a hundredth of 256 M
/// places 2, not 5.8; spread evenly 2.0, and 1.56 by panels). Whether it is so is only known on the device, and nobody
/// waits for that: a call is taken to be like those before it. The bits are the same either way.
bool seems_skewed(const Launch& l) {
  const volatile Index* found = last_sample();
  return l.facts.elements >= kManyUpdates && found != nullptr && *found >= kSkewed;
}

int log_panel(DType dtype) { return kLogPanelBytes - std::countr_zero(static_cast<unsigned>(width(dtype))); }

/// Memory besides the sorted list.
struct Room {
  unsigned *key = nullptr, *update = nullptr, *sample = nullptr;
  std::byte *cub = nullptr, *block_sums = nullptr;
  uint4* zero = nullptr;
  std::size_t sort_bytes = 0;
};

Panels panels_of(const Launch& l) {
  Panels p{};
  Sorted<unsigned>& s = p.sorted;
  s.count = l.facts.elements;
  s.lo = l.facts.span.lo;
  s.log_apart = log_apart(l.plan, l.plan.domain.size());
  s.block = block_of(l);
  s.carried = true;
  p.places = static_cast<unsigned>((l.facts.span.hi - s.lo) >> s.log_apart) + 1;
  p.log_panel = log_panel(l.plan.dtype);
  p.count = static_cast<unsigned>((static_cast<Index>(p.places) + (Index{1} << p.log_panel) - 1) >> p.log_panel);
  p.count = std::max(p.count, 1U);  // of no place at all, nothing is updated
  p.most = s.block > 0 ? static_cast<unsigned>(std::min<Index>(s.block, kMostUpdates)) : kMostUpdates;
  s.nowhere = p.nowhere();
  return p;
}

cudaError_t sort(const Launch& l, const Panels& p, Room& room) {
  return sort_pairs({room.cub, room.sort_bytes},
                    Pairs<unsigned>{room.key, room.update, p.sorted.key, p.sorted.from, p.sorted.count, p.log_panel,
                                    static_cast<int>(std::bit_width(p.nowhere()))},
                    stream_of(l));
}

void want_sample(Panels& p, Room& room, Workspace& work) {
  work.want(room.sample, kSamples);
  work.want(p.hot, 1);
  work.want(room.zero, 1);
}

bool want_memory(const Launch& l, Panels& p, Room& room, Workspace& work) {
  Sorted<unsigned>& s = p.sorted;
  if (!noted(l, sort(l, p, room), "SortPairs")) return false;
  for (unsigned** list : {&room.key, &room.update, &s.key, &s.from}) work.want(*list, s.count);
  work.want(room.cub, static_cast<Index>(room.sort_bytes));
  work.want(p.begin, Index{p.count} + kMostHot + 1);
  work.want(p.split, (s.count / (Index{p.most} + 1)) << std::max(0, p.log_panel - kLogLeastPart));
  const Index blocks = s.block > 0 ? s.count / s.block : 0;
  for (unsigned** longs : {&s.long_begin, &s.long_end}) work.want(*longs, kMostHot + blocks);
  work.want(room.block_sums, s.block > 0 ? (blocks + 1) * width(l.plan.dtype) : 0);
  return true;
}

bool get_memory(const Launch& l, Panels& p, Room& room, Workspace& work) {
  if (!want_memory(l, p, room, work) || !work.get(l)) return false;
  p.sorted.longs = &room.zero->x;
  p.splits = &room.zero->y;
  p.next = &room.zero->z;
  p.sorted.block_sums = room.block_sums;
  return true;
}

PlaceNumbers numbers_of(const Panels& p) { return {p.sorted.lo, p.sorted.log_apart}; }

void sample(const Launch& l, const Panels& p, const Room& room) {
  with_places(l, l.plan.domain.size(), [&]<class Places>(const Places& places) {
    take_samples<<<kSamples / kBlockThreads, kBlockThreads, 0, stream_of(l)>>>(places, numbers_of(p), room.sample);
  });
  // Four times as many as one would expect, and a few.
  const Crowd crowd{p.log_panel, 8 + 4 * kSamples / static_cast<int>(std::min<unsigned>(p.count, 4 * kSamples))};
  find_hot<<<1, kSampleThreads, 0, stream_of(l)>>>(room.sample, crowd, p.hot, room.zero, last_sample());
}

bool make_list(const Launch& l, const Panels& p, Room& room) {
  const Along updates{Along::What::kUpdate, l.buffers.dense[0], width(l.plan.dtype)};
  with_places(l, l.plan.domain.size(), [&]<class Places>(const Places& places) {
    panel_keys<<<blocks_for((p.sorted.count + kKeysEach - 1) / kKeysEach), kBlockThreads, 0, stream_of(l)>>>(
        places, p, numbers_of(p), room.key, room.update, updates);
  });
  if (!launched(l, "panel_keys") || !noted(l, sort(l, p, room), "SortPairs")) return false;
  const unsigned bounds = p.count + kMostHot + 1;
  bound_panels<<<(bounds + kBlockThreads - 2) / (kBlockThreads - 1), kBlockThreads, 0, stream_of(l)>>>(p);
  list_hot<<<1, kMostHot, 0, stream_of(l)>>>(p);
  return launched(l, "list_hot");
}

template <class S>
constexpr bool kFits = sizeof(S) == 2 || sizeof(S) == 4;

template <class T>
void update(const Launch& l, const Panels& p) {
  using S = typename T::Storage;
  const Work<S> w{static_cast<S*>(l.buffers.indexed[0]),
                  static_cast<S*>(p.sorted.block_sums),
                  static_cast<const S*>(l.buffers.dense[0]),
                  l.plan.combine,
                  l.plan.combine == Combine::kAdd && rounds(l.plan.dtype),
                  0};
  const Index blocks = p.sorted.block > 0 ? p.sorted.count / p.sorted.block : 0;
  const unsigned warps = resident_blocks(l, (kMostHot + blocks) * 32);
  const auto processors = static_cast<unsigned>(device_attribute(l, cudaDevAttrMultiProcessorCount));
  constexpr std::size_t kPanel = sizeof(PanelMemory<S>), kSplit = sizeof(PartMemory<S>);
  if (!allow_shared(l, update_panels<T>, kPanel) || !allow_shared(l, update_parts<T>, kSplit)) return;
  combine_long<T, unsigned><<<warps, kBlockThreads, 0, stream_of(l)>>>(p.sorted, w);
  if (!launched(l, "combine_long")) return;
  const Following second{l.cuda->device, stream_of(l), processors * 2, kThreads, kSplit};
  if (p.sorted.count > p.most && !noted(l, follow(second, update_parts<T>, p, w), "update_parts")) return;
  const Following third{l.cuda->device, stream_of(l), std::min(p.count, processors * 4), kThreads, kPanel};
  if (!noted(l, follow(third, update_panels<T>, p, w), "update_panels")) return;
  if (blocks > 0) finish_blocks<T, unsigned><<<warps, kBlockThreads, 0, stream_of(l)>>>(p.sorted, w);
  launched(l, "finish_blocks");
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  Panels p = panels_of(l);
  Room room;
  Workspace few, work;
  want_sample(p, room, few);
  if (!few.get(l)) return;
  sample(l, p, room);
  if (!launched(l, "find_hot")) return;
  if (seems_skewed(l)) return kernel::scatter_cuda.run(l);
  if (!get_memory(l, p, room, work)) return;
  if (!make_list(l, p, room)) return;
  with_device_element(l.plan.dtype, [&]<class T>() {
    if constexpr (kFits<typename T::Storage>) update<T>(l, p);
  });
}

Index workspace(const Launch& l) {
  const OnDevice on(l.cuda->device);
  Panels p = panels_of(l);
  Room room;
  Workspace few, work;
  want_sample(p, room, few);
  want_memory(l, p, room, work);
  return few.bytes() +
         (l.facts.elements >= kManyUpdates ? std::max(work.bytes(), kernel::scatter_cuda.workspace(l)) : work.bytes());
}

Index places_at_most(const PlanFacts& facts) { return facts.span.hi - facts.span.lo + 1; }

const char* refuses(const IndexPlan& plan, const PlanFacts& facts) {
  if (!fits_device(plan)) return "it takes 32 axes and 32 index tensors at most";
  if (plan.direction != Direction::kScatter || plan.combine != Combine::kAdd) return "it only adds";
  const int bytes = width(plan.dtype);
  if (!carries<unsigned>(plan) || bytes < 2) return "it adds numbers of 16 and 32 bits, whose steps are no results";
  const Index panels = (places_at_most(facts) >> log_panel(plan.dtype)) + 1;
  if ((panels + kMostHot + 1) << log_panel(plan.dtype) > UINT32_MAX) return "its places do not fit 32 bits";
  return facts.elements < UINT32_MAX ? nullptr : "it has too many updates for 32 bits";
}

/// Of more updates than places many meet, and are better sorted.
double cost_ns(const IndexPlan&, const PlanFacts& f) {
  const auto updates = static_cast<double>(f.elements), places = static_cast<double>(places_at_most(f));
  return 80000 + 0.022 * updates + 0.0025 * places + 0.06 * std::max(0.0, updates - places);
}

}  // namespace

namespace kernel {
extern const Kernel panel_scatter_cuda;
const Kernel panel_scatter_cuda{
    .name = "panel_scatter_cuda",
    .device = DeviceKind::kCuda,
    .refuses = refuses,
    .cost_ns = cost_ns,
    .run = launch,
    .workspace = workspace,
};
}  // namespace kernel
}  // namespace garner
