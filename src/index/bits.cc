// Elements to bits: compared a vector at a time, and counted on the way.
#include "index/truth.h"

#include "base/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/bits.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner::index {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class K>
HWY_INLINE std::uint64_t word_of(const K* data, K mask) {
  const hn::ScalableTag<K> d;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
    // count_nonzero of 64 M f32 on one thread, in turns with a build without it: 10.0-11.9 -> 14.2 GB/s.
    hwy::Prefetch(reinterpret_cast<const char*>(data + i) + 2048);
    std::uint64_t part = 0;
    const auto hit = hn::Ne(hn::And(hn::LoadU(d, data + i), hn::Set(d, mask)), hn::Zero(d));
    hn::StoreMaskBits(d, hit, reinterpret_cast<std::uint8_t*>(&part));
    word |= part << i;
  }
  return word;
}

template <class K>
HWY_INLINE std::uint64_t word_of_few(const K* data, Index n, K mask) {
  std::uint64_t word = 0;
  for (Index i = 0; i < n; ++i) word |= static_cast<std::uint64_t>((data[i] & mask) != 0) << i;
  return word;
}

template <class K>
HWY_INLINE Index set_words(const void* source, Index n, std::uint64_t mask, std::uint64_t* words) {
  const auto* data = static_cast<const K*>(source);
  Index count = 0, i = 0;
  for (; i + 64 <= n; i += 64) {
    *words = word_of<K>(data + i, static_cast<K>(mask));
    count += static_cast<Index>(hwy::PopCount(*words++));
  }
  if (i == n) return count;
  *words = word_of_few<K>(data + i, n - i, static_cast<K>(mask));
  return count + static_cast<Index>(hwy::PopCount(*words));
}

Index SetBits(const BitSource& source, Index first, Index n, std::uint64_t* words) {
  const auto* data = static_cast<const std::byte*>(source.data) + first * source.width;
  if (source.width == 1) return set_words<std::uint8_t>(data, n, source.mask, words);
  if (source.width == 2) return set_words<std::uint16_t>(data, n, source.mask, words);
  if (source.width == 4) return set_words<std::uint32_t>(data, n, source.mask, words);
  return set_words<std::uint64_t>(data, n, source.mask, words);
}

}  // namespace HWY_NAMESPACE
}  // namespace garner::index
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner::index {
HWY_EXPORT(SetBits);
Index set_bits(const BitSource& source, Index first, Index n, std::uint64_t* words) {
  return HWY_DYNAMIC_DISPATCH(SetBits)(source, first, n, words);
}
}  // namespace garner::index
#endif
