// Memory that is written front to back, past the caches. Compiled once per SIMD target: include it behind
// <hwy/highway.h> in a file that goes through foreach_target.
#if defined(GARNER_SINK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GARNER_SINK_INL_H
#undef GARNER_SINK_INL_H
#else
#define GARNER_SINK_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "garner/axes.h"

HWY_BEFORE_NAMESPACE();
namespace garner {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr Index kLine = 64;  // bytes of a cache line

/// Bytes that `p` lies behind the beginning of a line.
HWY_INLINE Index over_line(const void* p) { return static_cast<Index>(reinterpret_cast<std::uintptr_t>(p) % kLine); }

/// Whole lines to an aligned place.
HWY_INLINE void stream_lines(std::byte* to, const std::byte* from, Index bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  const Index step = static_cast<Index>(hn::Lanes(d));
  auto* out = reinterpret_cast<std::uint8_t*>(to);
  const auto* in = reinterpret_cast<const std::uint8_t*>(from);
  for (Index i = 0; i < bytes; i += step) hn::Stream(hn::LoadU(d, in + i), d, out + i);
}

/// Lines past the caches, what is in front of the first and behind the last as usual.
HWY_INLINE void stream_bytes(std::byte* to, const std::byte* from, Index bytes) {
  const Index head = std::min((kLine - over_line(to)) % kLine, bytes), body = (bytes - head) / kLine * kLine;
  std::memcpy(to, from, static_cast<std::size_t>(head));
  stream_lines(to + head, from + head, body);
  std::memcpy(to + head + body, from + head + body, static_cast<std::size_t>(bytes - head - body));
}

/// Small rows of a size the compiler knows are a few moves; others call.
template <class F>
HWY_INLINE void with_size(Index bytes, const F& f) {
  switch (bytes) {
    case 8: return f(std::integral_constant<Index, 8>());
    case 16: return f(std::integral_constant<Index, 16>());
    case 32: return f(std::integral_constant<Index, 32>());
    case 64: return f(std::integral_constant<Index, 64>());
    case 128: return f(std::integral_constant<Index, 128>());
    case 256: return f(std::integral_constant<Index, 256>());
    case 512: return f(std::integral_constant<Index, 512>());
  }
  f(bytes);
}

/// A stretch that is written in pieces of any size up to kMostPiece, put together in L1, and leaves in whole lines.
class LineSink {
 public:
  static constexpr Index kMostPiece = 4096;

  explicit LineSink(void* to) : to_(static_cast<std::byte*>(to)) {}

  /// Room for the next piece, to be filled by the caller.
  HWY_INLINE std::byte* room(Index bytes) {
    if (used_ + bytes > static_cast<Index>(sizeof(stage_))) leave(used_ - over_line(to_ + used_));
    std::byte* out = stage_ + used_;
    used_ += bytes;
    return out;
  }
  HWY_INLINE void finish() { leave(used_); }

 private:
  HWY_INLINE void leave(Index bytes) {
    stream_bytes(to_, stage_, bytes);
    std::memmove(stage_, stage_ + bytes, static_cast<std::size_t>(used_ - bytes));
    to_ += bytes;
    used_ -= bytes;
  }

  std::byte* to_;
  Index used_ = 0;
  alignas(64) std::byte stage_[2 * kMostPiece];
};

}  // namespace HWY_NAMESPACE
}  // namespace garner
HWY_AFTER_NAMESPACE();
#endif
