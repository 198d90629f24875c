#include "kernel/common/lines.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "dtype/dispatch.h"
#include "kernel/common/width.h"
#include "plan/facts.h"

#include "base/simd_targets.h"
#include "device/cpu/prefetch.h"
#include "device/cpu/tuning.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/common/lines.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "device/cpu/singly-inl.h"
#include "device/cpu/sink-inl.h"
#include "kernel/common/inside-inl.h"

HWY_BEFORE_NAMESPACE();
namespace garner {
namespace HWY_NAMESPACE {
using U64 = std::uint64_t;

// ---- offsets ----

/// The value as an unsigned number whose distance from lo says whether it is in range. 32 bits, twice as many a vector,
/// are enough for narrow values and bounds (is_narrow).
template <class U, class T>
HWY_INLINE U placed(T value, Index wrap) {
  if constexpr (std::is_signed_v<T>) return static_cast<U>(value) + (value < 0 ? static_cast<U>(wrap) : U{0});
  else return static_cast<U>(value);
}

template <class T>
HWY_INLINE bool is_narrow(const Bounds& b) {
  return sizeof(T) <= 4 && b.lo >= 0 && b.hi <= INT32_MAX && b.wrap <= INT32_MAX;
}

/// From values to offsets. Unsigned: under promise they may wrap around, and must not be undefined.
struct Scaled {
  std::uint32_t scale, step, first;
  template <class U>  // not widened in between: the compiler would do it in vectors of 64 bits
  HWY_INLINE std::int32_t operator()(U value, std::uint32_t j) const {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value) * scale + (first + j) * step);
  }
};

/// The most common line: without the two multiplications, which cost as much as all the rest.
struct Plain {
  template <class U>
  HWY_INLINE std::int32_t operator()(U value, std::uint32_t) const {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
  }
};

template <class F>
HWY_INLINE Index with_offset_of(const IndexLine& line, Index first, const F& f) {
  if (line.scale == 1 && line.step == 0) return f(Plain{});
  return f(Scaled{static_cast<std::uint32_t>(line.scale), static_cast<std::uint32_t>(line.step),
                  static_cast<std::uint32_t>(first)});
}

/// From the lowest value on, so many are in range.
template <class U>
struct Window {
  explicit Window(const Bounds& b) : lo(static_cast<U>(b.lo)), size(b.hi > b.lo ? static_cast<U>(b.hi) - lo : 0) {}
  U lo, size;
};

/// Offsets whether values are in range or not; returns whether all are.
template <class U, class T, class OffsetOf>
HWY_INLINE bool place_all(const T* index, const Bounds& b, std::uint32_t count, OffsetOf offset_of,
                          std::int32_t* offset) {
  const Window<U> window(b);
  const Index wrap = b.wrap;
  U farthest = 0;
  for (std::uint32_t j = 0; j < count; ++j) {
    const U v = placed<U>(index[j], wrap), above = v - window.lo;
    farthest = farthest < above ? above : farthest;
    offset[j] = offset_of(v, j);
  }
  return count == 0 || farthest < window.size;
}

/// Nearly always all are in range, which takes half the instructions to find out.
template <class U, class T, class OffsetOf>
HWY_INLINE Index checked_offsets(const T* index, const Bounds& b, std::uint32_t count, OffsetOf offset_of,
                                 std::int32_t* offset) {
  if (place_all<U>(index, b, count, offset_of, offset)) return 0;
  const Window<U> window(b);
  Index lost = 0;
  for (std::uint32_t j = 0; j < count; ++j) {
    const U v = placed<U>(index[j], b.wrap);
    const bool ok = v - window.lo < window.size;
    lost += ok ? 0 : 1;
    offset[j] = offset_of(ok ? v : window.lo, j);
  }
  return lost;
}

/// Clamped, or promised to be in range.
template <class T, class OffsetOf>
HWY_INLINE void all_offsets(const T* index, const Bounds& b, std::uint32_t count, OffsetOf offset_of,
                            std::int32_t* offset) {
  const bool clamp = b.policy == OutOfRange::kClamp;
  const Index lo = clamp ? b.lo : INT64_MIN, last = clamp ? b.hi - 1 : INT64_MAX, wrap = b.wrap;
  for (std::uint32_t j = 0; j < count; ++j) {
    // A u64 beyond the largest Index is above every range.
    const bool huge = std::is_same_v<T, U64> && static_cast<U64>(index[j]) >> 63 != 0;
    const Index v = huge ? INT64_MAX : static_cast<Index>(placed<U64>(index[j], wrap));
    offset[j] = offset_of(static_cast<U64>(v < lo ? lo : v > last ? last : v), j);
  }
}

template <class T>
HWY_INLINE void mark_valid(const T* index, const Bounds& b, Index count, std::uint8_t* valid) {
  for (Index j = 0; j < count; ++j)
    valid[j] = placed<U64>(index[j], b.wrap) - static_cast<U64>(b.lo) < static_cast<U64>(b.hi - b.lo) ? 1 : 0;
}

Index LineOffsets(const IndexLine& line, Index first, Index count, std::int32_t* offset, std::uint8_t* valid) {
  return dispatch_index(line.dtype, [&]<class T>() -> Index {
    const T* index = static_cast<const T*>(line.index) + first;
    const Bounds& b = *line.bounds;
    const auto n = static_cast<std::uint32_t>(count);
    return with_offset_of(line, first, [&](auto offset_of) -> Index {
      if (!is_checked(b.policy)) return all_offsets(index, b, n, offset_of, offset), 0;
      const Index lost = is_narrow<T>(b) ? checked_offsets<std::uint32_t>(index, b, n, offset_of, offset)
                                         : checked_offsets<U64>(index, b, n, offset_of, offset);
      if (lost > 0) mark_valid(index, b, count, valid);
      return lost;
    });
  }, []() -> Index { return 0; });
}

Index BatchOffsets(const LineBatch& batch, std::int32_t* offset, std::uint8_t* valid) {
  Index lost = 0;
  for (Index n = 0; n < batch.lines; ++n, offset += batch.line.count) {
    batch.ask_ahead(n);
    lost += LineOffsets(batch.at(n), 0, batch.line.count, offset, valid);
  }
  return lost;
}

// ---- elements ----

template <class U>
HWY_INLINE void load_each(const U* from, const std::int32_t* offset, Index count, U* to) {
  for (Index j = 0; j < count; ++j) to[j] = from[offset[j]];
}

/// Where vectors of elements go.
struct IntoCache {
  template <class V, class D, class U>
  HWY_INLINE void operator()(V v, D d, U* to) const {
    hn::StoreU(v, d, to);
  }
};
struct PastCaches {  // to the beginning of a cache line
  template <class V, class D, class U>
  HWY_INLINE void operator()(V v, D d, U* to) const {
    hn::Stream(v, d, to);
  }
};

/// Elements that a vector can gather.
template <class U>
inline constexpr bool kInVectors = sizeof(U) == 4 || sizeof(U) == 8;

/// Elements at so many offsets as a vector has lanes, by the vector unit's gather.
template <class D, class U>
HWY_INLINE hn::Vec<D> gather(D d, const U* from, const std::int32_t* offset) {
  const hn::RebindToSigned<D> di;
  if constexpr (sizeof(U) == 4) return hn::GatherIndex(d, from, hn::LoadU(di, offset));
  else return hn::GatherIndex(d, from, hn::PromoteTo(di, hn::LoadU(hn::Rebind<std::int32_t, D>(), offset)));
}

/// Elements from[offset[j]], loaded one by one or by the vector unit's gather.
template <class U>
struct Picks {
  const U* from;
  const std::int32_t* offset;
  bool singly;
};

/// Returns for how many positions asks() was called.
template <class U, class Asks, class Store>
HWY_INLINE Index load_elements(const Picks<U>& picks, Index count, U* to, const Asks& asks, const Store& store) {
  Index j = 0;
  if constexpr (kInVectors<U>) {
    const hn::ScalableTag<U> d;
    const Index lanes = static_cast<Index>(hn::Lanes(d));
    const auto each_vector = [&](const auto& load) HWY_ATTR {
      for (; j + lanes <= count; j += lanes) {
        asks(j, lanes);
        store(load(picks.offset + j), d, to + j);
      }
    };
    if (picks.singly)
      each_vector([&](const std::int32_t* at)
                      HWY_ATTR { return load_singly(d, picks.from, [at](auto k) { return at[k]; }); });
    else each_vector([&](const std::int32_t* at) HWY_ATTR { return gather(d, picks.from, at); });
  }
  load_each(picks.from, picks.offset + j, count - j, to + j);
  return j;
}

// ---- elements straight from their index values ----

// Index values of a line that are in range lead on as they are, without offsets that are kept in between: as many loads
// as possible are under way.

/// Reads one byte of each cache line: the hardware then reads ahead of a stream, and has more lines on their way than
/// can be asked for (take_along_last on a Zen 5: 6.5 ms with nothing read, 6.1 so; asked for 8.0).
HWY_INLINE void sweep(const char* from, Index bytes) {
  for (Index b = 0; b < bytes; b += kLine) (void)*static_cast<const volatile char*>(from + b);
}

/// A part of a line that begins at `from`: value v of position k leads to element v * scale + k * kStep.
template <class U, class T, Index kStep>
struct Straight {
  const U* from;
  const T* index;
  Index scale;
  bool goes_on;  // index values that lie ahead are read soon
  const char* next;  // what the next line reaches, and so many bytes of it a position
  Index next_bytes;
  bool sweeps;  // it is read, not asked for

  Straight behind(Index n) const {
    return {from + n * kStep, index + n, scale, goes_on, next + n * next_bytes, next_bytes, sweeps};
  }

  /// Bytes: into L1 and not far, as what is read once fits there, and L2 keeps what comes again (gather along the last
  /// axis of 4096 x 4096, two cores of a Zen 5: a page ahead into L2 5.5 ms, 3 KiB into L1 5.0, 1 KiB 5.7).
  static constexpr Index kValuesAhead = 3072;

  /// For positions [first, first + kCount). A stream's size is known when this is compiled: elements that come from all
  /// over memory leave no time for more (32 M of 256 M f32: 64 and 67 ms).
  template <Index kCount>
  HWY_INLINE void ask(Index first) const {
    if (goes_on)
      ask_once(reinterpret_cast<const char*>(index + first) + kValuesAhead, kCount * static_cast<Index>(sizeof(T)));
    if (next_bytes > 0) [[unlikely]] {
      if (sweeps) sweep(next + first * next_bytes, kCount * next_bytes);
      else ask_once(next + first * next_bytes, kCount * next_bytes);
    }
  }

  template <class D>
  HWY_INLINE hn::Vec<D> load(D d, Index first) const {
    const U* base = from + first * kStep;
    asm("" : "+r"(base));  // one address, not a sum that is added up for every element
    const T* values = index + first;
    if constexpr (kStep == 0) return load_singly(d, base, [values](auto k) { return values[k]; });
    else
      return load_singly(d, base, [values, this](auto k) {
        return static_cast<Index>(values[k]) * scale + static_cast<Index>(k) * kStep;
      });
  }
};

/// Whole groups of kCount positions up to the first with a value that is not simply in range; returns how many
/// positions were loaded.
template <Index kCount, class U, class T, Index kStep, class Store>
HWY_INLINE Index load_groups(const Straight<U, T, kStep>& part, const Inside<T>& inside, Index count, U* to,
                             const Store& store) {
  const hn::CappedTag<U, kCount> d;
  Index j = 0;
  for (; j + kCount <= count && inside.template all<kCount>(part.index + j); j += kCount) {
    part.template ask<kCount>(j);
    for (Index i = j; i < j + kCount; i += static_cast<Index>(hn::Lanes(d))) store(part.load(d, i), d, to + i);
  }
  return j;
}

/// Groups of many, then of as many as a vector has.
template <class U, class T, Index kStep, class Store>
HWY_INLINE Index load_straight(const Straight<U, T, kStep>& part, const Inside<T>& inside, Index count, U* to,
                               const Store& store) {
  constexpr Index kMany = 32, kFew = 16;
  const Index done = load_groups<kMany>(part, inside, count, to, store);
  return done + load_groups<kFew>(part.behind(done), inside, count - done, to + done, store);
}

// ---- lines ----

/// Elements that are far away, asked for by their offsets.
template <class U>
struct FarAsks {
  const U* from = nullptr;
  const std::int32_t* offset = nullptr;
  Index count = 0;
  HWY_INLINE void operator()(Index first, Index n) const {
    for (Index j = first; j < std::min(first + n, count); ++j) ask_for(from + offset[j]);
  }
};

template <class U>
class LineGather {
 public:
  LineGather(const LineBatch& batch, const U* from, U* to)
      : batch_(batch),
        from_(from),
        to_(to),
        singly_(batch.far ? tuning().far_single_loads : tuning().single_loads),
        straight_(kInVectors<U> && singly_ && leads_straight(batch.line)),
        goes_on_(LineAsks::goes_on(batch, batch.index_pitch)),
        next_bytes_((std::max(batch.reach, batch.sweep) + batch.line.count - 1) /
                    std::max<Index>(batch.line.count, 1)) {
    const bool worth = !straight_ && batch.lines > 1 && batch.line.count >= kLineBlock;  // memory
    if (worth && batch.index_pitch == 0) shared_.resize(static_cast<std::size_t>(batch.line.count));
  }

  /// Past the caches: whole vectors straight to where they belong, if they begin cache lines there; else put together
  /// first, in stretches of at least a page. (256 M elements from a small table on two cores: by codes of u16 68 and 50
  /// ms, of i32 84 and 59: what is put together leaves in bursts, while nothing is read.)
  Index run(bool past_caches) {
    const Index over = over_line(to_), width = sizeof(U), bytes = batch_.line.count * width;
    const bool alike = batch_.lines == 1 || is_whole(batch_.dense_pitch);  // on cache lines
    const bool joined = batch_.dense_pitch == batch_.line.count || batch_.lines == 1;
    if (!past_caches) return stored(0, false);
    if (kInVectors<U> && alike && over % width == 0 && (over == 0 || bytes >= kPage))
      return stored((kLine - over) % kLine / width, true);
    if (joined) return sunk(0, batch_.lines);
    if (bytes >= kPage) return each([&](Index n) { return sunk(n, n + 1); });
    return stored(0, false);
  }

 private:
  static constexpr Index kPage = 4096;
  /// Elements of a far line that are on their way together. More make those wait that come from all over memory (32 M
  /// of 256 M f32: 64 210 ms, 32 201); where they lie close to each other, more of them are worth it (32 M of 1 G f32,
  /// sorted: 32 110 ms, 64 96, 256 88; 4096 columns of 65536: 64 30.6, 256 28.3).
  static constexpr Index kApart = 32, kCloseBytes = 1 << 20;
  static bool is_whole(Index elements) { return elements * static_cast<Index>(sizeof(U)) % kLine == 0; }
  template <class F>
  Index each(const F& f) {
    Index lost = 0;
    for (Index n = 0; n < batch_.lines; ++n) lost += f(n);
    return lost;
  }

  /// Elements a store of whole vectors may go past the caches to.
  struct Room {
    U* to;
    bool past_caches;
  };

  /// `lead` elements of every line are in front of its first cache line.
  Index stored(Index lead, bool past_caches) {
    if (straight_)
      return straight(0, batch_.lines, lead, [&](Index line, Index first, Index) {
        return Room{to_ + line * batch_.dense_pitch + first, past_caches && first >= lead};
      });
    return blocks(0, batch_.lines, lead, [&](const Block& b, const FarAsks<U>& next) {
      U* to = to_ + b.line * batch_.dense_pitch + b.first;
      const bool past = past_caches && b.first >= lead && b.lost == 0;
      return past ? load(b, next, to, PastCaches()) : load(b, next, to, IntoCache());
    });
  }

  /// Lines whose results lie one behind another.
  Index sunk(Index first_line, Index last_line) {
    LineSink sink(to_ + first_line * batch_.dense_pitch);
    const auto room = [&](Index count) {
      return reinterpret_cast<U*>(sink.room(count * static_cast<Index>(sizeof(U))));
    };
    const Index lost =
        straight_
            ? straight(first_line, last_line, 0, [&](Index, Index, Index count) { return Room{room(count), false}; })
            : blocks(first_line, last_line, 0,
                     [&](const Block& b, const FarAsks<U>& next) { return load(b, next, room(b.count), IntoCache()); });
    sink.finish();
    return lost;
  }

  /// Do index values lead to elements by themselves, or by rows that are passed over one element at a time?
  static bool leads_straight(const IndexLine& line) {
    const bool simple = line.step == 1 || (line.step == 0 && line.scale == 1);
    return simple && leads_on(*line.bounds);
  }

  /// Elements straight from their index values, into what room(line, first, count) gives; the first block of a line has
  /// `lead` of them, if there are any.
  template <class F>
  HWY_INLINE Index straight(Index first_line, Index last_line, Index lead, const F& room) {
    return dispatch_index(batch_.line.dtype, [&]<class T>() HWY_ATTR -> Index {
      Index lost = 0;
      const Inside<T> inside(*batch_.line.bounds);
      for (Index n = first_line; n < last_line; ++n) {
        batch_.ask_ahead(n);
        for (Index first = 0, count; first < batch_.line.count; first += count) {
          count = first == 0 && lead > 0 ? lead : std::min(kLineBlock, batch_.line.count - first);
          lost += straight_block(inside, n, first, count, room(n, first, count));
        }
      }
      return lost;
    }, []() -> Index { return 0; });
  }

  template <class T>
  HWY_INLINE Index straight_block(const Inside<T>& inside, Index line, Index first, Index count, const Room& room) {
    Index done = 0;
    if constexpr (kInVectors<U>)
      done = batch_.line.step == 0 ? load_part<0>(inside, line, first, count, room)
                                   : load_part<1>(inside, line, first, count, room);
    if (done == count) return 0;
    resolve(blocks_[0], line, first + done, count - done);
    return load(blocks_[0], {}, room.to + done, IntoCache());
  }

  template <Index kStep, class T>
  HWY_INLINE Index load_part(const Inside<T>& inside, Index line, Index first, Index count, const Room& room) const {
    const T* index = static_cast<const T*>(batch_.at(line).index) + first;
    const bool sweeps = batch_.sweep > 0;
    const Index next_bytes = sweeps && line + 1 == batch_.lines ? 0 : next_bytes_;
    const char* next = next_bytes == 0
                           ? nullptr
                           : reinterpret_cast<const char*>(lowest(line) + batch_.indexed_pitch) + first * next_bytes;
    const Straight<U, T, kStep> part{
        origin(line) + first * kStep, index, batch_.line.scale, goes_on_, next, next_bytes, sweeps};
    return room.past_caches ? load_straight(part, inside, count, room.to, PastCaches())
                            : load_straight(part, inside, count, room.to, IntoCache());
  }

  /// A part of a line, and where its positions lead.
  struct Block {
    Index line, first, count, lost;
    const std::int32_t* offset;
    alignas(64) std::int32_t own[kLineBlock];
    std::uint8_t valid[kLineBlock];
  };

  /// put(block, the elements of the next one, if they are far) for the blocks of each line, the first of `lead`
  /// elements, if there are any.
  template <class F>
  HWY_INLINE Index blocks(Index first_line, Index last_line, Index lead, const F& put) {
    if (batch_.line.count <= 0 || first_line >= last_line) return 0;
    Index most = batch_.far ? kApart : kLineBlock;
    const auto most_at = [&](Index first) { return first == 0 && lead > 0 ? lead : most; };
    Index lost = 0, line = first_line, first = 0;
    resolve(blocks_[0], line, first, most_at(0));
    far_away(blocks_[0])(0, most);
    for (int now = 0; line < last_line; now ^= 1) {
      first += blocks_[now].count;
      if (first >= batch_.line.count) first = 0, ++line;
      const bool more = line < last_line;
      if (batch_.far) most = is_close(blocks_[now]) ? kLineBlock : kApart;
      if (more) resolve(blocks_[now ^ 1], line, first, most_at(first));
      lost += put(blocks_[now], more ? far_away(blocks_[now ^ 1]) : FarAsks<U>());
    }
    return lost;
  }

  /// Do the positions of a block lead to places near each other, as sorted values do?
  HWY_INLINE static bool is_close(const Block& b) {
    const Index way = Index{b.offset[b.count - 1]} - b.offset[0];
    return std::abs(way) * static_cast<Index>(sizeof(U)) < kCloseBytes;
  }

  HWY_INLINE const U* origin(Index line) const { return from_ + line * batch_.indexed_pitch; }

  /// Where the lowest value leads.
  HWY_INLINE const U* lowest(Index line) const { return origin(line) + batch_.line.bounds->lo * batch_.line.scale; }

  HWY_INLINE LineAsks asks(Index n) const {
    return {batch_, batch_.at(n), reinterpret_cast<const std::byte*>(lowest(n)), nullptr, sizeof(U)};
  }

  HWY_INLINE void resolve(Block& b, Index line, Index first, Index most) {
    const IndexLine values = batch_.at(line);
    b.line = line;
    b.first = first;
    b.count = std::min(most, values.count - first);
    b.lost = set_offsets(b, values);
    if (batch_.far) asks(line)(first, b.count);
    if (first == 0) batch_.ask_ahead(line);
  }

  HWY_INLINE FarAsks<U> far_away(const Block& b) const {
    return batch_.far ? FarAsks<U>{origin(b.line), b.offset, b.count} : FarAsks<U>();
  }

  /// Lines that share their index values share the offsets, too, as long as all of them are in range.
  HWY_INLINE Index set_offsets(Block& b, const IndexLine& values) {
    std::int32_t* offset = shared_.empty() ? b.own : shared_.data() + b.first;
    b.offset = offset;
    const Index end = b.first + b.count;
    if (end <= known_) return 0;
    const Index lost = LineOffsets(values, b.first, b.count, offset, b.valid);
    if (!shared_.empty() && lost == 0 && b.first <= known_) known_ = end;
    return lost;
  }

  /// Something is asked for with every vector that is loaded: of far elements those of the next block (32 M of 1 G f32:
  /// 64 asked for, then 64 loaded 270 ms, in turns 240).
  template <class Store>
  HWY_INLINE Index load(const Block& b, const FarAsks<U>& next, U* out, const Store& store) const {
    const Picks<U> picks{origin(b.line), b.offset, singly_};
    if (batch_.far) next(load_elements(picks, b.count, out, next, store), next.count);
    else load_elements(picks, b.count, out, asks(b.line).from(b.first), store);
    if (b.lost > 0)
      for (Index j = 0; j < b.count; ++j)
        if (b.valid[j] == 0) out[j] = U{};
    return b.lost;
  }

  const LineBatch& batch_;
  const U* from_;
  U* to_;
  bool singly_;  // elements are loaded one by one
  bool straight_, goes_on_;
  Index next_bytes_;
  std::vector<std::int32_t> shared_;  // offsets of a line
  Index known_ = 0;  // so many of them are there
  Block blocks_[2];
};

Index GatherLines(const LineBatch& batch, const void* from, void* to, int width, bool past_caches) {
  return dispatch_width(width, [&]<class U>() -> Index {
    return LineGather<U>(batch, static_cast<const U*>(from), static_cast<U*>(to)).run(past_caches);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace garner
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner {
HWY_EXPORT(LineOffsets);
HWY_EXPORT(BatchOffsets);
HWY_EXPORT(GatherLines);

Index line_offsets(const IndexLine& line, Index first, Index count, std::int32_t* offset, std::uint8_t* valid) {
  return HWY_DYNAMIC_DISPATCH(LineOffsets)(line, first, count, offset, valid);
}
Index batch_offsets(const LineBatch& batch, std::int32_t* offset, std::uint8_t* valid) {
  return HWY_DYNAMIC_DISPATCH(BatchOffsets)(batch, offset, valid);
}
Index gather_lines(const LineBatch& batch, const void* from, void* to, int width, bool past_caches) {
  return HWY_DYNAMIC_DISPATCH(GatherLines)(batch, from, to, width, past_caches);
}

bool leads_on(const Bounds& bounds) {
  return bounds.scope == Scope::kTerm && bounds.policy != OutOfRange::kModulo && bounds.lo >= 0 &&
         bounds.hi > bounds.lo;
}

bool has_lines(const IndexPlan& plan) {
  if (plan.terms.size() != 1 || plan.mask_stride || plan.fill_stride || plan.fetch_stride) return false;
  const IndexTerm& term = plan.terms[0];
  if (term.bounds.scope != Scope::kTerm || term.bounds.policy == OutOfRange::kModulo) return false;
  // In place of a bad index the lowest one is read, which must be there.
  if (term.bounds.hi <= term.bounds.lo) return false;
  const auto reads = [](const AxisMap& map) { return map.term >= 0; };
  return std::ranges::count_if(plan.indexed, reads) == 1 && !plan.domain.empty() && term.stride.back() == 1 &&
         plan.dense_stride.back() == 1;
}
}  // namespace garner
#endif
