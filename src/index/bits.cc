// Elements to bits and positions: compared a vector at a time, and counted on the way.
#include "index/truth.h"

#include <algorithm>
#include <iterator>

#define GARNER_COMPRESSES_16
#include "base/simd_targets.h"
#include "device/cpu/prefetch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/bits.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "index/positions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace garner::index {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr Index kSparse = TruthMap::kBlockWords * 3 / 2;  // ones in a block: one or two a word

template <class K>
HWY_INLINE std::uint64_t word_of(const K* data, K mask) {
  const hn::ScalableTag<K> d;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
    // count_nonzero of 64 M f32 on one thread, in turns with a build without it: 10.0-11.9 -> 14.2 GB/s for 2 KiB
    // ahead; 4 KiB take 1 % of 128 M f32 from 21 to 19 ms on two.
    ask_for(reinterpret_cast<const char*>(data + i) + kPageAhead);
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

/// Two positions without a branch, more in a loop that is rarely taken.
HWY_INLINE std::size_t put_few_positions(std::uint64_t word, std::uint16_t base, std::uint16_t* out) {
  constexpr std::uint64_t kLastBit = std::uint64_t{1} << 63;  // so that there is always one to find
  const std::size_t count = hwy::PopCount(word);
  const std::uint64_t rest = word & (word - 1);
  out[0] = static_cast<std::uint16_t>(base + __builtin_ctzll(word | kLastBit));
  out[1] = static_cast<std::uint16_t>(base + __builtin_ctzll(rest | kLastBit));
  std::uint64_t more = rest & (rest - 1);
  for (std::size_t i = 2; i < count; ++i, more &= more - 1)
    out[i] = static_cast<std::uint16_t>(base + __builtin_ctzll(more));
  return count;
}

/// put(word, number of its first bit, out) writes positions, and returns how many. Behind kFew of them there is room
/// for those of one word, which are of no use.
template <class K, class Put>
HWY_INLINE Index find_words(const K* data, Index n, K mask, BlockTruth& out, const Put& put) {
  Index count = 0;
  const auto take = [&](std::uint64_t word, Index first) HWY_ATTR {
    out.words[first / 64] = word;
    count += static_cast<Index>(
        put(word, static_cast<std::uint16_t>(first), out.positions + HWY_MIN(count, TruthMap::kFew)));
  };
  Index i = 0;
  for (; i + 64 <= n; i += 64) take(word_of<K>(data + i, mask), i);
  if (i < n) take(word_of_few<K>(data + i, n - i, mask), i);
  std::fill(out.words + (n + 63) / 64, std::end(out.words), 0);
  return count;
}

/// Positions are made while memory is waited for (10 % of 128 M bool on two threads: 15.3 -> 11.8 ms).
template <class K>
HWY_INLINE Index find_in(const BitSource& source, Index first, Index n, Index expected, BlockTruth& out) {
  const K* data = static_cast<const K*>(source.data) + first;
  const K mask = static_cast<K>(source.mask);
  using Out = std::uint16_t*;
  if (expected > TruthMap::kFew)
    return find_words(data, n, mask, out, [](std::uint64_t word, std::uint16_t, Out) { return hwy::PopCount(word); });
  if (expected < kSparse) return find_words(data, n, mask, out, put_few_positions);
  const auto lane = hn::Iota(PositionLanes(), 0);
  return find_words(data, n, mask, out, [&](std::uint64_t word, std::uint16_t base, Out to) HWY_ATTR {
    return put_positions(lane, word, base, to);
  });
}

Index FindBlock(const BitSource& source, Index first, Index n, Index expected, BlockTruth& out) {
  if (source.width == 1) return find_in<std::uint8_t>(source, first, n, expected, out);
  if (source.width == 2) return find_in<std::uint16_t>(source, first, n, expected, out);
  if (source.width == 4) return find_in<std::uint32_t>(source, first, n, expected, out);
  return find_in<std::uint64_t>(source, first, n, expected, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace garner::index
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner::index {
HWY_EXPORT(FindBlock);
Index find_block(const BitSource& source, Index first, Index n, Index expected, BlockTruth& out) {
  return HWY_DYNAMIC_DISPATCH(FindBlock)(source, first, n, expected, out);
}
}  // namespace garner::index
#endif
