// The updates of a panel, added in shared memory. panel_scatter_cuda.cu has the whole way.
#pragma once
#include "kernel/scatter_combine/panel_list.cuh"

namespace garner {
namespace {

constexpr int kEach = 6;  // updates of a thread that are added together
constexpr unsigned kBatch = kPanelThreads * kEach;
constexpr unsigned kTags = 1024;

template <class S>
struct PanelMemory {
  static constexpr int kPlaces = 1 << log_panel(sizeof(S));
  S place[kPlaces];
  unsigned once[kPlaces / 32], again[kPlaces / 32];  // touched: a bit a place
  unsigned listed_place[kBatch], listed_update[kBatch], listed[kPanelWarps];  // updates of what is touched again
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
    for (unsigned i = threadIdx.x; i < words(); i += kPanelThreads) m_.once[i] = m_.again[i] = 0;
    for (unsigned i = threadIdx.x; i < kTags; i += kPanelThreads) m_.tag[i] = UINT32_MAX;
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
      if (listed > kPanelThreads || !add_few(listed)) {
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
    for (unsigned word = threadIdx.x / 32; word < words(); word += kPanelWarps * kAtOnce) {
      S value[kAtOnce];
      unsigned is = 0;
#pragma unroll
      for (unsigned j = 0; j < kAtOnce; ++j)
        if (const unsigned at = word + j * kPanelWarps; at < words() && is_set(m_.once[at])) {
          value[j] = *address(at * 32 + threadIdx.x % 32);
          is |= 1U << j;
        }
#pragma unroll
      for (unsigned j = 0; j < kAtOnce; ++j)
        if (is >> j & 1U) m_.place[(word + j * kPanelWarps) * 32 + threadIdx.x % 32] = value[j];
    }
  }

  __device__ void take_back() const {
    for (unsigned word = threadIdx.x / 32; word < words(); word += kPanelWarps) {
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
    for (unsigned warp = 0; warp < kPanelWarps; ++warp) {
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
      const unsigned number = round_-- * kPanelThreads + threadIdx.x;
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
  unsigned round_ = UINT32_MAX / kPanelThreads - 1;
};

/// Beside what combines hot places, which are others.
template <class T>
__global__ void __launch_bounds__(kPanelThreads, 4)
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

}  // namespace
}  // namespace garner
