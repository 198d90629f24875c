// Updates of shared memory by many threads at once, in their order. Of threads that want one place the first comes
// first: each leaves its number in the place's tag, where the lowest stays; that thread applies its update, the others
// try again.
#pragma once
#include "kernel/common/device_element.cuh"

namespace garner {

inline constexpr int kTries = 4;  // then many updates meet, and those that are left go one after another

/// Threads of a block that meet at a barrier of their own.
template <int kSize>
struct Team {
  static constexpr int kWarps = kSize / 32;
  int barrier;  // 0: all threads of the block
  int number;   // of this thread among them

  __device__ int warp() const { return number / 32; }
  __device__ int lane() const { return number % 32; }

  __device__ void sync() const { asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(kSize) : "memory"); }
  __device__ bool any(bool value) const {
    int result;
    asm volatile(
        "{\n\t"
        ".reg .pred mine, one;\n\t"
        "setp.ne.s32 mine, %1, 0;\n\t"
        "bar.red.or.pred one, %2, %3, mine;\n\t"
        "selp.s32 %0, 1, 0, one;\n\t"
        "}"
        : "=r"(result)
        : "r"(value ? 1 : 0), "r"(barrier), "n"(kSize)
        : "memory");
    return result != 0;
  }

  /// The order of updates: warp by warp, and of a warp first all lanes' first, then all lanes' second.
  template <int P>
  __device__ int order(int k) const {
    return (warp() * P + k) * 32 + lane();
  }
};

/// A thread's updates that are still to be applied: where, and which.
template <int P>
struct Pending {
  int place[P];
  unsigned left = 0;  // a bit for each
  __device__ bool has(int k) const { return (left >> k & 1U) != 0; }
};

/// Places that are updated, in shared memory: number i is data[i * step].
template <class S>
struct SharedPlaces {
  S* data;
  int step;
  unsigned* tag;
  unsigned tags;  // a power of two; places share them: who waits for no reason loses one turn

  __device__ S& operator[](int place) const { return data[place * step]; }
  __device__ unsigned& tag_of(int place) const { return tag[static_cast<unsigned>(place) & (tags - 1)]; }
};

/// The updates that a warp has left, place by place: all of one place in a row, so that its sum stays in a register.
template <class S, class Next>
__device__ inline void apply_warp(const SharedPlaces<S>& places, bool takes_part, int place, S update,
                                  const Next& next) {
  unsigned left = __ballot_sync(0xffffffffU, takes_part);
  while (left != 0) {
    const int leader = __ffs(static_cast<int>(left)) - 1, where = __shfl_sync(0xffffffffU, place, leader);
    const unsigned same = __ballot_sync(0xffffffffU, takes_part && place == where);
    S sum = places[where];
    for (unsigned rest = same; rest != 0; rest &= rest - 1)
      sum = next(sum, of_lane(update, __ffs(static_cast<int>(rest)) - 1));
    __syncwarp();
    if (static_cast<int>(threadIdx.x % 32) == leader) places[where] = sum;
    left &= ~same;
  }
}

template <int kSize, int P>
__device__ constexpr unsigned first_turn() {
  return UINT32_MAX / (kSize * P) - 1;
}

/// P updates of every thread, in the team's order. `turn` falls with every try, from first_turn() on: a tag of earlier
/// ones, or UINT32_MAX, never is the lowest.
template <int kSize, int P, class S, class Next>
__device__ inline void apply(const Team<kSize>& team, const SharedPlaces<S>& places, Pending<P>& todo,
                             const S (&update)[P], const Next& next, unsigned& turn) {
  bool more = true;
  for (int tries = 0; more && tries < kTries; ++tries) {
    const unsigned base = turn-- * (kSize * P);
#pragma unroll
    for (int k = 0; k < P; ++k)
      if (todo.has(k))
        atomicMin(&places.tag_of(todo.place[k]), base + static_cast<unsigned>(team.template order<P>(k)));
    team.sync();
#pragma unroll
    for (int k = 0; k < P; ++k) {
      if (!todo.has(k)) continue;
      if (places.tag_of(todo.place[k]) != base + static_cast<unsigned>(team.template order<P>(k))) continue;
      places[todo.place[k]] = next(places[todo.place[k]], update[k]);
      todo.left &= ~(1U << k);
    }
    more = team.any(todo.left != 0);
  }
  for (int warp = 0; more && warp < team.kWarps; ++warp) {
    if (team.warp() == warp)
      for (int k = 0; k < P; ++k) apply_warp(places, todo.has(k), todo.place[k], update[k], next);
    team.sync();
  }
}

}  // namespace garner
