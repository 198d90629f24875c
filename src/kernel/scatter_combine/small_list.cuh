// A list that one block holds: sorted, and its places listed, by one kernel. A sort by the whole device takes two
// kernels a digit and two more for the places, whatever the list's length.
#pragma once
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>

#include "kernel/scatter_combine/sorted_list.cuh"

namespace garner {
namespace {

template <class K, int kCount, int kItems>
struct SmallList {
  using Load = cub::BlockLoad<K, kCount, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<K, kCount, kItems, K>;
  using Exchange = cub::BlockExchange<K, kCount, kItems>;
  using Scan = cub::BlockScan<int, kCount>;
  union Room {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Exchange::TempStorage exchange;
    typename Scan::TempStorage scan;
    K last[kCount];
  };
};

/// Writes a thread's items, which lie side by side, as all threads' items do.
template <class L, class K, int kCount, int kItems>
__device__ inline void put_items(const K (&item)[kItems], K* to, int count, typename L::Room& room) {
  K striped[kItems];
  __syncthreads();
  typename L::Exchange(room.exchange).BlockedToStriped(item, striped);
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    if (const int at = i * kCount + static_cast<int>(threadIdx.x); at < count) to[at] = striped[i];
}

/// Where places begin, from sorted keys. `apart`: positions with this key are tasks by themselves.
template <class L, class K, int kCount, int kItems>
__device__ inline void put_tasks(const K (&key)[kItems], const Sorted<K>& s, K apart, typename L::Room& room) {
  const auto thread = static_cast<int>(threadIdx.x);
  __syncthreads();
  room.last[thread] = key[kItems - 1];
  __syncthreads();
  const K before = thread > 0 ? room.last[thread - 1] : K{};
  __syncthreads();
  const auto begins = [&](int i) {
    const int at = thread * kItems + i;
    return at < s.count && (at == 0 || key[i] == apart || key[i] != (i > 0 ? key[i > 0 ? i - 1 : 0] : before));
  };
  int mine = 0, first = 0, all = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) mine += begins(i) ? 1 : 0;
  typename L::Scan(room.scan).ExclusiveSum(mine, first, all);
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    if (begins(i)) s.task[first++] = static_cast<K>(thread * kItems + i);
  if (thread == 0) *s.tasks = static_cast<K>(all);
}

/// Only the low `bits` of a key count; those of no item, behind the end, are the largest there are.
template <class K, int kCount, int kItems>
__global__ void __launch_bounds__(kCount) sort_small(Sorted<K> s, const K* key, const K* from, int bits, K apart) {
  using L = SmallList<K, kCount, kItems>;
  extern __shared__ __align__(16) unsigned char space[];
  auto& room = *reinterpret_cast<typename L::Room*>(space);
  const auto count = static_cast<int>(s.count);
  K keys[kItems], along[kItems];
  typename L::Load(room.load).Load(key, keys, count, static_cast<K>((std::uint64_t{1} << bits) - 1));
  __syncthreads();
  typename L::Load(room.load).Load(from, along, count, K{});
  __syncthreads();
  typename L::Sort(room.sort).Sort(keys, along, 0, bits);
  put_items<L, K, kCount>(keys, s.key, count, room);
  put_items<L, K, kCount>(along, s.from, count, room);
  if (s.task != nullptr) put_tasks<L, K, kCount>(keys, s, apart, room);
  if (threadIdx.x == 0) *s.longs = 0;
}

template <class K, int kCount, int kItems>
bool launch_small(const Launch& l, const Sorted<K>& s, const K* key, const K* from, int bits, K apart) {
  constexpr auto kBytes = static_cast<Index>(sizeof(typename SmallList<K, kCount, kItems>::Room));
  const auto kernel = sort_small<K, kCount, kItems>;
  if (kBytes > 48 << 10 && !allow_shared(l, kernel, kBytes)) return false;
  kernel<<<1, kCount, kBytes, stream_of(l)>>>(s, key, from, bits, apart);
  return launched(l, "sort_small");
}

}  // namespace
}  // namespace garner
