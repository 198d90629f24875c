// Scatters on several threads: each owns a range of the destination and walks all positions in order, applying those
// that fall into its range. Every place is updated by one thread, in index order, so results do not depend on the
// number of threads. Reading every index once per thread costs 8 bytes where an update costs at least as much again.
#pragma once
#include "device/cpu/threads.h"
#include "kernel/kernel.h"

namespace garner {

/// Element offsets [lo, hi) on the indexed side; `first` owns what belongs to no place.
struct Owner {
  Index lo, hi;
  bool first;
};

/// f(owner) for ranges that together cover the plan's span, on the launch's threads.
template <class F>
void for_each_owner(const Launch& launch, F&& f) {
  const Index lo = launch.facts.span.lo, size = std::max<Index>(launch.facts.span.hi - lo + 1, 0);
  const Index owners = std::max<Index>(1, std::min<Index>(launch.threads, size));
  const auto bound = [&](Index k) { return lo + size / owners * k + std::min(k, size % owners); };
  parallel_ranges(launch.threads, owners, 1, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) f(Owner{bound(k), bound(k + 1), k == 0});
  });
}

}  // namespace garner
