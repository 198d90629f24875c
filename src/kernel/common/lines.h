// Positions along the innermost axis under one index tensor, when every element offset fits 32 bits: half the index
// arithmetic of resolve.h, and offsets that feed the vector units' gathers as they are.
#pragma once
#include <cstddef>

#include "device/cpu/prefetch.h"
#include "garner/plan.h"

namespace garner {

inline constexpr Index kLineBlock = 256;

/// Position j leads to element value * scale + j * step, counted from where the values 0 lead.
struct IndexLine {
  DType dtype;
  const void* index;  // one value after another
  Index count;
  const Bounds* bounds;
  std::int32_t scale, step;
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
  bool far = false;  // what is indexed does not stay in L2: elements are worth asking for
  Index reach = 0;   // bytes a line can reach, if few enough to ask for those of the next one
  Index sweep =
      0;   // the same where single elements are far, but a line comes to most of what it reaches: it may be read
  Index ahead = 0;   // lines are short, and far apart: those so far ahead are asked for one by one

  IndexLine at(Index n) const {
    IndexLine out = line;
    out.index = static_cast<const std::byte*>(line.index) + n * index_pitch * width(line.dtype);
    return out;
  }
  /// Asks for the index values that line n is `ahead` of.
  void ask_ahead(Index n) const {
    if (ahead > 0) ask_for(at(n + ahead).index, line.count * width(line.dtype));
  }
};

/// What will be needed soon, asked for little by little while the positions of a line are worked on: its index values,
/// the elements on the dense side, and what the next line reaches. The hardware does not run ahead of streams that are
/// read in bursts, and what is asked for at once holds up what is computed (scatter-add along the last axis, 4096 x
/// 4096: asked for 256 positions at a time 13.2 ms, 64 at a time 10.8).
class LineAsks {
 public:
  LineAsks() = default;  // for nothing
  /// `origin`: where the line's value bounds.lo leads. `dense`: what is read there, if it is.
  LineAsks(const LineBatch& batch, const IndexLine& line, const std::byte* origin, const std::byte* dense, int width) {
    if (goes_on(batch, batch.index_pitch))
      index_ = {static_cast<const std::byte*>(line.index) + kPageAhead, garner::width(line.dtype)};
    if (dense != nullptr && goes_on(batch, batch.dense_pitch)) dense_ = {dense + kPageAhead, width};
    if (batch.reach > 0) next_ = {origin + batch.indexed_pitch * width, (batch.reach + line.count - 1) / line.count};
  }

  /// Is a side whose lines are `pitch` apart read as a stream?
  static bool goes_on(const LineBatch& batch, Index pitch) {
    return batch.line.count >= kLong || (batch.lines > 1 && pitch == batch.line.count);
  }

  /// For positions [first, first + count).
  void operator()(Index first, Index count) const {
    index_.ask(first, count);
    dense_.ask(first, count);
    next_.ask(first, count);
  }

  /// The same, with positions counted from `first` on.
  LineAsks from(Index first) const {
    LineAsks out = *this;
    for (Stream* stream : {&out.index_, &out.dense_, &out.next_}) stream->at += first * stream->bytes;
    return out;
  }

 private:
  static constexpr Index kLong = 1024;  // elements of a line that is a stream by itself; shorter ones are with the next
  struct Stream {
    const std::byte* at = nullptr;
    Index bytes = 0;  // a position; 0: there is none
    void ask(Index first, Index count) const {
      if (bytes != 0) ask_for(at + first * bytes, count * bytes);
    }
  };
  Stream index_, dense_, next_;
};

/// The same for all positions of lines that lead to one place, those of one line behind those of the other. `valid` has
/// room for one line, and is of no use.
Index batch_offsets(const LineBatch& batch, std::int32_t* offset, std::uint8_t* valid);

/// to[j] = from[offset of j] on every line, 0 for values out of range; returns the number of those. `past_caches`: as
/// in stream.h.
Index gather_lines(const LineBatch& batch, const void* from, void* to, int width, bool past_caches);

/// May values that are in range lead on by themselves under these bounds? All others are looked at one by one.
bool leads_on(const Bounds& bounds);

/// May a plan's innermost axis be read so? One term, steps of one on both sides, no mask, no fill, and bounds that
/// speak of values and are no modulo.
bool has_lines(const IndexPlan& plan);

}  // namespace garner
