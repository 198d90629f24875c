// Positions along the innermost axis under one index tensor, when every element offset fits 32 bits: half the index
// arithmetic of resolve.h, and offsets that feed the vector units' gathers as they are.
#pragma once
#include <cstddef>

#include "device/cpu/prefetch.h"
#include "garner/plan.h"

namespace garner {

inline constexpr Index kLineBlock = 256;
inline constexpr Index kAskedAhead = 4 * kLineBlock;

/// Position j leads to element value * scale + j * step, counted from where the values 0 lead.
struct IndexLine {
  DType dtype;
  const void* index;  // one value after another
  Index count;
  const Bounds* bounds;
  std::int32_t scale, step;

  /// Read in bursts, the streams of a long line are too slow for the hardware to run ahead of them: what comes
  /// kAskedAhead positions later is asked for.
  bool is_long() const { return count >= kAskedAhead; }
};

/// `count` (at most kLineBlock) offsets of positions from `first` on. Values out of range under trap, fill and drop
/// give the offset of bounds.lo, and 0 in `valid`, which is only written when there are some; returns their number.
Index line_offsets(const IndexLine& line, Index first, Index count, std::int32_t* offset, std::uint8_t* valid);

/// Lines one after another: how far apart their index values, the places their values count from, and their results
/// are.
struct LineBatch {
  IndexLine line;  // the first
  Index lines = 1;
  Index index_pitch = 0, indexed_pitch = 0, dense_pitch = 0;  // in elements
  bool far = false;  // what is indexed does not stay in L2: it is worth asking for
  Index reach = 0;   // bytes a line can reach, if few enough to ask for those of the next one

  /// While positions [first, first + n) of a line are worked on, their share of what the next line reaches is asked
  /// for. `origin`: where this line's value bounds.lo leads.
  void ask_next(const std::byte* origin, Index first, Index n, int width) const {
    if (reach > 0) ask_for(origin + indexed_pitch * width + reach * first / line.count, reach * n / line.count);
  }

  IndexLine at(Index n) const {
    IndexLine out = line;
    out.index = static_cast<const std::byte*>(line.index) + n * index_pitch * width(line.dtype);
    return out;
  }
};

/// to[j] = from[offset of j] on every line, 0 for values out of range; returns the number of those. `past_caches`: as
/// in stream.h.
Index gather_lines(const LineBatch& batch, const void* from, void* to, int width, bool past_caches);

/// May a plan's innermost axis be read so? One term, steps of one on both sides, no mask, no fill, and bounds that
/// speak of values and are no modulo.
bool has_lines(const IndexPlan& plan);

}  // namespace garner
