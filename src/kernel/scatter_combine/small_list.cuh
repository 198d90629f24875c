// A list that one block holds: sorted, and its places listed, by one kernel. A sort by the whole device takes two
// kernels a digit and two more for the places, whatever the list's length.
#pragma once
#include <cub/block/block_radix_rank.cuh>

#include "kernel/scatter_combine/sorted_list.cuh"

namespace garner {
namespace {

template <int kBits>
struct DigitAt {
  int first;
  template <class K> __device__ unsigned Digit(K key) const {
    return static_cast<unsigned>(key >> first) & ((1U << kBits) - 1);
  }
};

/// One block's part of a list. Item i of lane l of warp w stands at position (w * kItems + i) * 32 + l: so neighbours
/// lie side by side in memory, and equal keys keep their order.
template <class K, int kCount, int kItems, int kDigitBits>
class SmallList {
 public:
  using Rank =
      cub::BlockRadixRankMatchEarlyCounts<kCount, kDigitBits, false, cub::BLOCK_SCAN_WARP_SCANS, cub::WARP_MATCH_ANY>;
  struct Room {
    union {
      typename Rank::TempStorage rank;
      K item[kCount * kItems];
    };
    int begun[kCount / 32];  // places that begin in a warp's items
  };

  __device__ SmallList(Room& room, int count) : room_(room), count_(count) {}

  /// What is behind the end becomes `none`.
  __device__ void load(const K* from, K none, K (&to)[kItems]) const {
#pragma unroll
    for (int i = 0; i < kItems; ++i) to[i] = position(i) < count_ ? from[position(i)] : none;
  }

  __device__ void store(const K (&from)[kItems], K* to) const {
#pragma unroll
    for (int i = 0; i < kItems; ++i)
      if (position(i) < count_) to[position(i)] = from[i];
  }

  /// By the low `bits` of the keys, which lie in the room afterwards.
  __device__ void sort(K (&keys)[kItems], K (&along)[kItems], int bits) const {
    for (int first = 0; first < bits; first += kDigitBits) {
      int rank[kItems];
      __syncthreads();
      Rank(room_.rank).RankKeys(keys, rank, DigitAt<kDigitBits>{first});
      exchange(along, rank);
      exchange(keys, rank);
    }
  }

  /// Where places begin. `apart`: positions with this key are tasks by themselves.
  __device__ void put_tasks(const K (&keys)[kItems], const Sorted<K>& s, K apart) const {
    unsigned begins[kItems];
    int before = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const int at = position(i);
      const bool is = at < count_ && (at == 0 || keys[i] == apart || keys[i] != room_.item[at - 1]);
      begins[i] = __ballot_sync(~0U, is);
      before += __popc(begins[i]);
    }
    if (lane() == 0) room_.begun[warp()] = before;
    __syncthreads();
    const int begun = lane() < kCount / 32 ? room_.begun[lane()] : 0;
    int to = __reduce_add_sync(~0U, lane() < warp() ? begun : 0);
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (begins[i] >> lane() & 1) s.task[to + __popc(begins[i] & ((1U << lane()) - 1))] = static_cast<K>(position(i));
      to += __popc(begins[i]);
    }
    if (threadIdx.x == kCount - 1) *s.tasks = static_cast<K>(to);
  }

 private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ static int position(int i) { return (warp() * kItems + i) * 32 + lane(); }

  __device__ void exchange(K (&item)[kItems], const int (&rank)[kItems]) const {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) room_.item[rank[i]] = item[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) item[i] = room_.item[position(i)];
  }

  Room& room_;
  int count_;
};

/// Only the low `bits` of a key count; those of no item, behind the end, are the largest there are.
template <class K, int kCount, int kItems, int kDigitBits>
__global__ void __launch_bounds__(kCount) sort_small(Sorted<K> s, const K* key, const K* from, int bits, K apart) {
  using List = SmallList<K, kCount, kItems, kDigitBits>;
  extern __shared__ __align__(16) unsigned char space[];
  const List list(*reinterpret_cast<typename List::Room*>(space), static_cast<int>(s.count));
  K keys[kItems], along[kItems];
  list.load(key, static_cast<K>((std::uint64_t{1} << bits) - 1), keys);
  list.load(from, K{}, along);
  list.sort(keys, along, bits);
  list.store(keys, s.key);
  list.store(along, s.from);
  if (s.task != nullptr) list.put_tasks(keys, s, apart);
  if (threadIdx.x == 0) *s.longs = 0;
}

/// A list that is not sorted yet.
template <class K>
struct Unsorted {
  const K *key, *from;
  int bits;
  K apart;
};

template <class K, int kCount, int kItems, int kDigitBits>
bool launch_small(const Launch& l, const Sorted<K>& s, const Unsorted<K>& u) {
  constexpr auto kBytes = static_cast<Index>(sizeof(typename SmallList<K, kCount, kItems, kDigitBits>::Room));
  const auto kernel = sort_small<K, kCount, kItems, kDigitBits>;
  if (kBytes > 48 << 10 && !allow_shared(l, kernel, kBytes)) return false;
  kernel<<<1, kCount, kBytes, stream_of(l)>>>(s, u.key, u.from, u.bits, u.apart);
  return launched(l, "sort_small");
}

/// With digits of 9 bits where there are fewer of them than of 8.
template <class K, int kCount, int kItems>
bool launch_small(const Launch& l, const Sorted<K>& s, const Unsorted<K>& u) {
  return (u.bits + 8) / 9 < (u.bits + 7) / 8 ? launch_small<K, kCount, kItems, 9>(l, s, u)
                                             : launch_small<K, kCount, kItems, 8>(l, s, u);
}

/// What one block sorts by itself: 64 bits are rare, and it holds fewer of them.
template <class K>
bool is_small(const Sorted<K>& s) {
  return sizeof(K) == 4 && s.count <= 16384;
}

template <class K>
bool sort_by_one_block(const Launch& l, const Sorted<K>& s, const Unsorted<K>& u) {
  return s.count <= 2048 ? launch_small<K, 256, 8>(l, s, u) : launch_small<K, 1024, 16>(l, s, u);
}

}  // namespace
}  // namespace garner
