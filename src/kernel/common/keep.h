// Of a block of offsets those that a thread updates, put together.
#pragma once
#include <cstdint>

#include "garner/axes.h"

namespace garner {

/// Most offsets that a vector has: lists are written so far past their end.
inline constexpr Index kKeepPast = 64;

/// Positions, by their offsets and by their numbers.
struct PositionList {
  std::int32_t *offset, *source;
};

/// A block of positions on a line, as line_offsets() gives them.
struct OffsetBlock {
  const std::int32_t* offset;
  const std::uint8_t* valid;  // null: all are
  Index count;
  std::uint32_t to;      // place of offset 0, modulo 2^32
  std::int32_t source;   // number of the first position
};

/// Odd, with bits all over: a product's upper bits depend on all of the other factor.
inline constexpr std::uint32_t kLineHash = 0x9E3779B1U, kPlaceHash = 0x85EBCA6BU;

/// Whole cache lines belong to one thread, by a hash, so that neighbours of a hot line fall to others. At most 2^16
/// owners.
struct LineOwner {
  std::uint32_t owner, owners;
  int log_line;  // elements of a cache line, as a power of two

  bool has(std::uint32_t place) const { return (((place >> log_line) * kLineHash >> 16) * owners >> 16) == owner; }
};

/// A bit for each of a power of two of slots: which places are hot, by a hash.
struct HotSlots {
  const std::uint32_t* bits;
  int shift;  // 32 - log2(slots)

  std::uint32_t slot(std::uint32_t place) const { return place * kPlaceHash >> shift; }
  bool may_be(std::uint32_t place) const { return (bits[slot(place) / 32] >> slot(place) % 32 & 1U) != 0; }
};

/// The slot of the place of each position.
void hot_slots(const HotSlots& slots, const OffsetBlock& block, std::uint32_t* slot);

/// Appends the positions that are valid and the owner's, in order; returns their number.
Index keep_owned(const LineOwner& owner, const OffsetBlock& block, const PositionList& kept);

struct KeptApart {
  Index cold, hot;
};
/// The same in two lists.
KeptApart keep_apart(const LineOwner& owner, const HotSlots& slots, const OffsetBlock& block, const PositionList& cold,
                     const PositionList& hot);

}  // namespace garner
