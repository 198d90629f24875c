// The positions of the ones in a word, once per SIMD target.
#include <cstdint>

#if defined(GARNER_INDEX_POSITIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GARNER_INDEX_POSITIONS_INL_H_
#undef GARNER_INDEX_POSITIONS_INL_H_
#else
#define GARNER_INDEX_POSITIONS_INL_H_
#endif
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner::index {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using PositionLanes = hn::CappedTag<std::uint16_t, 32>;

/// The positions of the ones in `word`, whose first bit is number `base`: compressed in a register, stored at full
/// width. `lane` is Iota(d, 0), made once: Highway 1.0.3 makes it in memory (13 -> 8 ms for 32 M). `out` has room for
/// 64. Returns how many there are.
template <class V>
HWY_INLINE std::size_t put_positions(V lane, std::uint64_t word, std::uint16_t base, std::uint16_t* out) {
  const PositionLanes d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t count = 0;
  auto at = hn::Add(lane, hn::Set(d, base));
  for (std::size_t i = 0; i < 64; i += lanes) {
    const std::uint64_t bits = word >> i & ((std::uint64_t{1} << lanes) - 1);
    hn::StoreU(hn::CompressBits(at, reinterpret_cast<const std::uint8_t*>(&bits)), d, out + count);
    count += hwy::PopCount(bits);
    at = hn::Add(at, hn::Set(d, static_cast<std::uint16_t>(lanes)));
  }
  return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace garner::index
HWY_AFTER_NAMESPACE();
#endif
