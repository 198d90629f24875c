#include "index/positions.h"

#include <bit>

#define GARNER_COMPRESSES_16
#include "base/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/positions.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "index/positions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace garner::index {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void PositionsInWords(const std::uint64_t* words, std::uint16_t* out) {
  const auto lane = hn::Iota(PositionLanes(), 0);
  for (Index w = 0; w < TruthMap::kBlockWords; ++w)
    out += put_positions(lane, words[w], static_cast<std::uint16_t>(64 * w), out);
}

/// Extents above kBlock: a number passes the end at most once.
HWY_INLINE void split_long(const AxisPart& axis, std::uint16_t* HWY_RESTRICT numbers, Index n,
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
HWY_INLINE void split_short(const AxisPart& axis, std::uint16_t* HWY_RESTRICT numbers, Index n,
                            Index* HWY_RESTRICT out) {
  const auto extent = static_cast<std::uint32_t>(axis.extent), base = static_cast<std::uint32_t>(axis.base);
  const int shift = 13 + static_cast<int>(std::bit_width(extent - 1));
  const std::uint32_t magic = ((std::uint32_t{1} << shift) + extent - 1) / extent;
  for (Index i = 0; i < n; ++i) {
    const std::uint32_t x = numbers[i] + base, quotient = x * magic >> shift;
    out[i] = static_cast<Index>(x - quotient * extent);
    numbers[i] = static_cast<std::uint16_t>(quotient);
  }
}

void SplitAxis(const AxisPart& axis, std::uint16_t* numbers, Index n, Index* out) {
  if (axis.extent > TruthMap::kBlock) split_long(axis, numbers, n, out);
  else split_short(axis, numbers, n, out);
}

void AddBase(Index base, const std::uint16_t* HWY_RESTRICT numbers, Index n, Index* HWY_RESTRICT out) {
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

using Lanes = hn::CappedTag<Index, 8>;

/// numbers[0], numbers[1], … as coordinates.
HWY_INLINE hn::Vec<Lanes> coordinates_at(const std::uint16_t* numbers) {
  const hn::Rebind<std::uint16_t, Lanes> d16;
  const hn::Rebind<std::uint32_t, Lanes> d32;
  return hn::BitCast(Lanes(),
                     hn::PromoteTo(hn::RebindToUnsigned<Lanes>(), hn::PromoteTo(d32, hn::LoadU(d16, numbers))));
}

void RowsAlongLast(const Axes& corner, const std::uint16_t* numbers, Index n, Index* out) {
  const Lanes d;
  const auto rank = static_cast<Index>(corner.size());
  const Index* first = corner.data();
  interleave_columns(d, rank, n, [&](Index a, Index k) HWY_ATTR {
    const auto base = hn::Set(d, first[a]);
    return a + 1 < rank ? base : hn::Add(base, coordinates_at(numbers + k));
  }, [&](Index a, Index k) { return first[a] + (a + 1 < rank ? 0 : static_cast<Index>(numbers[k])); }, out);
}

HWY_INLINE void stream_column(Index base, const std::uint16_t* numbers, Index n, Index* out) {
  const Lanes d;
  for (Index k = 0; k < n; k += static_cast<Index>(hn::Lanes(d)))
    hn::Stream(hn::Add(hn::Set(d, base), coordinates_at(numbers + k)), d, out + k);
}

/// Row k is lanes 2 * k and 2 * k + 1: every number comes twice, and the first time does not count.
HWY_INLINE void stream_pairs(Index first, Index base, const std::uint16_t* numbers, Index n, Index* out) {
  const Lanes d;
  const auto rows = static_cast<Index>(hn::Lanes(d)) / 2;
  if (rows == 0) {  // a target without vectors
    for (Index k = 0; k < n; ++k) out[2 * k] = first, out[2 * k + 1] = base + numbers[k];
    return;
  }
  const auto corner = hn::OddEven(hn::Set(d, base), hn::Set(d, first));
  const auto twice = hn::IndicesFromVec(d, hn::ShiftRight<1>(hn::Iota(d, 0)));
  for (Index k = 0; k < n; k += rows) {
    const auto number = hn::TableLookupLanes(coordinates_at(numbers + k), twice);
    hn::Stream(hn::Add(corner, hn::OddEven(number, hn::Zero(d))), d, out + 2 * k);
  }
}

void StreamAlongLast(const Axes& corner, const std::uint16_t* numbers, Index n, Index* out) {
  if (corner.size() == 1) stream_column(corner[0], numbers, n, out);
  else stream_pairs(corner[0], corner[1], numbers, n, out);
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
HWY_EXPORT(StreamAlongLast);

void positions_in_words(const std::uint64_t* words, std::uint16_t* out) {
  HWY_DYNAMIC_DISPATCH(PositionsInWords)(words, out);
}
void split_axis(const AxisPart& axis, std::uint16_t* numbers, Index n, Index* out) {
  HWY_DYNAMIC_DISPATCH(SplitAxis)(axis, numbers, n, out);
}
void add_base(Index base, const std::uint16_t* numbers, Index n, Index* out) {
  HWY_DYNAMIC_DISPATCH(AddBase)(base, numbers, n, out);
}
void interleave(const Index* columns, Index stride, Index n, Index rank, Index* out) {
  HWY_DYNAMIC_DISPATCH(Interleave)(columns, stride, n, rank, out);
}
void rows_along_last(const Axes& corner, const std::uint16_t* numbers, Index n, Index* out) {
  HWY_DYNAMIC_DISPATCH(RowsAlongLast)(corner, numbers, n, out);
}
void stream_along_last(const Axes& corner, const std::uint16_t* numbers, Index n, Index* out) {
  HWY_DYNAMIC_DISPATCH(StreamAlongLast)(corner, numbers, n, out);
}
}  // namespace garner::index
#endif
