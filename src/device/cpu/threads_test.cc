#include <sys/wait.h>
#include <unistd.h>

#include "base/effort.h"
#include "device/cpu/threads.h"

#include <gtest/gtest.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace garner {
namespace {

struct Ranges {
  int threads;
  Index count, grain;
};

class ParallelRanges : public testing::TestWithParam<Ranges> {};

TEST_P(ParallelRanges, EveryIndexExactlyOnce) {
  const auto [threads, count, grain] = GetParam();
  std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
  parallel_ranges(threads, count, grain, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
  });
  for (const auto& times : seen) ASSERT_EQ(times, 1);
}

TEST_P(ParallelRanges, NeverMoreThreadsThanWanted) {
  const auto [threads, count, grain] = GetParam();
  std::atomic<int> now = 0, most = 0;
  parallel_ranges(threads, count, grain, [&](Index, Index) {
    const int running = ++now;
    for (int seen = most; running > seen && !most.compare_exchange_weak(seen, running);) {}
    --now;
  });
  EXPECT_LE(most, threads);
}

INSTANTIATE_TEST_SUITE_P(Table, ParallelRanges,
                         testing::Values(Ranges{1, 1, 1}, Ranges{1, 1000, 1}, Ranges{2, 1, 1}, Ranges{2, 2, 1},
                                         Ranges{2, 1001, 10}, Ranges{3, 1000, 999}, Ranges{4, 1000, 1000},
                                         Ranges{7, 100003, 64}, Ranges{7, 5, 1}, Ranges{16, 4096, 0},
                                         Ranges{64, 10000, 3}));

/// Where more threads could be had than are wanted.
TEST_P(ParallelRanges, TheSameInALargerArena) {
  const auto [threads, count, grain] = GetParam();
  std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
  std::atomic<int> now = 0, most = 0;
  tbb::task_arena(65).execute([&, threads = threads, count = count, grain = grain] {
    parallel_ranges(threads, count, grain, [&](Index begin, Index end) {
      const int running = ++now;
      for (int before = most; running > before && !most.compare_exchange_weak(before, running);) {}
      for (Index i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
      --now;
    });
  });
  for (const auto& times : seen) ASSERT_EQ(times, 1);
  EXPECT_LE(most, threads);
}

void spin(std::chrono::microseconds time) {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < time) {}
}

/// Who waits for the last piece may keep things in its thread: another call must not come in between.
TEST(ParallelRanges, NobodyTakesUpOtherWorkWhileWaiting) {
  const int threads = tbb::this_task_arena::max_concurrency();
  if (threads < 2) GTEST_SKIP() << "one thread waits for nobody";
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> waits = true, helped = false;
  std::atomic<int> left = 20, interrupted = 0;
  const auto other_work = [&] {
    if (waits && std::this_thread::get_id() == caller) ++interrupted;
    --left;
  };
  parallel_ranges(threads, 2, 1, [&](Index, Index) {
    if (std::this_thread::get_id() == caller) {  // until somebody helps
      for (const auto start = std::chrono::steady_clock::now();
           !helped && std::chrono::steady_clock::now() - start < std::chrono::seconds(20);) {}
      return;
    }
    for (int n = left; n > 0; --n) tbb::this_task_arena::enqueue(other_work);
    helped = true;
    spin(std::chrono::milliseconds(20));
  });
  waits = false;
  while (left > 0) std::this_thread::yield();
  EXPECT_TRUE(helped);
  EXPECT_EQ(interrupted, 0);
}

std::vector<std::pair<Index, Index>> pieces(int threads, Index count, Index grain) {
  std::mutex mutex;
  std::vector<std::pair<Index, Index>> out;
  parallel_ranges(threads, count, grain, [&](Index begin, Index end) {
    const std::lock_guard lock(mutex);
    out.emplace_back(begin, end);
  });
  return out;
}

TEST(ParallelRanges, NothingToDo) {
  EXPECT_TRUE(pieces(4, 0, 1).empty());
  EXPECT_TRUE(pieces(4, -5, 1).empty());
}

TEST(ParallelRanges, OneThreadIsOneCallOnTheCallersThread) {
  std::thread::id id;
  parallel_ranges(1, 1 << 20, 1, [&](Index, Index) { id = std::this_thread::get_id(); });
  EXPECT_EQ(id, std::this_thread::get_id());
  EXPECT_EQ(pieces(1, 1 << 20, 1), (std::vector<std::pair<Index, Index>>{{0, 1 << 20}}));
}

TEST(ParallelRanges, LessThanAGrainIsOnePiece) {
  EXPECT_EQ(pieces(8, 100, 100), (std::vector<std::pair<Index, Index>>{{0, 100}}));
}

TEST(ParallelRanges, PiecesHaveAtLeastHalfTheGrain) {
  for (const Index count : {1500, 3000, 10000})
    for (const auto& [begin, end] : pieces(4, count, 1000)) EXPECT_GE(end - begin, 500) << "of " << count;
  tbb::task_arena(65).execute([] {
    for (const Index count : {1500, 3000, 10000})
      for (const auto& [begin, end] : pieces(4, count, 1000)) EXPECT_GE(end - begin, 500) << "of " << count;
  });
}

/// Each piece waits until a second thread has come, for as long as a busy machine may need to start one.
class Meeting {
 public:
  void arrive() {
    std::unique_lock lock(mutex_);
    ids_.insert(std::this_thread::get_id());
    changed_.notify_all();
    if (!given_up_) given_up_ = !changed_.wait_for(lock, std::chrono::seconds(20), [&] { return ids_.size() > 1; });
  }
  std::size_t threads() const { return ids_.size(); }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::thread::id> ids_;
  bool given_up_ = false;
};

TEST(ParallelRanges, SeveralThreadsTakePart) {
  Meeting meeting;
  parallel_ranges(4, 64, 1, [&](Index, Index) { meeting.arrive(); });
  EXPECT_GT(meeting.threads(), 1U);
}

TEST(ParallelRanges, AForkedChildWorksOnOneThread) {
  if (kSanitized) GTEST_SKIP() << "sanitizers do not follow a fork of a process with threads";
  parallel_ranges(4, 64, 1, [](Index, Index) {});  // the parent has its threads
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Index done = 0;
    parallel_ranges(4, 64, 1, [&](Index begin, Index end) { done += end - begin; });
    _exit(done == 64 && thread_count(8, Index{1} << 40) == 1 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(ThreadCount, GrowsWithTheBytes) {
  EXPECT_EQ(thread_count(8, 0), 1);
  EXPECT_EQ(thread_count(8, kBytesPerThread - 1), 1);
  EXPECT_EQ(thread_count(8, 2 * kBytesPerThread), 2);
  EXPECT_EQ(thread_count(8, 1000 * kBytesPerThread), 8);
  EXPECT_EQ(thread_count(1, 1000 * kBytesPerThread), 1);
}

TEST(ThreadCount, ZeroMeansOnePerCore) {
  EXPECT_GE(thread_count(0, Index{1} << 40), 1);
  EXPECT_LE(thread_count(0, Index{1} << 40), static_cast<int>(std::thread::hardware_concurrency()));
  EXPECT_EQ(thread_count(0, 1), 1);
}

}  // namespace
}  // namespace garner
