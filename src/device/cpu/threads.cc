#include "device/cpu/threads.h"

#include "device/cpu/workers.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <optional>

#ifdef GARNER_TSAN
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace garner {
namespace {

/// Debian's oneTBB is built without thread sanitizer, which therefore cannot see that starting a task orders memory.
/// These say so: what was before the region is seen in it, what was in it is seen after. The build defines GARNER_TSAN
/// for this file alone and leaves the file itself uninstrumented.
struct Ordering {
  char start = 0, finish = 0;
#ifdef GARNER_TSAN
  void before() { __tsan_release(&start); }
  void enter() { __tsan_acquire(&start); }
  void leave() { __tsan_release(&finish); }
  void after() { __tsan_acquire(&finish); }
#else
  void before() {}
  void enter() {}
  void leave() {}
  void after() {}
#endif
};

/// A child of fork() has none of oneTBB's threads, and locks they held stay locked: it works on one thread. The bits of
/// a result do not depend on that.
std::atomic<bool> forked = false;
const int kWatchesFork = pthread_atfork(nullptr, nullptr, [] { forked = true; });

/// Fewer threads than there are: so many takers of pieces, whoever runs them.
template <class Body>
void in_pieces(int threads, Index count, Index grain, const Body& body) {
  const Index pieces = std::clamp<Index>(count / std::max<Index>(grain, 1), 1, 4 * threads);
  std::atomic<Index> next = 0;
  const auto take = [&](int) {
    for (Index p = next++; p < pieces; p = next++) body(count * p / pieces, count * (p + 1) / pieces);
  };
  tbb::parallel_for(0, threads, take, tbb::simple_partitioner());
}

/// More threads than the caller's arena has. More than cores only when asked for; oneTBB would otherwise quietly use
/// fewer.
template <class Body>
void on_more_threads(int threads, const tbb::blocked_range<Index>& range, const Body& body) {
  std::optional<tbb::global_control> more;
  if (threads > tbb::info::default_concurrency())
    more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena(threads).execute([&] { tbb::parallel_for(range, body); });
}

}  // namespace

int thread_count(int wanted, Index bytes) {
  if (forked) return 1;
  const int cores = wanted > 0 ? wanted : tbb::this_task_arena::max_concurrency();
  const Index worth = std::max<Index>(1, bytes / kBytesPerThread);
  return static_cast<int>(std::min<Index>(cores, worth));
}

/// Where the caller is, not in an arena of its own: a thread that has to come from one to the other takes 40 us and
/// more (four pieces of 20 us on two threads: 85 us there, 41 here; tbb 2021.8, Zen 4). Isolated: who waits for the
/// last piece takes up no other work of the caller's, which may lead back here, to what a call keeps for its thread.
void parallel_ranges(int threads, Index count, Index grain, const std::function<void(Index, Index)>& work) {
  if (count <= 0) return;
  if (threads <= 1 || count <= grain || forked) return work(0, count);
  const Helped helped;
  Ordering order;
  order.before();
  const auto ordered = [&](Index begin, Index end) {
    helped.joins();
    order.enter();
    work(begin, end);
    order.leave();
  };
  const auto body = [&](const tbb::blocked_range<Index>& r) { ordered(r.begin(), r.end()); };
  const tbb::blocked_range<Index> range(0, count, static_cast<std::size_t>(std::max<Index>(grain, 1)));
  const int here = tbb::this_task_arena::max_concurrency();
  if (threads > here) on_more_threads(threads, range, body);
  else
    tbb::this_task_arena::isolate([&] {
      if (threads < here) in_pieces(threads, count, grain, ordered);
      else tbb::parallel_for(range, body);
    });
  order.after();
}

}  // namespace garner
