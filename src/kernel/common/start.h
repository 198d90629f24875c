// What a scatter's target holds before the first update. It is brought in one pass over memory of its own, unless a
// kernel comes by every part of the target anyway.
#pragma once
#include "kernel/kernel.h"

namespace garner {

/// bytes of `from`, or zeros where that is null, on several threads and past the caches where there are many.
void bring_start(void* target, const void* from, Index bytes, int threads);

/// Buffers::start, by a kernel that has to.
inline void bring_start(const Launch& l) {
  const Start& start = l.buffers.start;
  if (start.from != nullptr) bring_start(l.buffers.indexed[0], start.from, start.bytes, l.threads);
}

}  // namespace garner
