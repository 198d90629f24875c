// Work on several cores, through oneTBB. The one place that starts threads.
#pragma once
#include <functional>

#include "garner/axes.h"

namespace garner {

/// Below this many bytes a second thread costs more than it brings: waking one takes about 5 µs, in which one core
/// copies some 64 KiB (tools: tbb 2021.8, Xeon 2.3 GHz).
inline constexpr Index kBytesPerThread = 128 << 10;

/// How many threads are worth their start for this much work. wanted == 0: one per core.
int thread_count(int wanted, Index bytes);

/// work(begin, end) over [0, count), in at most `threads` pieces at a time. Pieces are split while they have more than
/// `grain` items, so the smallest have half of that.
/// With one thread it is a plain call on the caller's thread.
void parallel_ranges(int threads, Index count, Index grain, const std::function<void(Index, Index)>& work);

}  // namespace garner
