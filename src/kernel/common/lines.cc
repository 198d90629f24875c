#include "kernel/common/lines.h"

#include <algorithm>
#include <cstring>

#include "dtype/dispatch.h"
#include "kernel/common/width.h"
#include "plan/facts.h"

#include "base/simd_targets.h"
#include "device/cpu/prefetch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/common/lines.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "device/cpu/sink-inl.h"

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
  HWY_INLINE std::int32_t operator()(U64 value, std::uint32_t j) const {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value) * scale + (first + j) * step);
  }
};

/// The most common line: without the two multiplications, which cost as much as all the rest.
struct Plain {
  HWY_INLINE std::int32_t operator()(U64 value, std::uint32_t) const {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
  }
};

template <class F>
HWY_INLINE Index with_offset_of(const IndexLine& line, Index first, const F& f) {
  if (line.scale == 1 && line.step == 0) return f(Plain{});
  return f(Scaled{static_cast<std::uint32_t>(line.scale), static_cast<std::uint32_t>(line.step),
                  static_cast<std::uint32_t>(first)});
}

template <class U, class T, class OffsetOf>
HWY_INLINE Index checked_offsets(const T* index, const Bounds& b, std::uint32_t count, OffsetOf offset_of,
                                 std::int32_t* offset) {
  const U lo = static_cast<U>(b.lo), size = b.hi > b.lo ? static_cast<U>(b.hi) - lo : 0;
  const Index wrap = b.wrap;
  U inside = 0;
  for (std::uint32_t j = 0; j < count; ++j) {
    const U v = placed<U>(index[j], wrap);
    const bool ok = v - lo < size;
    inside += ok ? 1 : 0;
    offset[j] = offset_of(ok ? v : lo, j);
  }
  return count - static_cast<Index>(inside);
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
    if (line.is_long()) ask_for(index + kAskedAhead, count * static_cast<Index>(sizeof(T)));
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

// ---- elements ----

template <class U>
HWY_INLINE void load_each(const U* from, const std::int32_t* offset, Index count, U* to) {
  for (Index j = 0; j < count; ++j) to[j] = from[offset[j]];
}

template <class U>
HWY_INLINE void load_elements(const U* from, const std::int32_t* offset, Index count, U* to) {
  load_each(from, offset, count, to);
}

HWY_INLINE void load_elements(const std::uint32_t* from, const std::int32_t* offset, Index count, std::uint32_t* to) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  Index j = 0;
  for (; j + lanes <= count; j += lanes) hn::StoreU(hn::GatherIndex(d, from, hn::LoadU(di, offset + j)), d, to + j);
  load_each(from, offset + j, count - j, to + j);
}

HWY_INLINE void load_elements(const std::uint64_t* from, const std::int32_t* offset, Index count, std::uint64_t* to) {
  const hn::ScalableTag<std::uint64_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<std::int32_t, decltype(d)> d32;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  Index j = 0;
  for (; j + lanes <= count; j += lanes)
    hn::StoreU(hn::GatherIndex(d, from, hn::PromoteTo(di, hn::LoadU(d32, offset + j))), d, to + j);
  load_each(from, offset + j, count - j, to + j);
}

// ---- lines ----

template <class U>
class LineGather {
 public:
  LineGather(const LineBatch& batch, const U* from, U* to) : batch_(batch), from_(from), to_(to) {}

  /// Past the caches in stretches of at least a page, or of whole cache lines.
  Index run(bool past_caches) {
    const bool joined = batch_.dense_pitch == batch_.line.count || batch_.lines == 1;
    const bool whole = over_line(to_) == 0 && is_whole(batch_.dense_pitch) && is_whole(batch_.line.count);
    const bool is_long = batch_.line.count * static_cast<Index>(sizeof(U)) >= 4096;
    if (past_caches && joined) return sunk(0, batch_.lines);
    if (past_caches && (whole || is_long)) return each([&](Index n) { return sunk(n, n + 1); });
    return stored();
  }

 private:
  static bool is_whole(Index elements) { return elements * static_cast<Index>(sizeof(U)) % kLine == 0; }
  template <class F>
  Index each(const F& f) {
    Index lost = 0;
    for (Index n = 0; n < batch_.lines; ++n) lost += f(n);
    return lost;
  }

  Index stored() {
    return blocks(0, batch_.lines, [&](const Block& b) { return to_ + b.line * batch_.dense_pitch + b.first; });
  }

  /// Lines whose results lie one behind another.
  Index sunk(Index first_line, Index last_line) {
    LineSink sink(to_ + first_line * batch_.dense_pitch);
    const Index lost = blocks(first_line, last_line, [&](const Block& b) {
      return reinterpret_cast<U*>(sink.room(b.count * static_cast<Index>(sizeof(U))));
    });
    sink.finish();
    return lost;
  }

  /// A part of a line, and where its positions lead.
  struct Block {
    Index line, first, count, lost;
    alignas(64) std::int32_t offset[kLineBlock];
    std::uint8_t valid[kLineBlock];
  };

  /// where(block) says where a block goes. The next one is asked for, if it is far, before one is loaded.
  template <class F>
  HWY_INLINE Index blocks(Index first_line, Index last_line, const F& where) {
    if (batch_.line.count <= 0 || first_line >= last_line) return 0;
    const Index most = batch_.far ? kFarBlock : kLineBlock;
    Index lost = 0, line = first_line, first = 0;
    resolve(blocks_[0], line, first, most);
    for (int now = 0; line < last_line; now ^= 1) {
      first += most;
      if (first >= batch_.line.count) first = 0, ++line;
      if (line < last_line) resolve(blocks_[now ^ 1], line, first, most);
      lost += load(blocks_[now], where(blocks_[now]));
    }
    return lost;
  }

  HWY_INLINE const U* origin(Index line) const { return from_ + line * batch_.indexed_pitch; }

  HWY_INLINE void resolve(Block& b, Index line, Index first, Index most) const {
    const IndexLine values = batch_.at(line);
    b.line = line;
    b.first = first;
    b.count = std::min(most, values.count - first);
    b.lost = LineOffsets(values, first, b.count, b.offset, b.valid);
    batch_.ask_next(reinterpret_cast<const std::byte*>(origin(line) + values.bounds->lo * values.scale), first, b.count,
                    sizeof(U));
    if (batch_.far)
      for (Index j = 0; j < b.count; ++j) ask_for(origin(line) + b.offset[j]);
  }

  HWY_INLINE Index load(const Block& b, U* out) const {
    load_elements(origin(b.line), b.offset, b.count, out);
    if (b.lost > 0)
      for (Index j = 0; j < b.count; ++j)
        if (b.valid[j] == 0) out[j] = U{};
    return b.lost;
  }

  static constexpr Index kFarBlock = 64;  // so many requests are under way at once
  const LineBatch& batch_;
  const U* from_;
  U* to_;
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
HWY_EXPORT(GatherLines);

Index line_offsets(const IndexLine& line, Index first, Index count, std::int32_t* offset, std::uint8_t* valid) {
  return HWY_DYNAMIC_DISPATCH(LineOffsets)(line, first, count, offset, valid);
}
Index gather_lines(const LineBatch& batch, const void* from, void* to, int width, bool past_caches) {
  return HWY_DYNAMIC_DISPATCH(GatherLines)(batch, from, to, width, past_caches);
}

bool has_lines(const IndexPlan& plan) {
  if (plan.terms.size() != 1 || plan.mask_stride || plan.fill_stride || plan.fetch_stride) return false;
  const IndexTerm& term = plan.terms[0];
  if (term.bounds.scope != Scope::kTerm || term.bounds.policy == OutOfRange::kModulo) return false;
  const auto reads = [](const AxisMap& map) { return map.term >= 0; };
  return std::ranges::count_if(plan.indexed, reads) == 1 && !plan.domain.empty() && term.stride.back() == 1 &&
         plan.dense_stride.back() == 1;
}
}  // namespace garner
#endif
