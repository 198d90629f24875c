// From bits to coordinates, in steps that each fit L1: the positions of the ones in a block, their coordinates axis by
// axis, and rows of coordinates. Compiled once per SIMD target and picked at run time.
#pragma once
#include "index/truth.h"

namespace garner::index {

/// Loops below work in whole vectors: arrays have this many entries more than are asked for.
inline constexpr Index kPad = 64;

/// The positions of the ones in the words of a block, ascending. `out` has room for kBlock + kPad.
void positions_in_words(const std::uint64_t* words, std::uint16_t* out);

/// Coordinates along one axis of consecutive stretches of at most kBlock elements.
struct AxisPart {
  Index extent;
  Index base;  // the coordinate of what number 0 stands for, below extent
};

/// For numbers below TruthMap::kBlock: out = (base + number) % extent, number = (base + number) / extent.
void split_axis(const AxisPart& axis, std::uint16_t* numbers, Index n, Index* out);

/// out = base + number.
void add_base(Index base, const std::uint16_t* numbers, Index n, Index* out);

/// out[k * rank + a] = columns[a * stride + k] for k < n.
void interleave(const Index* columns, Index stride, Index n, Index rank, Index* out);

/// Positions that differ in their last coordinate only: those of `corner`, to the last of which a number is added.
/// out[k * rank + a] = corner[a], out[k * rank + rank - 1] += numbers[k] for k < n.
void rows_along_last(const Axes& corner, const std::uint16_t* numbers, Index n, Index* out);

/// The same of one or two coordinates past the caches: `out` begins a line, and n * rank values are whole lines.
void stream_along_last(const Axes& corner, const std::uint16_t* numbers, Index n, Index* out);

}  // namespace garner::index
