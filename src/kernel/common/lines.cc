#include "kernel/common/lines.h"

#include <algorithm>
#include <cstring>

#include "dtype/dispatch.h"
#include "kernel/common/stream.h"
#include "kernel/common/width.h"

// Baseline, SSE4, AVX2 and AVX-512, as in resolve.cc.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/common/lines.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using U64 = std::uint64_t;

// ---- offsets ----

/// The value as an unsigned number whose distance from lo says whether it is in range.
template <class T>
HWY_INLINE U64 placed(T value, Index wrap) {
  if constexpr (std::is_signed_v<T>) return static_cast<U64>(static_cast<Index>(value) + (value < 0 ? wrap : 0));
  else return static_cast<U64>(value);
}

HWY_INLINE std::int32_t offset_at(U64 value, const IndexLine& line, Index j) {
  // Unsigned: under promise it may wrap, and must not be undefined.
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value) * static_cast<std::uint32_t>(line.scale) +
                                   static_cast<std::uint32_t>(j) * static_cast<std::uint32_t>(line.step));
}

template <class T>
HWY_INLINE Index checked_offsets(const T* index, const IndexLine& line, Index first, Index count,
                                 std::int32_t* offset) {
  const Bounds& b = *line.bounds;
  const U64 lo = static_cast<U64>(b.lo), size = b.hi > b.lo ? static_cast<U64>(b.hi) - lo : 0;
  const Index wrap = b.wrap;
  Index inside = 0;
  for (Index j = 0; j < count; ++j) {
    const U64 v = placed(index[j], wrap);
    const bool ok = v - lo < size;
    inside += ok ? 1 : 0;
    offset[j] = offset_at(ok ? v : lo, line, first + j);
  }
  return count - inside;
}

/// Clamped, or promised to be in range.
template <class T>
HWY_INLINE void all_offsets(const T* index, const IndexLine& line, Index first, Index count, std::int32_t* offset) {
  const Bounds& b = *line.bounds;
  const bool clamp = b.policy == OutOfRange::kClamp;
  const Index lo = clamp ? b.lo : INT64_MIN, last = clamp ? b.hi - 1 : INT64_MAX, wrap = b.wrap;
  for (Index j = 0; j < count; ++j) {
    // A u64 beyond the largest Index is above every range.
    const bool huge = std::is_same_v<T, U64> && static_cast<U64>(index[j]) >> 63 != 0;
    const Index v = huge ? INT64_MAX : static_cast<Index>(placed(index[j], wrap));
    offset[j] = offset_at(static_cast<U64>(v < lo ? lo : v > last ? last : v), line, first + j);
  }
}

template <class T>
HWY_INLINE void mark_valid(const T* index, const Bounds& b, Index count, std::uint8_t* valid) {
  for (Index j = 0; j < count; ++j)
    valid[j] = placed(index[j], b.wrap) - static_cast<U64>(b.lo) < static_cast<U64>(b.hi - b.lo) ? 1 : 0;
}

HWY_INLINE bool is_checked(OutOfRange policy) {
  return policy == OutOfRange::kTrap || policy == OutOfRange::kFill || policy == OutOfRange::kDrop;
}

Index LineOffsets(const IndexLine& line, Index first, Index count, std::int32_t* offset, std::uint8_t* valid) {
  return dispatch_index(line.dtype, [&]<class T>() -> Index {
    const T* index = static_cast<const T*>(line.index) + first;
    if (!is_checked(line.bounds->policy)) {
      all_offsets(index, line, first, count, offset);
      return 0;
    }
    const Index lost = checked_offsets(index, line, first, count, offset);
    if (lost > 0) mark_valid(index, *line.bounds, count, valid);
    return lost;
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

template <class U>
HWY_INLINE void stream_out(const U* block, Index count, U* to) {
  const hn::ScalableTag<std::uint8_t> d;
  const auto bytes = static_cast<std::size_t>(count) * sizeof(U), step = hn::Lanes(d);
  const auto* in = reinterpret_cast<const std::uint8_t*>(block);
  auto* out = reinterpret_cast<std::uint8_t*>(to);
  std::size_t i = 0;
  for (; i + step <= bytes; i += step) hn::Stream(hn::Load(d, in + i), d, out + i);
  std::memcpy(out + i, in + i, bytes - i);
}

/// Positions up to where `to` begins a line.
template <class U>
HWY_INLINE Index head_of(const U* to, Index count) {
  const auto over = static_cast<Index>(reinterpret_cast<std::uintptr_t>(to) % 64);
  return over % static_cast<Index>(sizeof(U)) != 0 ? count
                                                   : std::min(count, (64 - over) % 64 / static_cast<Index>(sizeof(U)));
}

template <class U>
class LineGather {
 public:
  LineGather(const IndexLine& line, const U* from, U* to) : line_(line), from_(from), to_(to) {}

  Index run(bool past_caches) {
    if (!past_caches) return plain(0, line_.count);
    const Index head = head_of(to_, line_.count);
    return plain(0, head) + streamed(head, line_.count);
  }

 private:
  Index plain(Index j, Index end) {
    Index lost = 0;
    for (Index n; j < end; j += n) {
      n = std::min(kLineBlock, end - j);
      lost += block(j, n, to_ + j);
    }
    return lost;
  }

  Index streamed(Index j, Index end) {
    Index lost = 0;
    for (Index n; j < end; j += n) {
      n = std::min(kLineBlock, end - j);
      lost += block(j, n, block_);
      stream_out(block_, n, to_ + j);
    }
    return lost;
  }

  HWY_INLINE Index block(Index first, Index count, U* out) {
    const Index lost = LineOffsets(line_, first, count, offset_, valid_);
    load_elements(from_, offset_, count, out);
    if (lost > 0)
      for (Index j = 0; j < count; ++j)
        if (valid_[j] == 0) out[j] = U{};
    return lost;
  }

  const IndexLine& line_;
  const U* from_;
  U* to_;
  alignas(64) std::int32_t offset_[kLineBlock];
  alignas(64) U block_[kLineBlock];
  std::uint8_t valid_[kLineBlock];
};

Index GatherLine(const IndexLine& line, const void* from, void* to, int width, bool past_caches) {
  return dispatch_width(width, [&]<class U>() -> Index {
    return LineGather<U>(line, static_cast<const U*>(from), static_cast<U*>(to)).run(past_caches);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace garner
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner {
HWY_EXPORT(LineOffsets);
HWY_EXPORT(GatherLine);

Index line_offsets(const IndexLine& line, Index first, Index count, std::int32_t* offset, std::uint8_t* valid) {
  return HWY_DYNAMIC_DISPATCH(LineOffsets)(line, first, count, offset, valid);
}
Index gather_line(const IndexLine& line, const void* from, void* to, int width, bool past_caches) {
  return HWY_DYNAMIC_DISPATCH(GatherLine)(line, from, to, width, past_caches);
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
