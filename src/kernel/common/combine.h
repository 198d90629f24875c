// The arithmetic of combining scatters, one functor per Combine, and the two loops that apply it.
#pragma once
#include <memory>

#include "kernel/kernel.h"

namespace garner {

/// dst[i] = combine(dst[i], src[i]) for i in [0, n), side by side.
using CombineRun = void (*)(void* dst, const void* src, Index n);

/// Updates one after another, those whose target lies in [lo, hi) and is not skipped.
struct Targets {
  Index count = 0;
  const Index* offset = nullptr;         // element offset of each target
  const std::uint8_t* valid = nullptr;   // null: all are
  Index lo = 0, hi = 0;                  // targets this thread owns
  bool owns(Index j) const { return offset[j] >= lo && offset[j] < hi; }
  bool take(Index j) const { return owns(j) && (valid == nullptr || valid[j] != 0); }
};

/// dst[offset[j]] = combine(dst[offset[j]], src[j * src_step]) for every target taken.
using CombineAt = void (*)(void* dst, const void* src, Index src_step, const Targets& targets);

/// dst[offset[m]] = combine(dst[offset[m]], src[source[m]]) for m in [0, n), one after another. kListAhead offsets past
/// the last are read, and their targets asked for, so they must be there; any number will do.
inline constexpr Index kListAhead = 32;
using CombineList = void (*)(void* dst, const void* src, const std::int32_t* offset, const std::int32_t* source,
                             Index n);

/// Lines of updates, `src_pitch` elements apart, and the offsets of their targets, one behind another.
struct NearLines {
  const std::int32_t* offset;
  Index lines, count, src_pitch;
  Index ahead = 0;  // updates of lines so far ahead are asked for
};

/// dst[offset[j]] = combine(dst[offset[j]], src[j]) for each j of each line, one after another: for targets near at
/// hand.
using CombineNear = void (*)(void* dst, const void* src, const NearLines& near);

struct Combiner {
  CombineRun run;
  CombineAt at;
  CombineList list;
  CombineNear near;
};

/// For every Combine but kCompareExchange and kUser, which need more than two values.
/// Integers wrap around; bool adds as or, multiplies as and; min and max give NaN where either is NaN, as NumPy does.
/// 8- and 16-bit floats round after every step, so the result is the formula's, whatever the kernel.
Combiner combiner_for(Combine combine, DType dtype);

class BlockSums;

/// One update of any kind, compare-exchange and user functions over several operands included.
class ElementCombiner {
 public:
  explicit ElementCombiner(const Launch& launch);
  ~ElementCombiner();
  /// Element offsets of the target and the update; `expected` is only read by compare-exchange, which compares bits.
  void operator()(Index to, Index from, const void* expected);

 private:
  void user(Index to, Index from);
  const Launch& launch_;
  Combiner combiner_;
  std::unique_ptr<BlockSums> sums_;  // where some may be longer than a block
  std::vector<void*> targets_;
  std::vector<const void*> updates_;
};

}  // namespace garner
