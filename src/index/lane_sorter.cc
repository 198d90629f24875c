#include "index/lane_sorter.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <concepts>

#include "device/cpu/threads.h"
#include "index/scan.h"

namespace garner::index {
namespace {

// Pairs from which the vector sort is used: at 1,000 it is twice as fast as std::sort, below that this is an estimate.
constexpr std::size_t kVectorSort = 128;
// Pairs per thread from which pieces are sorted and merged. An estimate, not measured.
constexpr Index kPiece = 1 << 15;

struct ByPair {
  template <std::unsigned_integral K> bool operator()(K a, K b) const { return a < b; }
  bool operator()(const Pair128& a, const Pair128& b) const { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; }
  bool operator()(const WidePair& a, const WidePair& b) const {
    return a.key != b.key ? a.key < b.key : a.position < b.position;
  }
};

template <class K>
void make(std::uint64_t& pair, K key, Index position) {
  pair = static_cast<std::uint64_t>(key) << 32 | static_cast<std::uint64_t>(position);
}
template <class K>
void make(Pair128& pair, K key, Index position) {
  pair.hi = static_cast<std::uint64_t>(key), pair.lo = static_cast<std::uint64_t>(position);
}
template <class K>
void make(WidePair& pair, K key, Index position) {
  pair = {key, position};
}

WideKey key_in(std::uint64_t pair) { return pair >> 32; }
WideKey key_in(const Pair128& pair) { return pair.hi; }
WideKey key_in(const WidePair& pair) { return pair.key; }
Index position_in(std::uint64_t pair) { return static_cast<Index>(pair & 0xffffffffU); }
Index position_in(const Pair128& pair) { return static_cast<Index>(pair.lo); }
Index position_in(const WidePair& pair) { return pair.position; }

template <class P>
void sort_pairs(P* begin, P* end) {
  if constexpr (!std::is_same_v<P, WidePair>) {
    if (const auto n = static_cast<std::size_t>(end - begin); n >= kVectorSort) {
      static thread_local hwy::Sorter sorter;
      return sorter(begin, n, hwy::SortAscending());
    }
  }
  std::sort(begin, end, ByPair());
}

/// Neighbouring sorted pieces of `length` become one, from one buffer to the other.
template <class P>
void merge_pieces(const std::vector<P>& from, std::vector<P>& to, Index length, int threads) {
  const Index n = static_cast<Index>(from.size()), couples = (n + 2 * length - 1) / (2 * length);
  parallel_ranges(threads, couples, 1, [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      const Index lo = c * 2 * length, mid = std::min(lo + length, n), hi = std::min(mid + length, n);
      std::merge(from.begin() + lo, from.begin() + mid, from.begin() + mid, from.begin() + hi, to.begin() + lo,
                 ByPair());
    }
  });
}

template <class P>
void sort_all(std::vector<P>& pairs, int threads) {
  const Index n = static_cast<Index>(pairs.size());
  if (threads <= 1 || n < 2 * kPiece) return sort_pairs(pairs.data(), pairs.data() + n);
  Index length = (n + threads - 1) / threads;
  parallel_ranges(threads, (n + length - 1) / length, 1, [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c)
      sort_pairs(pairs.data() + c * length, pairs.data() + std::min((c + 1) * length, n));
  });
  std::vector<P> other(pairs.size());
  for (; length < n; length *= 2, pairs.swap(other)) merge_pieces(pairs, other, length, threads);
}

template <class P>
void positions_of(const std::vector<P>& pairs, Index count, Index* out) {
  for (Index i = 0; i < count; ++i) out[i] = position_in(pairs[static_cast<std::size_t>(i)]);
}

template <class T, class P>
void load(const SortLane& lane, Index count, std::vector<P>& pairs) {
  const Keys<T> key(lane.rule);
  const auto* data = static_cast<const T*>(lane.data);
  pairs.resize(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) make(pairs[static_cast<std::size_t>(i)], key(data[i * lane.stride]), i);
}

/// The k smallest first, in any order, the largest of them at the end.
template <class P>
void select(std::vector<P>& pairs, Index k) {
  std::nth_element(pairs.begin(), pairs.begin() + k - 1, pairs.end(), ByPair());
}

/// A lane is worth filtering when most of it is not kept and it lies in one piece.
bool worth_filtering(const SortLane& lane, Index k) {
  return lane.stride == 1 && lane.count >= 256 && k > 0 && k <= lane.count / 8;
}

/// `pairs` becomes the k smallest of the lane, and some more. Only what is below a bound, at last the largest one kept
/// so far, is looked at singly. What is equal to that one stands behind it.
template <class T, class P>
void filter(const SortLane& lane, Index k, std::vector<P>& pairs) {
  const Keys<T> key(lane.rule);
  const auto* data = static_cast<const T*>(lane.data);
  const Lane whole{lane.dtype, data, lane.count, lane.rule};
  const WideKey bound = bound_of_first(whole, k);
  const bool is_bound = bound < static_cast<KeyOf<T>>(~KeyOf<T>{0});
  load<T>(lane, is_bound ? 0 : k, pairs);
  Axes below(static_cast<std::size_t>(std::max(k, kAtOnce) + kAtOnce));
  WideKey limit = bound + 1;
  for (Index next = static_cast<Index>(pairs.size()); next < lane.count;) {
    if (static_cast<Index>(pairs.size()) >= k) {
      select(pairs, k);
      pairs.resize(static_cast<std::size_t>(k));
      limit = key_in(pairs.back());
    }
    const Below found = collect_below(whole, next, limit, below);
    next = found.next;
    for (Index i = 0; i < found.count; ++i) {
      const Index at = below[static_cast<std::size_t>(i)];
      make(pairs.emplace_back(), key(data[at]), at);
    }
  }
}

template <class T> inline constexpr bool kAlone = !is_complex_v<T> && sizeof(T) > 1 && std::is_same_v<Ordered<T>, T>;

/// The element that number_key made a key of; +0 for both zeros.
template <class T>
T from_number_key(KeyOf<T> key) {
  using K = KeyOf<T>;
  constexpr K kTop = kTopBit<K>;
  if constexpr (has_nan_v<T>) return std::bit_cast<T>(static_cast<K>(key >= kTop ? key - kTop : kTop + (kTop - key)));
  else if constexpr (std::is_signed_v<T>) return static_cast<T>(static_cast<K>(key ^ kTop));
  else return key;
}

/// What a key does not tell apart, the signs of zeros and the bits of NaN, comes in the order of the lane.
template <class T>
void restore(const SortLane& lane, const std::vector<KeyOf<T>>& keys, KeyOf<T> wanted, T* out) {
  const auto [first, last] = std::equal_range(keys.begin(), keys.end(), wanted);
  if (first == last) return;
  const Keys<T> key(lane.rule);
  const auto* data = static_cast<const T*>(lane.data);
  Index at = first - keys.begin();
  for (Index i = 0; i < lane.count * lane.stride; i += lane.stride)
    if (key(data[i]) == wanted) out[at++ * lane.stride] = data[i];
}

template <class T>
void sort_keys(const SortLane& lane, int threads, std::vector<KeyOf<T>>& keys, T* out) {
  const Keys<T> key(lane.rule);
  const auto* data = static_cast<const T*>(lane.data);
  keys.resize(static_cast<std::size_t>(lane.count));
  for (Index i = 0; i < lane.count; ++i) keys[static_cast<std::size_t>(i)] = key(data[i * lane.stride]);
  sort_all(keys, threads);
  for (Index i = 0; i < lane.count; ++i)
    out[i * lane.stride] = from_number_key<T>(static_cast<KeyOf<T>>(keys[static_cast<std::size_t>(i)] ^ key.flip));
  if constexpr (has_nan_v<T>) restore<T>(lane, keys, key(T(0)), out), restore<T>(lane, keys, key.nan, out);
}

}  // namespace

bool dtype_sorts_alone(DType dtype) {
  return dispatch(dtype, []<class T>() { return kAlone<T>; });
}

void LaneSorter::sort_values(const SortLane& lane, int threads, void* out) {
  dispatch(lane.dtype, [&]<class T>() {
    if constexpr (kAlone<T> && sizeof(T) == 2) sort_keys(lane, threads, keys16_, static_cast<T*>(out));
    else if constexpr (kAlone<T> && sizeof(T) == 4) sort_keys(lane, threads, keys32_, static_cast<T*>(out));
    else if constexpr (kAlone<T>) sort_keys(lane, threads, narrow_, static_cast<T*>(out));
  });
}

/// f(T, pairs) with the narrowest pair that holds both key and position.
template <class F>
void LaneSorter::with_pairs(const SortLane& lane, F&& f) {
  dispatch(lane.dtype, [&]<class T>() {
    if constexpr (sizeof(T) > 8) f.template operator()<T>(wide_);
    else if (sizeof(T) > 4 || lane.count >> 32 != 0) f.template operator()<T>(middle_);
    else f.template operator()<T>(narrow_);
  });
}

void LaneSorter::sort(const SortLane& lane, int threads, Index* out) {
  with_pairs(lane, [&]<class T>(auto& pairs) {
    load<T>(lane, lane.count, pairs);
    sort_all(pairs, threads);
    positions_of(pairs, lane.count, out);
  });
}

void LaneSorter::top(const SortLane& lane, Index k, bool sorted, Index* out) {
  with_pairs(lane, [&]<class T>(auto& pairs) {
    if (worth_filtering(lane, k)) filter<T>(lane, k, pairs);
    else load<T>(lane, lane.count, pairs);
    if (k > 0 && k < static_cast<Index>(pairs.size())) select(pairs, k);
    if (sorted) sort_pairs(pairs.data(), pairs.data() + k);
    positions_of(pairs, k, out);
    if (!sorted) std::sort(out, out + k);
  });
}

}  // namespace garner::index
