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

/// A thread's updates that are still to be applied.
template <class S, int P>
struct Pending {
  int place[P];
  S update[P];
  unsigned left = 0;  // a bit for each

  __device__ bool has(int k) const { return (left >> k & 1U) != 0; }
  __device__ void add(int k, int where, S what) {
    place[k] = where;
    update[k] = what;
    left |= 1U << k;
  }
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

enum class Again { kAtOnce, kWithTheNext };

/// The updates of a team's thread, P at a time. What another one came ahead of is tried again at once, or together with
/// the next batch, but not twice: where few meet, barriers are for batches then, not for tries (16384² f32 along the
/// first axis on an H200, 512 updates and 8192 tags: 3.68 ms instead of 3.85; along the last, 1024 and 8192: 1.90
/// instead of 1.80).
template <Again kAgain, int kSize, int P, class S>
class OrderedUpdates {
 public:
  __device__ OrderedUpdates(const Team<kSize>& team, const SharedPlaces<S>& places) : team_(team), places_(places) {}

  /// The next P of every thread, in the team's order.
  template <class Next>
  __device__ void apply(const Pending<S, P>& batch, const Next& next) {
    Pending<S, P> fresh = batch;
    if constexpr (kAgain == Again::kAtOnce) return finish(fresh, next);
    one_try(fresh, next);
    if (team_.any(old_.left != 0)) finish(fresh, next);
    old_ = fresh;
  }
  /// After the last batch.
  template <class Next>
  __device__ void finish(const Next& next) {
    if constexpr (kAgain == Again::kAtOnce) return;
    Pending<S, P> none;
    finish(none, next);
  }

 private:
  static constexpr unsigned kBatch = kSize * P;

  /// Numbers fall with every try: a tag of earlier ones, or UINT32_MAX, never is the lowest.
  template <class Next>
  __device__ void one_try(Pending<S, P>& fresh, const Next& next) {
    const unsigned first = turn_-- * (2 * kBatch);
    if constexpr (kAgain == Again::kWithTheNext) mark(old_, first);
    mark(fresh, first + kBatch);
    team_.sync();
    if constexpr (kAgain == Again::kWithTheNext) take(old_, first, next);
    take(fresh, first + kBatch, next);
  }

  __device__ unsigned number(unsigned first, int k) const {
    return first + static_cast<unsigned>(team_.template order<P>(k));
  }

  __device__ void mark(const Pending<S, P>& updates, unsigned first) const {
#pragma unroll
    for (int k = 0; k < P; ++k)
      if (updates.has(k)) atomicMin(&places_.tag_of(updates.place[k]), number(first, k));
  }

  template <class Next>
  __device__ void take(Pending<S, P>& updates, unsigned first, const Next& next) const {
#pragma unroll
    for (int k = 0; k < P; ++k) {
      if (!updates.has(k) || places_.tag_of(updates.place[k]) != number(first, k)) continue;
      places_[updates.place[k]] = next(places_[updates.place[k]], updates.update[k]);
      updates.left &= ~(1U << k);
    }
  }

  template <class Next>
  __device__ void finish(Pending<S, P>& fresh, const Next& next) {
    for (int tries = 0; tries < kTries; ++tries) {
      one_try(fresh, next);
      if (!team_.any((old_.left | fresh.left) != 0)) return;
    }
    if constexpr (kAgain == Again::kWithTheNext) one_by_one(old_, next);
    one_by_one(fresh, next);
  }

  template <class Next>
  __device__ void one_by_one(Pending<S, P>& updates, const Next& next) const {
    for (int warp = 0; warp < team_.kWarps; ++warp) {
      if (team_.warp() == warp)
        for (int k = 0; k < P; ++k) apply_warp(places_, updates.has(k), updates.place[k], updates.update[k], next);
      team_.sync();
    }
    updates.left = 0;
  }

  Team<kSize> team_;
  SharedPlaces<S> places_;
  Pending<S, P> old_;  // of the batch before
  unsigned turn_ = UINT32_MAX / (2 * kBatch) - 1;
};

}  // namespace garner
