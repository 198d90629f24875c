#include "index/scan.h"

#include <algorithm>

#include "base/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/scan.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner::index {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Elements whose keys are compared before any position is looked for: still in L1 when one is.
constexpr Index kBlock = 2048;

/// Keys of everything but complex numbers are made a vector at a time.
template <class T> inline constexpr bool kVector = !is_complex_v<T> && std::is_same_v<Ordered<T>, T>;

// 64 lanes at most, whose bits are one word: vectors may be longer elsewhere.
template <class T> using Tag = hn::CappedTag<KeyOf<T>, 64>;

template <class T>
HWY_INLINE Index lanes() {
  return static_cast<Index>(hn::Lanes(Tag<T>()));
}

/// number_key and is_nan of order.h for a vector.
template <class T, class V>
HWY_INLINE V vector_key(V bits, const Keys<T>& key) {
  using K = KeyOf<T>;
  const Tag<T> d;
  const V flip = hn::Set(d, key.flip), top = hn::Set(d, kTopBit<K>);
  if constexpr (std::is_same_v<T, Bool>) {
    return hn::Xor(hn::IfThenElseZero(hn::Ne(bits, hn::Zero(d)), hn::Set(d, K{1})), flip);
  } else if constexpr (has_nan_v<T>) {
    const V magnitude = hn::AndNot(top, bits), largest = hn::Set(d, static_cast<K>(kLargestMagnitude<T>));
    const V number = hn::IfThenElse(hn::Eq(bits, magnitude), hn::Or(top, magnitude), hn::Sub(top, magnitude));
    const auto is_number = hn::Eq(hn::Min(magnitude, largest), magnitude);
    return hn::IfThenElse(is_number, hn::Xor(number, flip), hn::Set(d, key.nan));
  } else {
    return hn::Xor(bits, std::is_signed_v<T> ? hn::Xor(flip, top) : flip);
  }
}

template <class T>
HWY_INLINE auto load_bits(const T* data) {
  return hn::LoadU(Tag<T>(), reinterpret_cast<const KeyOf<T>*>(data));
}

template <class T>
HWY_INLINE auto load_key(const T* data, const Keys<T>& key) {
  return vector_key<T>(load_bits(data), key);
}

/// One thread of a busy 2-core Xeon, in turns with a build without it: 512 MiB of f32 flat 8.4-10.6 -> 10.4-13.4 GB/s,
/// along axis 0 8.3-9.4 -> 10.2-10.7, bf16 rows 7.5-9.5 -> 10.7-12.0; a plain read had 11-15.
template <class T>
HWY_INLINE void ask_ahead(const T* data) {
  hwy::Prefetch(reinterpret_cast<const char*>(data) + 2048);
}

/// At least a vector of elements behind one another; the last vector may overlap the one before.
template <class T>
struct Stretch {
  using Element = T;
  const T* data;
  Index n;
  /// f(vector, vector) for all of them.
  template <class F>
  HWY_INLINE void each_pair(const F& f) const {
    const Index step = lanes<T>();
    Index i = 0;
    for (; i + 2 * step <= n; i += 2 * step) {
      ask_ahead(data + i);
      ask_ahead(data + i + step);
      f(load_bits(data + i), load_bits(data + i + step));
    }
    if (i < n) f(load_bits(data + n - step), load_bits(data + (i + step <= n ? i : n - step)));
  }
};

/// A vector of columns in some rows.
template <class T>
struct Rows {
  using Element = T;
  const T* data;
  Index stride, n;
  template <class F>
  HWY_INLINE void each_pair(const F& f) const {
    for (Index i = 0; i < n; i += 2) {
      const T *a = data + i * stride, *b = i + 1 < n ? a + stride : a;
      hwy::Prefetch(a + n * stride);
      hwy::Prefetch(b + n * stride);
      f(load_bits(a), load_bits(b));
    }
  }
};

/// Lane by lane, the largest keys.
template <class S, class T = typename S::Element>
HWY_INLINE auto block_keys(const S& source, const Keys<T>& key) {
  auto a = hn::Zero(Tag<T>()), b = a;
  source.each_pair([&](auto x, auto y) {
    a = hn::Max(a, vector_key<T>(x, key));
    b = hn::Max(b, vector_key<T>(y, key));
  });
  return hn::Max(a, b);
}

/// The same for floats, two or three instructions a vector instead of ten: their bits are compared as numbers with a
/// sign and without, and a key is made of what is left. With a sign, the largest is the largest float unless all are
/// negative, when the smallest is; without, the largest is the smallest float unless none is negative, when the
/// smallest is. NaN lies above the infinities, with a sign or without: where there is one, by keys. Without kLeast,
/// lanes that would need the smallest may have a smaller key than theirs. 2 GiB of f32 on one core of a Xeon with
/// AVX-512 that reads 16.2 GB/s: 13.0 -> 15.0 GB/s with the smallest.
template <bool kDown, bool kLeast, class S, class T = typename S::Element>
HWY_INLINE auto block_floats(const S& source, const Keys<T>& key) {
  using K = KeyOf<T>;
  const Tag<T> d;
  const hn::RebindToSigned<Tag<T>> ds;
  const auto with_sign = [&](auto v) { return hn::BitCast(ds, v); };
  const auto max_signed = [&](auto u, auto v) { return hn::BitCast(d, hn::Max(with_sign(u), with_sign(v))); };
  const auto min = [&](auto u, [[maybe_unused]] auto v) {
    if constexpr (!kLeast) return u;
    else if constexpr (kDown) return hn::Min(u, v);
    else return hn::BitCast(d, hn::Min(with_sign(u), with_sign(v)));
  };
  const auto top = hn::Set(d, kTopBit<K>);
  auto most = hn::Zero(d), most2 = most, signed_most = top, signed_most2 = top;
  auto least = hn::Set(d, static_cast<K>(kDown ? ~K{0} : ~kTopBit<K>)), least2 = least;
  source.each_pair([&](auto x, auto y) {
    most = hn::Max(most, x), most2 = hn::Max(most2, y);
    signed_most = max_signed(signed_most, x), signed_most2 = max_signed(signed_most2, y);
    least = min(least, x), least2 = min(least2, y);
  });
  most = hn::Max(most, most2), signed_most = max_signed(signed_most, signed_most2), least = min(least, least2);
  const auto infinity = hn::BitCast(ds, hn::Set(d, static_cast<K>(kLargestMagnitude<T>)));
  const auto is_nan = [&](auto v) { return hn::Gt(with_sign(v), infinity); };
  if (!hn::AllFalse(ds, hn::Or(is_nan(hn::AndNot(top, most)), is_nan(signed_most)))) return block_keys(source, key);
  const auto found = kDown ? most : signed_most;
  if constexpr (!kLeast) return vector_key<T>(found, key);
  const auto is_negative = hn::RebindMask(d, hn::Lt(with_sign(found), hn::Zero(ds)));
  return vector_key<T>(kDown ? hn::IfThenElse(is_negative, found, least) : hn::IfThenElse(is_negative, least, found),
                       key);
}

/// Lane by lane, the largest keys; for those that do not come up to `best`, smaller ones may stand.
template <class S, class T = typename S::Element>
HWY_INLINE auto block_max(const S& source, const Keys<T>& key, KeyOf<T> best) {
  if constexpr (has_nan_v<T>) {
    const bool beyond_zero = best > (kTopBit<KeyOf<T>> ^ key.flip);  // lanes that need their smallest have another sign
    if (key.flip != 0)
      return beyond_zero ? block_floats<true, false>(source, key) : block_floats<true, true>(source, key);
    return beyond_zero ? block_floats<false, false>(source, key) : block_floats<false, true>(source, key);
  } else {
    return block_keys(source, key);
  }
}

template <class T, class V>
HWY_INLINE KeyOf<T> largest_lane(V keys) {
  HWY_ALIGN KeyOf<T> lane[HWY_MAX_BYTES / sizeof(KeyOf<T>)];
  hn::Store(keys, Tag<T>(), lane);
  KeyOf<T> best = 0;
  for (Index j = 0; j < lanes<T>(); ++j) best = HWY_MAX(best, lane[j]);
  return best;
}

/// Is some lane above `best`, or where ties go to the last, not below it?
template <class T, class V>
HWY_INLINE bool beats(V keys, KeyOf<T> best, Tie tie) {
  const Tag<T> d;
  const V had = hn::Set(d, best), most = hn::Max(keys, had);
  return tie == Tie::kFirst ? !hn::AllTrue(d, hn::Eq(most, had)) : !hn::AllFalse(d, hn::Eq(most, keys));
}

/// The first (or last) position of a key in [0, n), or -1.
template <class T>
HWY_INLINE Index locate_single(const T* data, Index n, const Keys<T>& key, KeyOf<T> wanted, Tie tie) {
  const bool first = tie == Tie::kFirst;
  for (Index done = 0; done < n; ++done)
    if (const Index at = first ? done : n - 1 - done; key(data[at]) == wanted) return at;
  return -1;
}

/// The same for at least a vector of elements: only the vector that has it is looked at singly.
template <class T>
HWY_INLINE Index locate(const T* data, Index n, const Keys<T>& key, KeyOf<T> wanted, Tie tie) {
  const Tag<T> d;
  const Index step = lanes<T>();
  for (Index done = 0; done < n; done += step) {
    const Index near = HWY_MIN(done, n - step), from = tie == Tie::kFirst ? near : n - step - near;
    if (hn::AllFalse(d, hn::Eq(load_key(data + from, key), hn::Set(d, wanted)))) continue;
    return from + locate_single(data + from, step, key, wanted, tie);
  }
  return -1;
}

template <class T>
HWY_INLINE Best single_best(const T* data, Index n, const Keys<T>& key, Tie tie) {
  Best best;
  for (Index i = 0; i < n; ++i) {
    const WideKey k = key(data[i]);
    if (k > best.key || (k == best.key && tie == Tie::kLast)) best = {k, i};
  }
  return best;
}

/// Block maxima first; a position is looked for once, in the block that won. The last block has up to 2 * kBlock.
template <class T>
HWY_INLINE Best vector_best(const T* data, Index n, const Keys<T>& key, Tie tie) {
  KeyOf<T> best = 0;
  Index winner = 0, winner_size = HWY_MIN(n, kBlock);
  for (Index at = 0, size; at < n; at += size) {
    size = n - at < 2 * kBlock ? n - at : kBlock;
    const auto keys = block_max(Stretch<T>{data + at, size}, key, best);
    if (beats<T>(keys, best, tie)) best = largest_lane<T>(keys), winner = at, winner_size = size;
  }
  const Index found = locate(data + winner, winner_size, key, best, tie);
  return {best, found < 0 ? 0 : winner + found};
}

template <class T>
Best lane_best(const Lane& lane, Tie tie) {
  const auto* data = static_cast<const T*>(lane.data);
  const Keys<T> key(lane.rule);
  if constexpr (kVector<T>)
    if (lane.count >= lanes<T>()) return vector_best(data, lane.count, key, tie);
  return single_best(data, lane.count, key, tie);
}

template <class T>
Index lane_find(const Lane& lane, WideKey wanted) {
  const auto* data = static_cast<const T*>(lane.data);
  const Keys<T> key(lane.rule);
  const auto w = static_cast<KeyOf<T>>(wanted);
  if constexpr (kVector<T>)
    if (lane.count >= lanes<T>()) return locate(data, lane.count, key, w, Tie::kFirst);
  return locate_single(data, lane.count, key, w, Tie::kFirst);
}

/// Sets `out` to the positions, counted from `base`, of what is below the limit in a vector.
template <class T>
HWY_INLINE Index vector_below(const T* data, Index base, const Keys<T>& key, KeyOf<T> limit, Index* out) {
  const Tag<T> d;
  const auto limits = hn::Set(d, limit);
  const auto not_below = hn::Eq(hn::Min(load_key(data + base, key), limits), limits);
  if (hn::AllTrue(d, not_below)) return 0;
  std::uint64_t bits = 0;
  hn::StoreMaskBits(d, hn::Not(not_below), reinterpret_cast<std::uint8_t*>(&bits));
  Index count = 0;
  for (; bits != 0; bits &= bits - 1) out[count++] = base + std::countr_zero(bits);
  return count;
}

template <class T>
Below lane_below(const Lane& lane, Index from, WideKey limit, std::span<Index> out) {
  const auto* data = static_cast<const T*>(lane.data);
  const Keys<T> key(lane.rule);
  const auto l = static_cast<KeyOf<T>>(limit);
  Below below{0, from};
  const auto has_room = [&] { return below.count + kAtOnce <= static_cast<Index>(out.size()); };
  if constexpr (kVector<T>)
    for (; below.next + lanes<T>() <= lane.count && has_room(); below.next += lanes<T>())
      below.count += vector_below(data, below.next, key, l, out.data() + below.count);
  for (; below.next < lane.count && has_room(); ++below.next) {
    out[static_cast<std::size_t>(below.count)] = below.next;
    below.count += key(data[below.next]) < l ? 1 : 0;
  }
  return below;
}

/// The smallest keys of `kChains` vectors' worth of lanes, each of every so many elements.
template <class T, Index kChains>
HWY_INLINE void chain_minima(const T* data, Index n, const Keys<T>& key, KeyOf<T>* out) {
  const Tag<T> d;
  const Index step = lanes<T>();
  for (Index c = 0; c < kChains; ++c) {
    auto least = load_key(data + c * step, key);
    for (Index i = (c + kChains) * step; i + step <= n; i += kChains * step)
      least = hn::Min(least, load_key(data + i, key));
    hn::StoreU(least, d, out + c * step);
  }
}

/// Of twice as many stretches as wanted the smallest keys: no more than about 1.4 k elements of random ones are below
/// the k-th of those.
template <class T>
WideKey lane_bound(const Lane& lane, Index k) {
  if constexpr (kVector<T>) {
    constexpr Index kSample = 4096, kMostChains = 8;  // elements: in L1
    const Index n = HWY_MIN(lane.count, kSample), wanted = 2 * k;
    KeyOf<T> least[kMostChains * HWY_MAX_BYTES / sizeof(KeyOf<T>)];
    const auto* data = static_cast<const T*>(lane.data);
    const Keys<T> key(lane.rule);
    const auto bound_of = [&]<Index kChains>() -> WideKey {
      chain_minima<T, kChains>(data, n, key, least);
      std::nth_element(least, least + k - 1, least + kChains * lanes<T>());
      return least[k - 1];
    };
    if (wanted <= lanes<T>() && n >= 2 * lanes<T>()) return bound_of.template operator()<1>();
    if (wanted <= kMostChains * lanes<T>() && n >= 2 * kMostChains * lanes<T>())
      return bound_of.template operator()<kMostChains>();
  }
  return static_cast<KeyOf<T>>(~KeyOf<T>{0});
}

/// Keys and, beside them in the same width, the groups of rows they stood in since the last flush; kNone where none is
/// new.
template <class T>
struct Running {
  using K = KeyOf<T>;
  static constexpr K kNone = static_cast<K>(~K{0});
  static constexpr Index kGroups = sizeof(K) < 4 ? static_cast<Index>(kNone) : INT32_MAX;  // that K can count
  HWY_ALIGN K best[kMaxColumns];
  HWY_ALIGN K group[kMaxColumns];
};

/// Rows that are folded before a key is made of them and compared: with their lines, half the ways of an L1 set.
constexpr Index kGroupRows = 8;

/// A group of rows of a block, from this element on.
template <class T>
struct RowGroup {
  const T* data;
  Index stride, rows;
  KeyOf<T> number;
};

/// Columns [j, j + lanes) of a group. Doing a column twice changes nothing.
template <class T, Tie kTie, Index kRows>
HWY_INLINE void vector_step(const RowGroup<T>& g, Index j, const Keys<T>& key, Running<T>& running) {
  const Tag<T> d;
  const auto keys = [&] {
    if constexpr (kRows > 1) return block_max(Rows<T>{g.data + j, g.stride, g.rows}, key, 0);
    else return ask_ahead(g.data + j), load_key(g.data + j, key);
  };
  const auto k = keys(), had = hn::LoadU(d, running.best + j), most = hn::Max(k, had);
  const auto stays = kTie == Tie::kFirst ? hn::Eq(most, had) : hn::Not(hn::Eq(most, k));
  hn::StoreU(most, d, running.best + j);
  hn::StoreU(hn::IfThenElse(stays, hn::LoadU(d, running.group + j), hn::Set(d, g.number)), d, running.group + j);
}

template <class T, Tie kTie>
HWY_INLINE void single_step(const RowGroup<T>& g, Index j, const Keys<T>& key, Running<T>& running) {
  for (Index i = 0; i < g.rows; ++i) {
    const auto k = key(g.data[i * g.stride + j]);
    const bool better = kTie == Tie::kFirst ? k > running.best[j] : k >= running.best[j];
    running.group[j] = better ? g.number : running.group[j];
    running.best[j] = better ? k : running.best[j];
  }
}

template <class T, Tie kTie, Index kRows>
HWY_INLINE void group_step(const RowGroup<T>& g, Index columns, const Keys<T>& key, Running<T>& running) {
  Index j = 0;
  if constexpr (kVector<T>) {
    const Index step = lanes<T>();
    for (; j + step <= columns; j += step) vector_step<T, kTie, kRows>(g, j, key, running);
    if (j > 0 && j < columns) vector_step<T, kTie, kRows>(g, columns - step, key, running), j = columns;
  }
  for (; j < columns; ++j) single_step<T, kTie>(g, j, key, running);
}

/// The rows of what is new. `first`: the row that groups are counted from.
template <class T, Tie kTie, Index kRows>
HWY_INLINE void flush(const Columns& block, const Keys<T>& key, Index first, Running<T>& running, Index* position) {
  const auto* data = static_cast<const T*>(block.data);
  for (Index j = 0; j < block.columns; ++j) {
    if (running.group[j] == Running<T>::kNone) continue;
    const Index from = first + static_cast<Index>(running.group[j]) * kRows, end = HWY_MIN(from + kRows, block.count);
    Index row = kTie == Tie::kFirst ? from : end - 1;
    while (kRows > 1 && key(data[row * block.stride + j]) != running.best[j]) row += kTie == Tie::kFirst ? 1 : -1;
    position[j] = row;
    running.group[j] = Running<T>::kNone;
  }
}

template <class T, Tie kTie, Index kRows>
HWY_INLINE void columns_best(const Columns& block, const ColumnBest& target) {
  const Keys<T> key(block.rule);
  const auto* data = static_cast<const T*>(block.data);
  Running<T> running;
  for (Index j = 0; j < block.columns; ++j)
    running.best[j] = 0, running.group[j] = Running<T>::kNone, target.position[j] = 0;
  for (Index first = 0; first < block.count; first += Running<T>::kGroups * kRows) {
    const Index end = HWY_MIN(first + Running<T>::kGroups * kRows, block.count);
    for (Index row = first; row < end; row += kRows) {
      const auto number = static_cast<KeyOf<T>>((row - first) / kRows);
      group_step<T, kTie, kRows>({data + row * block.stride, block.stride, HWY_MIN(kRows, end - row), number},
                                 block.columns, key, running);
    }
    flush<T, kTie, kRows>(block, key, first, running, target.position);
  }
  for (Index j = 0; j < block.columns; ++j) target.key[j] = running.best[j];
}

/// From the last row to the first, so that the first one to match is what stays.
template <class T>
HWY_INLINE void columns_find(const Columns& block, WideKey wanted, const ColumnTarget& target) {
  const Keys<T> key(block.rule);
  const auto w = static_cast<KeyOf<T>>(wanted);
  for (Index j = 0; j < block.columns; ++j) target.position[j] = target.nothing;
  for (Index i = block.count; i-- > 0;) {
    const T* HWY_RESTRICT row = static_cast<const T*>(block.data) + i * block.stride;
    for (Index j = 0; j < block.columns; ++j) target.position[j] = key(row[j]) == w ? i : target.position[j];
  }
}

Best BestInLane(const Lane& lane, Tie tie) {
  return dispatch(lane.dtype, [&]<class T>() { return lane_best<T>(lane, tie); });
}

Index FindInLane(const Lane& lane, WideKey wanted) {
  return dispatch(lane.dtype, [&]<class T>() { return lane_find<T>(lane, wanted); });
}

Below CollectBelow(const Lane& lane, Index from, WideKey limit, std::span<Index> out) {
  return dispatch(lane.dtype, [&]<class T>() { return lane_below<T>(lane, from, limit, out); });
}

WideKey BoundOfFirst(const Lane& lane, Index k) {
  return dispatch(lane.dtype, [&]<class T>() { return lane_bound<T>(lane, k); });
}

void BestInColumns(const Columns& block, Tie tie, const ColumnBest& target) {
  dispatch(block.dtype, [&]<class T>() {
    // Of a short lane the row is looked for about as long as the key.
    constexpr Index kRows = kVector<T> ? kGroupRows : 1;
    const bool is_short = block.count < 8 * kGroupRows, first = tie == Tie::kFirst;
    if (is_short)
      first ? columns_best<T, Tie::kFirst, 1>(block, target) : columns_best<T, Tie::kLast, 1>(block, target);
    else first ? columns_best<T, Tie::kFirst, kRows>(block, target) : columns_best<T, Tie::kLast, kRows>(block, target);
  });
}

void FindInColumns(const Columns& block, WideKey wanted, const ColumnTarget& target) {
  dispatch(block.dtype, [&]<class T>() { columns_find<T>(block, wanted, target); });
}

}  // namespace HWY_NAMESPACE
}  // namespace garner::index
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner::index {
HWY_EXPORT(BestInLane);
HWY_EXPORT(FindInLane);
HWY_EXPORT(CollectBelow);
HWY_EXPORT(BoundOfFirst);
HWY_EXPORT(BestInColumns);
HWY_EXPORT(FindInColumns);

Best best_in_lane(const Lane& lane, Tie tie) { return HWY_DYNAMIC_DISPATCH(BestInLane)(lane, tie); }
Index find_in_lane(const Lane& lane, WideKey wanted) { return HWY_DYNAMIC_DISPATCH(FindInLane)(lane, wanted); }
Below collect_below(const Lane& lane, Index from, WideKey limit, std::span<Index> out) {
  return HWY_DYNAMIC_DISPATCH(CollectBelow)(lane, from, limit, out);
}
WideKey bound_of_first(const Lane& lane, Index k) { return HWY_DYNAMIC_DISPATCH(BoundOfFirst)(lane, k); }
void best_in_columns(const Columns& block, Tie tie, const ColumnBest& target) {
  HWY_DYNAMIC_DISPATCH(BestInColumns)(block, tie, target);
}
void find_in_columns(const Columns& block, WideKey wanted, const ColumnTarget& target) {
  HWY_DYNAMIC_DISPATCH(FindInColumns)(block, wanted, target);
}
}  // namespace garner::index
#endif
