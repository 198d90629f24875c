// The plan's formula, walked slowly: for every position of the domain, which element it touches and what happened on
// the way. It moves no data; the kernels do.
#pragma once
#include "garner/run.h"
#include "kernel/common/scalar_resolve.h"

namespace garner {

enum class Fate { kDone, kFilled, kDropped, kMasked, kTrapped };

/// What became of one index value.
struct IndexRead {
  std::size_t term = 0;
  Index element = 0;     // offset from the term's data pointer
  Wide value = 0;        // as it stands there
  Index used = 0;        // what it became; nothing when outside
  bool wrapped = false, clamped = false, folded = false;  // folded: taken modulo
  bool outside = false;  // filled, dropped or trapped
};

struct Step {
  Axes at = {};            // in the domain
  Fate fate = Fate::kDone;
  Axes position = {};      // on the indexed side; only when kDone
  Index indexed = 0;     // the same as an element offset from the operand's data pointer
  Index dense = 0;       // element offset on the dense side
  std::vector<IndexRead> reads = {};  // none where masked
};

/// In row-major order of the domain. Rules of run() before the first read; DR4: a promised index is out of range.
Result<std::vector<Step>> trace(const Job& job);

std::string_view name(Fate fate);

}  // namespace garner
