// The updates of a part of a panel that has too many of them. panel_scatter_cuda.cu has the whole way.
#pragma once
#include "kernel/scatter_combine/panel_list.cuh"

namespace garner {
namespace {

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

constexpr unsigned kLookEach = 8, kLooks = kPanelThreads * kLookEach;  // updates looked at together

template <class S>
struct PartMemory {
  BlockedSum<S> sum[kPartPlaces];
  unsigned touched[kPartPlaces / 32];
  unsigned place[2 * kLooks], update[2 * kLooks];  // the part's, in order, until they are many
  unsigned found[kPanelWarps];
};

template <class T, class S = typename T::Storage>
class Part {
 public:
  __device__ Part(const Panels& p, const Work<S>& w, PartMemory<S>& memory)
      : p_(p), w_(w), m_(memory), step_{static_cast<unsigned>(p.sorted.block), w.from_zero} {}

  __device__ void update(const Split& split) {
    first_ = (split.panel << p_.log_panel) + (split.part << split.log_places);
    places_ = 1U << split.log_places;
    for (unsigned i = threadIdx.x; i < kPartPlaces / 32; i += kPanelThreads) m_.touched[i] = 0;
    __syncthreads();
    unsigned queued = 0;
    for (unsigned at = split.begin; at < split.end; at += min(kLooks, split.end - at)) {
      queued += look(at, split.end, queued);
      if (queued < kLooks) continue;
      add(queued);
      queued = 0;
    }
    add(queued);
    for (unsigned i = threadIdx.x; i < places_; i += kPanelThreads)
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
    for (unsigned other = 0; other < kPanelWarps; ++other) {
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
__global__ void __launch_bounds__(kPanelThreads)
    update_parts(const __grid_constant__ Panels p, const __grid_constant__ Work<typename T::Storage> w) {
  using S = typename T::Storage;
  extern __shared__ uint4 memory[];
  may_be_followed();
  Part<T> part(p, w, *reinterpret_cast<PartMemory<S>*>(memory));
  for (unsigned number = blockIdx.x; number < *p.splits; number += gridDim.x) part.update(p.split[number]);
  if (blockIdx.x == gridDim.x - 1) wait_for_first();  // what follows waits for this
}

}  // namespace
}  // namespace garner
