#include "index/positions.h"

#include <bit>

#include "base/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/positions.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner::index {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::uint64_t kLastBit = std::uint64_t{1} << 63;  // so that there is always one to find

/// Compressed in a register, stored at full width.
template <class D, class V>
HWY_INLINE std::size_t dense_word(D d, std::uint64_t word, V at, std::uint32_t* out) {
  const std::size_t lanes = hn::Lanes(d);
  std::size_t count = 0;
  for (std::size_t i = 0; i < 64; i += lanes) {
    const std::uint64_t bits = word >> i & ((std::uint64_t{1} << lanes) - 1);
    hn::StoreU(hn::CompressBits(at, reinterpret_cast<const std::uint8_t*>(&bits)), d, out + count);
    count += hwy::PopCount(bits);
    at = hn::Add(at, hn::Set(d, static_cast<std::uint32_t>(lanes)));
  }
  return count;
}

/// Two without a branch, more in a loop that is rarely taken.
HWY_INLINE std::size_t sparse_word(std::uint64_t word, std::uint32_t base, std::uint32_t* out) {
  const std::size_t count = hwy::PopCount(word);
  const std::uint64_t rest = word & (word - 1);
  out[0] = base + static_cast<std::uint32_t>(__builtin_ctzll(word | kLastBit));
  out[1] = base + static_cast<std::uint32_t>(__builtin_ctzll(rest | kLastBit));
  std::uint64_t more = rest & (rest - 1);
  for (std::size_t i = 2; i < count; ++i, more &= more - 1)
    out[i] = base + static_cast<std::uint32_t>(__builtin_ctzll(more));
  return count;
}

HWY_INLINE std::size_t dense_words(const std::uint64_t* words, std::uint32_t count, std::uint32_t* out) {
  const hn::ScalableTag<std::uint32_t> d;
  const auto lane = hn::Iota(d, 0);  // outside the loop: Highway 1.0.3 makes it in memory, 13 -> 8 ms for 32 M
  std::size_t found = 0;
  for (std::uint32_t w = 0; w < count; ++w)
    found += dense_word(d, words[w], hn::Add(lane, hn::Set(d, 64 * w)), out + found);
  return found;
}

HWY_INLINE std::size_t sparse_words(const std::uint64_t* words, std::uint32_t count, std::uint32_t* out) {
  std::size_t found = 0;
  for (std::uint32_t w = 0; w < count; ++w) found += sparse_word(words[w], 64 * w, out + found);
  return found;
}

void PositionsInWords(const std::uint64_t* words, Index count, bool sparse, std::uint32_t* out) {
  const auto n = static_cast<std::uint32_t>(count);
  if (sparse) sparse_words(words, n, out);
  else dense_words(words, n, out);
}

/// Extents above kBlock: a number passes the end at most once.
HWY_INLINE void split_long(const AxisPart& axis, std::uint32_t* HWY_RESTRICT numbers, Index n,
                           Index* HWY_RESTRICT out) {
  const Index here = axis.base, next = axis.base - axis.extent;
  const auto left = static_cast<std::uint32_t>(HWY_MIN(-next, TruthMap::kBlock));  // no number is kBlock
  for (Index i = 0; i < n; ++i) {
    const std::uint32_t number = numbers[i];
    out[i] = static_cast<Index>(number) + (number >= left ? next : here);
    numbers[i] = number >= left ? 1 : 0;
  }
}

/// Extents up to kBlock: x = base + number is below 2^13, so x * extent < 2^s with s = 13 + log2(extent) rounded up,
/// and therefore x / extent == x * ceil(2^s / extent) >> s; the product stays below 2^28.
HWY_INLINE void split_short(const AxisPart& axis, std::uint32_t* HWY_RESTRICT numbers, Index n,
                            Index* HWY_RESTRICT out) {
  const auto extent = static_cast<std::uint32_t>(axis.extent), base = static_cast<std::uint32_t>(axis.base);
  const int shift = 13 + static_cast<int>(std::bit_width(extent - 1));
  const std::uint32_t magic = ((std::uint32_t{1} << shift) + extent - 1) / extent;
  for (Index i = 0; i < n; ++i) {
    const std::uint32_t x = numbers[i] + base, quotient = x * magic >> shift;
    out[i] = static_cast<Index>(x - quotient * extent);
    numbers[i] = quotient;
  }
}

void SplitAxis(const AxisPart& axis, std::uint32_t* numbers, Index n, Index* out) {
  if (axis.extent > TruthMap::kBlock) split_long(axis, numbers, n, out);
  else split_short(axis, numbers, n, out);
}

void AddBase(Index base, const std::uint32_t* HWY_RESTRICT numbers, Index n, Index* HWY_RESTRICT out) {
  for (Index i = 0; i < n; ++i) out[i] = base + static_cast<Index>(numbers[i]);
}

/// column(a, k): coordinates a of positions k, k + 1, … as a vector, and of one alone.
template <class D, class Column, class One>
HWY_INLINE void interleave_columns(D d, Index rank, Index n, const Column& column, const One& one, Index* out) {
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  if (rank == 1) {
    for (Index k = 0; k < n; k += lanes) hn::StoreU(column(0, k), d, out + k);
  } else if (rank == 2) {
    for (Index k = 0; k < n; k += lanes) hn::StoreInterleaved2(column(0, k), column(1, k), d, out + 2 * k);
  } else if (rank == 3) {
    for (Index k = 0; k < n; k += lanes)
      hn::StoreInterleaved3(column(0, k), column(1, k), column(2, k), d, out + 3 * k);
  } else if (rank == 4) {
    for (Index k = 0; k < n; k += lanes)
      hn::StoreInterleaved4(column(0, k), column(1, k), column(2, k), column(3, k), d, out + 4 * k);
  } else {
    for (Index a = 0; a < rank; ++a)
      for (Index k = 0; k < n; ++k) out[k * rank + a] = one(a, k);
  }
}

void Interleave(const Index* columns, Index stride, Index n, Index rank, Index* out) {
  const hn::ScalableTag<Index> d;
  interleave_columns(d, rank, n, [&](Index a, Index k) HWY_ATTR { return hn::LoadU(d, columns + a * stride + k); },
                     [&](Index a, Index k) { return columns[a * stride + k]; }, out);
}

void RowsAlongLast(const Axes& corner, const std::uint32_t* numbers, Index n, Index* out) {
  const hn::ScalableTag<Index> d;
  const hn::Rebind<std::uint32_t, decltype(d)> d32;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto rank = static_cast<Index>(corner.size());
  const Index* first = corner.data();
  interleave_columns(d, rank, n, [&](Index a, Index k) HWY_ATTR {
    const auto base = hn::Set(d, first[a]);
    return a + 1 < rank ? base : hn::Add(base, hn::BitCast(d, hn::PromoteTo(du, hn::LoadU(d32, numbers + k))));
  }, [&](Index a, Index k) { return first[a] + (a + 1 < rank ? 0 : static_cast<Index>(numbers[k])); }, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace garner::index
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner::index {
HWY_EXPORT(PositionsInWords);
HWY_EXPORT(SplitAxis);
HWY_EXPORT(AddBase);
HWY_EXPORT(Interleave);
HWY_EXPORT(RowsAlongLast);

void positions_in_words(const std::uint64_t* words, Index count, bool sparse, std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(PositionsInWords)(words, count, sparse, out);
}
void split_axis(const AxisPart& axis, std::uint32_t* numbers, Index n, Index* out) {
  HWY_DYNAMIC_DISPATCH(SplitAxis)(axis, numbers, n, out);
}
void add_base(Index base, const std::uint32_t* numbers, Index n, Index* out) {
  HWY_DYNAMIC_DISPATCH(AddBase)(base, numbers, n, out);
}
void interleave(const Index* columns, Index stride, Index n, Index rank, Index* out) {
  HWY_DYNAMIC_DISPATCH(Interleave)(columns, stride, n, rank, out);
}
void rows_along_last(const Axes& corner, const std::uint32_t* numbers, Index n, Index* out) {
  HWY_DYNAMIC_DISPATCH(RowsAlongLast)(corner, numbers, n, out);
}
}  // namespace garner::index
#endif
