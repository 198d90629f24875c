#include "index/search_table.h"

#include <cmath>

#include "device/cpu/prefetch.h"
#include "device/cpu/stream.h"
#include "device/cpu/threads.h"

#include "base/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/search_table.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "device/cpu/sink-inl.h"

#ifndef GARNER_INDEX_SEARCH_TABLE_ONCE
#define GARNER_INDEX_SEARCH_TABLE_ONCE
namespace garner::index {

template <class T> inline constexpr bool kHasTable = (sizeof(T) == 4 || sizeof(T) == 8) && std::is_arithmetic_v<T>;

/// Falls nowhere as the value grows: every step rounds, and rounding keeps order. NaN is in the last slot.
template <class T>
HWY_INLINE std::int32_t slot_of(T value, float lowest, float scale, float last) {
  const float x = (static_cast<float>(value) - lowest) * scale;
  return static_cast<std::int32_t>(value == value ? (x > 0 ? (x < last ? x : last) : 0) : last);
}

}  // namespace garner::index
#endif

HWY_BEFORE_NAMESPACE();
namespace garner::index {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Searches that wait for memory together.
constexpr Index kGroup = 64;

template <class T>
struct Group {
  using K = KeyOf<T>;
  HWY_ALIGN K wanted[kGroup];
  HWY_ALIGN std::int32_t top[kGroup];  // how many tops stand before the value
};

/// Does an element with key x stand before a value with key v?
template <Side kSide, class K>
HWY_INLINE bool before(K x, K v) {
  return kSide == Side::kLeft ? x < v : x <= v;
}

/// One step of all searches of a group. Keys of 4 bytes are gathered.
template <Side kSide, class T>
HWY_INLINE void halve(const KeyOf<T>* tops, std::int32_t half, Group<T>& g) {
  if constexpr (sizeof(T) == 4) {
    const hn::ScalableTag<std::uint32_t> d;
    const hn::ScalableTag<std::int32_t> di;
    for (Index q = 0; q < kGroup; q += static_cast<Index>(hn::Lanes(d))) {
      const auto at = hn::Load(di, g.top + q);
      const auto x = hn::GatherIndex(d, tops + half - 1, at), v = hn::Load(d, g.wanted + q), least = hn::Min(x, v);
      const auto stays = kSide == Side::kLeft ? hn::Eq(least, v) : hn::Not(hn::Eq(least, x));
      const auto moved = hn::Add(hn::BitCast(d, at), hn::Set(d, static_cast<std::uint32_t>(half)));
      hn::Store(hn::BitCast(di, hn::IfThenElse(stays, hn::BitCast(d, at), moved)), di, g.top + q);
    }
  } else {
    for (Index q = 0; q < kGroup; ++q) g.top[q] += before<kSide>(tops[g.top[q] + half - 1], g.wanted[q]) ? half : 0;
  }
}

/// Keys<float> of as many values as there are lanes.
template <class V>
HWY_INLINE auto key_lanes(V value) {
  const hn::ScalableTag<std::int32_t> d;
  const hn::ScalableTag<std::uint32_t> du;
  const auto bits = hn::BitCast(d, value), negative = hn::ShiftRight<31>(bits);
  const auto magnitude = hn::And(bits, hn::Set(d, 0x7fffffff));
  const auto number = hn::BitCast(du, hn::Sub(hn::Xor(magnitude, negative), negative));
  const auto nan = hn::VecFromMask(du, hn::RebindMask(du, hn::IsNaN(value)));
  return hn::Or(hn::Xor(number, hn::Set(du, kTopBit<std::uint32_t>)), nan);
}

/// slot_of() of as many values as there are lanes.
template <class V>
HWY_INLINE auto slot_lanes(const SearchTable& table, V value) {
  const hn::ScalableTag<float> d;
  const auto last = hn::Set(d, static_cast<float>(table.first.size() - 2));
  const auto x = hn::Mul(hn::Sub(value, hn::Set(d, table.lowest)), hn::Set(d, table.scale));
  const auto inside = hn::Min(hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), x), last);
  return hn::ConvertTo(hn::ScalableTag<std::int32_t>(), hn::IfThenElse(hn::IsNaN(value), last, inside));
}

/// The compiler makes twice as many instructions of the loops in find_slots().
HWY_INLINE void find_slots_of_floats(const SearchTable& table, const float* values, Group<float>& g) {
  const hn::ScalableTag<float> d;
  for (Index q = 0; q < kGroup; q += static_cast<Index>(hn::Lanes(d))) {
    const auto value = hn::LoadU(d, values + q);
    hn::Store(key_lanes(value), hn::ScalableTag<std::uint32_t>(), g.wanted + q);
    hn::Store(slot_lanes(table, value), hn::ScalableTag<std::int32_t>(), g.top + q);
  }
}

/// The keys of the values, and in place of their tops the slots that they are in.
template <class T>
HWY_INLINE void find_slots(const SearchTable& table, const T* values, Index n, Group<T>& g) {
  if constexpr (std::is_same_v<T, float>)
    if (n == kGroup) return find_slots_of_floats(table, values, g);
  const Keys<T> key(kAscending);
  const auto last = static_cast<float>(table.first.size() - 2);
  const float lowest = table.lowest, scale = table.scale;
  for (Index q = 0; q < n; ++q) g.wanted[q] = key(values[q]);
  for (Index q = 0; q < n; ++q) g.top[q] = slot_of(values[q], lowest, scale, last);
  for (Index q = n; q < kGroup; ++q) g.wanted[q] = 0, g.top[q] = 0;
}

template <class T>
HWY_INLINE void look_up_slots(const SearchTable& table, Group<T>& g) {
  const hn::ScalableTag<std::int32_t> d;
  for (Index q = 0; q < kGroup; q += static_cast<Index>(hn::Lanes(d)))
    hn::Store(hn::GatherIndex(d, table.first.data(), hn::Load(d, g.top + q)), d, g.top + q);
}

template <Side kSide, class T>
HWY_INLINE void find_tops(const SearchTable& table, const T* values, Index n, Group<T>& g) {
  const auto* tops = reinterpret_cast<const KeyOf<T>*>(table.tops.data());
  const auto count = static_cast<std::int32_t>(table.top_count);
  find_slots(table, values, n, g);
  look_up_slots(table, g);
  for (int s = table.steps; s-- > 0;) halve<kSide, T>(tops, std::int32_t{1} << s, g);
  for (Index q = 0; q < kGroup; ++q) g.top[q] = g.top[q] < count ? g.top[q] : count;
}

/// The place of one value in [lo, hi]; `at` is where a window of a line begins, `lo` and a number of lines.
struct Place {
  Index query, lo, hi, at;
};

template <class T> inline constexpr Index kWindow = 64 / static_cast<Index>(sizeof(T));

/// The keys at the ends of the piece are known; in between they are taken to lie on a line.
template <class T>
HWY_INLINE Place first_guess(const SearchTable& table, const SearchQuery& query, const Group<T>& g, Index q) {
  const auto* tops = reinterpret_cast<const KeyOf<T>*>(table.tops.data());
  const Index top = g.top[q], lo = top * table.piece, hi = HWY_MIN(lo + table.piece, query.count);
  Place place{q, lo, hi, lo};
  if (top == 0 || top == table.top_count) return place;
  const KeyOf<T> below = tops[top - 1], above = tops[top];
  const auto part = static_cast<double>(g.wanted[q] - below) / static_cast<double>(above - below);
  const Index windows = table.piece / kWindow<T>;
  const auto lines = static_cast<double>(windows);
  // In a sequence that is not sorted the part is any number; the line must still be one of the piece.
  place.at = lo + static_cast<Index>(part >= 0 && part < 1 ? part * lines : 0) * kWindow<T>;
  return place;
}

template <Side kSide, class T>
HWY_INLINE Index count_before(const T* data, Index n, KeyOf<T> wanted) {
  const Keys<T> key(kAscending);
  KeyOf<T> count = 0;
  if (n == kWindow<T>)
    for (Index i = 0; i < kWindow<T>; ++i) count += before<kSide>(key(data[i]), wanted) ? 1 : 0;
  else
    for (Index i = 0; i < n; ++i) count += before<kSide>(key(data[i]), wanted) ? 1 : 0;
  return static_cast<Index>(count);
}

/// Looks into the window: true when the place is found (then in lo), else `at` is the next window to look into.
template <Side kSide, class T>
HWY_INLINE bool look(const SearchQuery& query, const Group<T>& g, bool halve, Place& p) {
  const auto* sequence = static_cast<const T*>(query.sequence);
  const Index n = HWY_MIN(kWindow<T>, p.hi - p.at), found = count_before<kSide>(sequence + p.at, n, g.wanted[p.query]);
  if (found == 0 && p.at > p.lo) p.hi = p.at, p.at -= kWindow<T>;
  else if (found == n && p.at + n < p.hi) p.lo = p.at + n, p.at = p.lo;
  else return p.lo = p.at + found, true;
  if (halve) p.at = p.lo + (p.hi - p.lo) / (2 * kWindow<T>)*kWindow<T>;
  hwy::Prefetch(sequence + p.at);
  return false;
}

/// Guess a line and look into it when the others are on their way too; then its neighbours, then halve what is left.
template <Side kSide, class T>
HWY_INLINE void search_pieces(const SearchTable& table, const SearchQuery& query, const Group<T>& g, Index n,
                              Index* out) {
  Place open[kGroup];
  for (Index q = 0; q < n; ++q) {
    open[q] = first_guess<T>(table, query, g, q);
    hwy::Prefetch(static_cast<const T*>(query.sequence) + open[q].at);
  }
  for (Index left = n, round = 0; left > 0; ++round) {
    Index still = 0;
    for (Index i = 0; i < left; ++i) {
      Place p = open[i];
      if (look<kSide>(query, g, round > 0, p)) out[p.query] = p.lo;
      else open[still++] = p;
    }
    left = still;
  }
}

template <Side kSide, class T>
HWY_INLINE void search_group(const SearchTable& table, const SearchQuery& query, const T* values, Index n, Index* out) {
  Group<T> g;
  find_tops<kSide>(table, values, n, g);
  if (table.piece > 1) return search_pieces<kSide>(table, query, g, n, out);
  for (Index q = 0; q < n; ++q) out[q] = g.top[q];
}

/// A whole group in a small sequence, straight to the lines of the result.
template <Side kSide, class T>
HWY_INLINE void stream_group(const SearchTable& table, const T* values, Index* out) {
  const hn::CappedTag<Index, 8> d;
  const hn::Rebind<std::int32_t, decltype(d)> narrow;
  Group<T> g;
  find_tops<kSide>(table, values, kGroup, g);
  for (Index q = 0; q < kGroup; q += static_cast<Index>(hn::Lanes(d)))
    hn::Stream(hn::PromoteTo(d, hn::Load(narrow, g.top + q)), d, out + q);
}

/// The first group is so long that the others begin on a cache line of the result: a line that two of them share is
/// streamed twice. NumPy's arrays begin 16 bytes behind a line (8 M values: 9.5 ms instead of 17).
HWY_INLINE Index first_group(const SearchQuery& query, Index begin) {
  const auto behind = reinterpret_cast<std::uintptr_t>(query.out + begin) % 64 / sizeof(Index);
  return kGroup - static_cast<Index>(behind);
}

template <Side kSide, class T>
void search_range(const SearchTable& table, const SearchQuery& query, Index begin, Index end) {
  HWY_ALIGN Index found[kGroup];
  for (Index at = begin, n = first_group(query, begin); at < end; at += n, n = kGroup) {
    n = HWY_MIN(n, end - at);
    const T* values = static_cast<const T*>(query.values) + at;
    ask_for(reinterpret_cast<const std::byte*>(values) + kPageAhead, n * static_cast<Index>(sizeof(T)));
    if (query.stream && n == kGroup && table.piece == 1) {
      stream_group<kSide>(table, values, query.out + at);
      continue;
    }
    search_group<kSide>(table, query, values, n, found);
    if (query.stream)
      garner::HWY_NAMESPACE::stream_bytes(reinterpret_cast<std::byte*>(query.out + at),
                                          reinterpret_cast<const std::byte*>(found), n * 8);
    else
      for (Index q = 0; q < n; ++q) query.out[at + q] = found[q];
  }
  if (query.stream) finish_stream();
}

void SearchWithTable(DType dtype, const SearchTable& table, const SearchQuery& query, Side side,
                     std::pair<Index, Index> range) {
  dispatch(dtype, [&]<class T>() {
    if constexpr (kHasTable<T>) {
      if (side == Side::kLeft) search_range<Side::kLeft, T>(table, query, range.first, range.second);
      else search_range<Side::kRight, T>(table, query, range.first, range.second);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace garner::index
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner::index {
namespace {

// Tops, and slots, that stay in L2 beside what the searches use.
constexpr Index kMaxTops = 1 << 18, kMaxSlots = 1 << 16;

Index piece_for(Index count) {
  if (count <= kMaxTops) return 1;
  return std::max<Index>(64, static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(count / kMaxTops))));
}

Index slots_for(Index tops) {
  return std::clamp<Index>(4 * static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(tops))), 16, kMaxSlots);
}

template <class T>
void set_tops(const T* sequence, const RunOptions& run, SearchTable& table) {
  using K = KeyOf<T>;
  const Keys<T> key(kAscending);
  table.tops.assign(static_cast<std::size_t>(table.top_count) * sizeof(K) / 8 + 1, ~std::uint64_t{0});
  auto* tops = reinterpret_cast<K*>(table.tops.data());
  // A top is a line of the sequence read.
  parallel_ranges(thread_count(run.threads, table.top_count * 64), table.top_count, 2048, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) tops[i] = key(sequence[(i + 1) * table.piece - 1]);
  });
}

/// A search that begins at the end takes its steps through largest keys.
template <class T>
void pad_tops(SearchTable& table) {
  const auto count = static_cast<std::size_t>(table.top_count) + (std::size_t{1} << table.steps);
  table.tops.resize(count * sizeof(T) / 8 + 1, ~std::uint64_t{0});
}

/// The last number of the sequence: NaN stands behind it.
template <class T>
T last_number(const T* sequence, Index count) {
  while (count > 1 && is_nan(sequence[count - 1])) --count;
  return sequence[count - 1];
}

template <class T>
void set_scale(const T* sequence, Index count, Index slots, SearchTable& table) {
  const auto low = static_cast<float>(sequence[0]), high = static_cast<float>(last_number(sequence, count));
  const float scale = static_cast<float>(slots) / (high - low);
  const bool usable = std::isfinite(low) && std::isfinite(scale) && high > low;
  table.lowest = usable ? low : 0, table.scale = usable ? scale : 0;
}

template <class T>
void set_slots(const T* sequence, Index slots, SearchTable& table) {
  table.first.resize(static_cast<std::size_t>(slots + 1), static_cast<std::int32_t>(table.top_count));
  Index slot = 0, widest = 0;
  for (Index i = 0; i < table.top_count; ++i) {
    const Index here =
        slot_of(sequence[(i + 1) * table.piece - 1], table.lowest, table.scale, static_cast<float>(slots - 1));
    for (; slot <= here; ++slot) table.first[static_cast<std::size_t>(slot)] = static_cast<std::int32_t>(i);
    widest = std::max(widest, i + 1 - table.first[static_cast<std::size_t>(here)]);
  }
  table.steps = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(widest)));
}

}  // namespace

constexpr Index kLeastValues = 64;  // for fewer, making the table takes as long as it saves
bool worth_a_table(DType dtype, Index count, Index values) {
  const bool possible = dispatch(dtype, []<class T>() { return kHasTable<T>; });
  const Index tops = count / piece_for(count);
  return possible && count >= 16 && values >= std::max(kLeastValues, (tops + slots_for(tops)) / 8);
}

SearchTable make_search_table(DType dtype, const void* sequence, Index count, const RunOptions& run) {
  SearchTable table;
  table.piece = piece_for(count), table.top_count = count / table.piece;
  const Index slots = slots_for(table.top_count);
  dispatch(dtype, [&]<class T>() {
    if constexpr (kHasTable<T>) {
      const auto* data = static_cast<const T*>(sequence);
      set_tops(data, run, table);
      set_scale(data, count, slots, table);
      set_slots(data, slots, table);
      pad_tops<T>(table);
    }
  });
  return table;
}

HWY_EXPORT(SearchWithTable);
void search_with_table(DType dtype, const SearchTable& table, const SearchQuery& query, Side side,
                       std::pair<Index, Index> range) {
  HWY_DYNAMIC_DISPATCH(SearchWithTable)(dtype, table, query, side, range);
}
}  // namespace garner::index
#endif
