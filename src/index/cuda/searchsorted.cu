// Places in a sorted sequence. Keys of the sequence, all of them or evenly spread ones, stand in shared memory: a
// search begins there, and only what lies between two of them is read from the sequence itself.
#include "index/cuda/keys.cuh"

namespace garner::index::on_cuda {
namespace {

constexpr int kAtOnce = 4;           // searches of a thread that wait for memory together
constexpr int kSharedBytes = 16384;  // of keys, a block: 8 blocks of a multiprocessor share 128 KiB

struct Table {
  Index count;    // elements of the sequence
  Index samples;  // keys in shared memory
  Index step;     // elements from one to the next; 1: all of them
  Index number;   // of values
};

/// How many of n keys in order stand before the value; at(i) gives a key. All searches take the same steps.
template <bool kRight, class Key, class At>
__device__ inline void search_together(const Key (&wanted)[kAtOnce], Index (&low)[kAtOnce], Index n, At&& at) {
  const auto before = [](Key key, Key value) { return kRight ? key <= value : key < value; };
  for (Index left = n; left > 1;) {
    const Index half = left / 2;
#pragma unroll
    for (int q = 0; q < kAtOnce; ++q)
      if (before(at(q, low[q] + half - 1), wanted[q])) low[q] += half;
    left -= half;
  }
  if (n == 0) return;
#pragma unroll
  for (int q = 0; q < kAtOnce; ++q)
    if (before(at(q, low[q]), wanted[q])) ++low[q];
}

/// The last key of each stretch of `step` elements that is whole.
template <class Keys>
__device__ inline void read_samples(const Keys& keys, const typename Keys::Bits* sequence, const Table& t,
                                    typename Keys::Key* shared) {
  for (Index i = threadIdx.x; i < t.samples; i += kThreads) shared[i] = keys(sequence[(i + 1) * t.step - 1]);
  __syncthreads();
}

template <bool kRight, class Keys>
__global__ void __launch_bounds__(kThreads)
    search_values(const Keys keys, const typename Keys::Bits* __restrict__ sequence,
                  const typename Keys::Bits* __restrict__ values, const Table t, Index* __restrict__ out) {
  using Key = typename Keys::Key;
  extern __shared__ __align__(16) unsigned char memory[];
  auto* const shared = reinterpret_cast<Key*>(memory);
  read_samples(keys, sequence, t, shared);
  const Index threads = static_cast<Index>(gridDim.x) * kThreads;
  for (Index first = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x; first < t.number;
       first += kAtOnce * threads) {
    Key wanted[kAtOnce];
    Index low[kAtOnce] = {};
#pragma unroll
    for (int q = 0; q < kAtOnce; ++q) {
      const Index i = first + q * threads;
      wanted[q] = keys(values[i < t.number ? i : first]);
    }
    search_together<kRight>(wanted, low, t.samples, [&](int, Index i) { return shared[i]; });
    if (t.step > 1) {
      // Every search has a whole stretch, the last one perhaps less: its reads stay in front of the end.
      Index base[kAtOnce], inside[kAtOnce] = {};
#pragma unroll
      for (int q = 0; q < kAtOnce; ++q) base[q] = low[q] * t.step;
      const Key nothing = static_cast<Key>(~Key{0});
      search_together<kRight>(wanted, inside, t.step, [&](int q, Index i) {
        return base[q] + i < t.count ? keys(sequence[base[q] + i]) : nothing;
      });
#pragma unroll
      for (int q = 0; q < kAtOnce; ++q) low[q] = base[q] + inside[q] < t.count ? base[q] + inside[q] : t.count;
    }
#pragma unroll
    for (int q = 0; q < kAtOnce; ++q)
      if (const Index i = first + q * threads; i < t.number) out[i] = low[q];
  }
}

template <class Keys>
Table table_for(const SearchQuery& query) {
  constexpr Index kMost = kSharedBytes / static_cast<Index>(sizeof(typename Keys::Key));
  Table t{query.count, query.count, 1, query.number};
  if (query.count <= kMost) return t;
  t.step = (query.count + kMost - 1) / kMost;
  t.samples = query.count / t.step;
  return t;
}

template <class Keys>
Status launch(const Where& where, const Keys& keys, const SearchQuery& query, Index* out) {
  using Bits = typename Keys::Bits;
  const Table t = table_for<Keys>(query);
  const auto* sequence = static_cast<const Bits*>(query.sequence);
  const auto* values = static_cast<const Bits*>(query.values);
  const auto bytes = static_cast<std::size_t>(t.samples) * sizeof(typename Keys::Key);
  const unsigned most = 8 * static_cast<unsigned>(multiprocessors(where.device));
  const unsigned wanted = blocks_for((query.number + kAtOnce - 1) / kAtOnce), blocks = wanted < most ? wanted : most;
  if (query.right) search_values<true><<<blocks, kThreads, bytes, stream_of(where)>>>(keys, sequence, values, t, out);
  else search_values<false><<<blocks, kThreads, bytes, stream_of(where)>>>(keys, sequence, values, t, out);
  GARNER_CUDA_TRY(cudaGetLastError());
  return {};
}

}  // namespace

Status search(const Where& where, const SearchQuery& query, Index* out) {
  if (query.number == 0) return {};
  const OnDevice on(where.device);
  return with_keys(query.code, [&](const auto& keys) { return launch(where, keys, query, out); });
}

}  // namespace garner::index::on_cuda
