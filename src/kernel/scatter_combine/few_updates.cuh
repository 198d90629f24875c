// So few updates that nothing is sorted: whoever has the first update of a place looks through all that follow, and
// combines those of its place in their order. Two kernels, where a sorted list takes three and more: a call with few
// updates is as long as it takes to start them.
#pragma once
#include "kernel/scatter_combine/sorted_updates.cuh"

namespace garner {
namespace {

constexpr Index kFewUpdates = 1024, kFewLooks = Index{1} << 22;

/// Is that quicker than to sort them? A thread for every element looks at all keys.
template <class K>
bool is_few(const Launch& l, const Sorted<K>& s) {
  return !steps_count(l.plan) && s.count <= kFewUpdates && s.count * s.count <= kFewLooks / s.run;
}

/// Keys in shared memory, read 16 bytes at a time.
template <class K>
struct FewKeys {
  struct alignas(16) Four {
    K key[16 / sizeof(K)];
  };
  static constexpr int kEach = 16 / sizeof(K);
  Four four[kFewUpdates / kEach];

  /// f(i) for the equal ones of [from, to), in their order; stops when it says so. Most reads have none.
  template <class F>
  __device__ void each_equal(K mine, int from, int to, const F& f) const {
    for (int r = from / kEach; r * kEach < to; ++r) {
      const Four some = four[r];
      bool any = false;
#pragma unroll
      for (int e = 0; e < kEach; ++e) any |= some.key[e] == mine;
      if (!any) continue;
#pragma unroll
      for (int e = 0; e < kEach; ++e)
        if (const int i = r * kEach + e; some.key[e] == mine && i >= from && i < to && f(i)) return;
    }
  }
  __device__ bool has_equal(K mine, int from, int to) const {
    bool found = false;
    each_equal(mine, from, to, [&](int) { return found = true; });
    return found;
  }
};

/// `s` is not sorted. Of places that are assigned the last update has all there is to do, of others the first one.
template <class T, class K>
__global__ void __launch_bounds__(kBlockThreads) combine_few(Sorted<K> s, Work<typename T::Storage> w) {
  __shared__ FewKeys<K> keys;  // what lies behind the last key is compared, and then left out
  const auto count = static_cast<int>(s.count);
  K* const key = keys.four[0].key;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kBlockThreads) key[i] = s.key[i];
  __syncthreads();
  const Index thread = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  const Index number = thread / s.run, column = thread - number * s.run;
  if (number >= count) return;
  const auto at = static_cast<int>(number);
  const K mine = key[at];
  const bool assigns = w.combine == Combine::kAssign;
  if (mine == s.nowhere || keys.has_equal(mine, assigns ? at + 1 : 0, assigns ? count : at)) return;
  auto& place = w.place[place_of(s, mine) + column];
  auto sum = assigns ? update_of(s, w.update, at)[column] : place;
  if (!assigns)
    with_step<T>(w.combine, [&](const auto& step) {
      keys.each_equal(mine, at, count,
                      [&](int i) { return sum = step(sum, update_of(s, w.update, i)[column]), false; });
    });
  place = sum;
}

template <class K>
void combine_few(const Launch& l, const Sorted<K>& s) {
  with_device_element(l.plan.dtype, [&]<class T>() {
    using S = typename T::Storage;
    const Work<S> w{static_cast<S*>(l.buffers.indexed[0]),
                    nullptr,
                    static_cast<const S*>(l.buffers.dense[0]),
                    l.plan.combine,
                    false,
                    0};
    combine_few<T, K><<<blocks_for(s.count * s.run), kBlockThreads, 0, stream_of(l)>>>(s, w);
  });
  launched(l, "combine_few");
}

}  // namespace
}  // namespace garner
