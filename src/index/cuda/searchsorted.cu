// Places in a sorted sequence. Keys of the sequence, all of them or evenly spread ones, stand in shared memory: a
// search begins there, and only what lies between two of them is read from the sequence itself. Where a long sequence
// is searched for many values, more of its keys are gathered first, so many as stay in L2, and what lies between two
// known keys is entered where a line through them leads.
#include <algorithm>

#include "device/cuda/runtime.h"
#include "index/cuda/keys.cuh"

namespace garner::index::on_cuda {
namespace {

constexpr int kAtOnce = 4;           // searches of a thread that wait for memory together
constexpr int kSharedBytes = 16384;  // of keys, a block: 8 blocks of a multiprocessor share 128 KiB
constexpr Index kSampleBytes = 4 << 20;  // of keys of a long sequence: they stay in L2
constexpr Index kLeastStep = 64;         // elements between two of them: 4 to 16 sectors

struct Table {
  Index count;    // elements of the sequence
  Index samples;  // keys in shared memory
  Index step;     // elements from one to the next; 1: all of them
  Index number;   // of values
};

template <bool kRight, class Key>
__device__ inline bool before(Key key, Key value) {
  return kRight ? key <= value : key < value;
}

/// How many of n keys in order stand before the value; at(i) gives a key. All searches take the same steps.
template <bool kRight, int kAtOnce, class Key, class At>
__device__ inline void search_together(const Key (&wanted)[kAtOnce], Index (&low)[kAtOnce], Index n, At&& at) {
  for (Index left = n; left > 1;) {
    const Index half = left / 2;
#pragma unroll
    for (int q = 0; q < kAtOnce; ++q)
      if (before<kRight>(at(q, low[q] + half - 1), wanted[q])) low[q] += half;
    left -= half;
  }
  if (n == 0) return;
#pragma unroll
  for (int q = 0; q < kAtOnce; ++q)
    if (before<kRight>(at(q, low[q]), wanted[q])) ++low[q];
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

// ---- short sequences, many values ----

constexpr int kFewThreads = 1024;
constexpr unsigned kKeyLine = 128;         // bytes that one key takes: a copy for every lane that reads at a time
constexpr Index kFewBytes = 200 << 10;  // one block's, that has a multiprocessor for itself
constexpr Index kManyValues = Index{1} << 20;

/// As search_together() among the lines, counting in bytes: a step is a load, a comparison and an addition.
template <bool kRight, class Key>
__device__ inline void search_lines(const unsigned char* lines, unsigned count, const Key (&wanted)[kAtOnce],
                                    unsigned (&low)[kAtOnce]) {
  const auto step = [&](unsigned from, unsigned by) {
#pragma unroll
    for (int q = 0; q < kAtOnce; ++q)
      if (before<kRight>(*reinterpret_cast<const Key*>(lines + low[q] + from), wanted[q])) low[q] += by;
  };
  for (unsigned left = count; left > 1;) {
    const unsigned half = left / 2;
    step((half - 1) * kKeyLine, half * kKeyLine);
    left -= half;
  }
  if (count > 0) step(0, kKeyLine);
}

/// Lanes that look at different keys would meet in the banks of shared memory, three or four at a time; here each has
/// copies of its own. The values of the next round are on their way meanwhile.
template <bool kRight, class Keys>
__global__ void __launch_bounds__(kFewThreads, 1)
    search_few(const Keys keys, const typename Keys::Bits* __restrict__ sequence,
               const typename Keys::Bits* __restrict__ values, const Table t, Index* __restrict__ out) {
  using Key = typename Keys::Key;
  using Bits = typename Keys::Bits;
  constexpr unsigned kCopies = kKeyLine / sizeof(Key);
  extern __shared__ __align__(16) unsigned char memory[];
  auto* const shared = reinterpret_cast<Key*>(memory);
  const auto count = static_cast<unsigned>(t.count);
  for (unsigned i = threadIdx.x; i < count * kCopies; i += kFewThreads) shared[i] = keys(sequence[i / kCopies]);
  __syncthreads();
  const auto* const mine = reinterpret_cast<const unsigned char*>(shared + threadIdx.x % kCopies);
  const Index threads = static_cast<Index>(gridDim.x) * kFewThreads;
  Bits next[kAtOnce];
  const auto read = [&](Index first) {
#pragma unroll
    for (int q = 0; q < kAtOnce; ++q)
      if (const Index i = first + q * threads; i < t.number) next[q] = __ldcs(values + i);
  };
  Index first = static_cast<Index>(blockIdx.x) * kFewThreads + threadIdx.x;
  for (read(first); first < t.number; first += kAtOnce * threads) {
    Key wanted[kAtOnce];
    unsigned low[kAtOnce] = {};
#pragma unroll
    for (int q = 0; q < kAtOnce; ++q) wanted[q] = keys(next[q]);
    read(first + kAtOnce * threads);
    search_lines<kRight>(mine, count, wanted, low);
#pragma unroll
    for (int q = 0; q < kAtOnce; ++q)
      if (const Index i = first + q * threads; i < t.number) __stcs(out + i, static_cast<Index>(low[q] / kKeyLine));
  }
}

bool is_few(const Where& where, const SearchQuery& query) {
  if (query.number < kManyValues) return false;
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, where.device);
  return query.count * kKeyLine <= std::min<Index>(kFewBytes, most);
}

template <class Keys>
Status launch_few(const Where& where, const Keys& keys, const SearchQuery& query, Index* out) {
  using Bits = typename Keys::Bits;
  const Table t{query.count, query.count, 1, query.number};
  const auto bytes = static_cast<int>(query.count * kKeyLine);
  const auto kernel = query.right ? search_few<true, Keys> : search_few<false, Keys>;
  GARNER_CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<static_cast<unsigned>(multiprocessors(where.device)), kFewThreads, static_cast<std::size_t>(bytes),
           stream_of(where)>>>(keys, static_cast<const Bits*>(query.sequence), static_cast<const Bits*>(query.values),
                               t, out);
  GARNER_CUDA_TRY(cudaGetLastError());
  return {};
}

// ---- long sequences ----

/// Of the sequence every `step`th key is in L2, and of these every `stride`th in shared memory.
struct LongTable {
  Index count, step, samples, stride, tops;
  Index number;  // of values
};

/// Keys that are known beside those that are searched: all of them stand between these two.
template <class Key>
struct Fence {
  Key below, above;
  __device__ Fence(const Key* known, Index at, Index n)
      : below(at > 0 ? known[at - 1] : Key{0}), above(at < n ? known[at] : static_cast<Key>(~Key{0})) {}
};

/// Where among n keys the value stands if they lie on a line. In a sequence that is not sorted that is any number; it
/// must still be one of [0, n).
template <class Key>
__device__ inline Index guess(Key wanted, const Fence<Key>& fence, Index n) {
  const auto number = [](Key key) {
    if constexpr (sizeof(Key) > 8) return static_cast<float>(static_cast<std::uint64_t>(key >> 64));
    else return static_cast<float>(key);
  };
  const float part = number(wanted - fence.below) / number(fence.above - fence.below);
  return part >= 0 && part < 1 ? min(static_cast<Index>(part * static_cast<float>(n)), n - 1) : 0;
}

/// How many of n keys stand before the value: looks into the kLine keys of one sector that the guess leads to, then in
/// growing steps away from there, then halves what is left.
template <bool kRight, int kLine, class Key, class At>
__device__ inline Index search_from_guess(Key wanted, const Fence<Key>& fence, Index n, At&& at) {
  if (n == 0) return 0;
  const auto stands_before = [&](Index i) { return before<kRight>(at(i), wanted); };
  Index low = 0, high = n;
  const Index near = guess(wanted, fence, n), first = near - near % kLine, last = min(first + kLine, n) - 1;
  const bool left = !stands_before(first), right = !left && stands_before(last);
  left ? high = first : low = (right ? last : first) + 1;
  if (!left && !right) high = last;
  for (Index reach = kLine; left || right; reach *= 4) {
    const Index next = left ? high - reach : low + reach - 1;
    if (next < low || next >= high) break;
    const bool is_before = stands_before(next);
    is_before ? low = next + 1 : high = next;
    if (is_before == left) break;
  }
  while (low < high) {
    const Index middle = (low + high) / 2;
    stands_before(middle) ? low = middle + 1 : high = middle;
  }
  return low;
}

template <class Keys>
__global__ void __launch_bounds__(kThreads)
    take_samples(const Keys keys, const typename Keys::Bits* __restrict__ sequence, const LongTable t,
                 typename Keys::Key* __restrict__ samples) {
  for (Index i = grid_thread(); i < t.samples; i += grid_threads()) samples[i] = keys(sequence[(i + 1) * t.step - 1]);
}

template <bool kRight, class Keys>
__global__ void __launch_bounds__(kThreads)
    search_long(const Keys keys, const typename Keys::Bits* __restrict__ sequence,
                const typename Keys::Key* __restrict__ samples, const typename Keys::Bits* __restrict__ values,
                const LongTable t, Index* __restrict__ out) {
  using Key = typename Keys::Key;
  extern __shared__ __align__(16) unsigned char memory[];
  auto* const tops = reinterpret_cast<Key*>(memory);
  for (Index i = threadIdx.x; i < t.tops; i += kThreads) tops[i] = samples[(i + 1) * t.stride - 1];
  __syncthreads();
  for (Index i = grid_thread(); i < t.number; i += grid_threads()) {
    const Key wanted[1] = {keys(values[i])};
    Index top[1] = {0};
    search_together<kRight>(wanted, top, t.tops, [&](int, Index at) { return tops[at]; });
    const Index from = top[0] * t.stride;
    const Index sample = from + search_from_guess<kRight, 32 / sizeof(Key)>(
                                    wanted[0], Fence<Key>(tops, top[0], t.tops), min(t.stride, t.samples - from),
                                    [&](Index at) { return samples[from + at]; });
    const Index base = sample * t.step;
    const Index inside = search_from_guess<kRight, 32 / sizeof(typename Keys::Bits)>(
        wanted[0], Fence<Key>(samples, sample, t.samples), min(t.step, t.count - base),
        [&](Index at) { return keys(sequence[base + at]); });
    __stcs(out + i, base + inside);
  }
}

template <class Keys>
LongTable long_table_for(const SearchQuery& query) {
  constexpr Index kTops = kSharedBytes / static_cast<Index>(sizeof(typename Keys::Key));
  const Index most = kSampleBytes / static_cast<Index>(sizeof(typename Keys::Key));
  LongTable t{};
  t.count = query.count;
  t.number = query.number;
  t.step = max(kLeastStep, (query.count + most - 1) / most);
  t.samples = t.count / t.step;
  t.stride = max(Index{1}, (t.samples + kTops - 1) / kTops);
  t.tops = t.samples / t.stride;
  return t;
}

template <class Keys>
Status launch_long(const Where& where, const Keys& keys, const SearchQuery& query, const LongTable& t, Index* out) {
  using Bits = typename Keys::Bits;
  using Key = typename Keys::Key;
  auto memory = cuda_memory(where.device, where.stream, t.samples * static_cast<Index>(sizeof(Key)));
  if (!memory.ok()) return memory.status();
  auto* samples = static_cast<Key*>(memory->get());
  const auto* sequence = static_cast<const Bits*>(query.sequence);
  const auto* values = static_cast<const Bits*>(query.values);
  take_samples<<<loop_blocks(where, t.samples), kThreads, 0, stream_of(where)>>>(keys, sequence, t, samples);
  const auto bytes = static_cast<std::size_t>(t.tops) * sizeof(Key);
  const unsigned most = 8 * static_cast<unsigned>(multiprocessors(where.device)), wanted = blocks_for(query.number);
  const auto kernel = query.right ? search_long<true, Keys> : search_long<false, Keys>;
  kernel<<<min(most, wanted), kThreads, bytes, stream_of(where)>>>(keys, sequence, samples, values, t, out);
  GARNER_CUDA_TRY(cudaGetLastError());
  return {};
}

// ---- all others ----

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
  if constexpr (sizeof(typename Keys::Key) <= 8)
    if (is_few(where, query)) return launch_few(where, keys, query, out);
  // Gathering the samples must be worth it: a sector each, as many as the first steps of a search read.
  if (const LongTable t = long_table_for<Keys>(query); t.stride > 1 && query.number > t.samples / 4)
    return launch_long(where, keys, query, t, out);
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
