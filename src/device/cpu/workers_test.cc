#include "device/cpu/workers.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace garner {
namespace {

std::vector<int> cores_of(int thread) {
  cpu_set_t set;
  if (sched_getaffinity(thread, sizeof set, &set) != 0) return {};
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  return cores;
}

void put(int thread, const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int core : cores) CPU_SET(core, &set);
  ASSERT_EQ(sched_setaffinity(thread, sizeof set, &set), 0);
}

/// A thread that does what it is told, and waits.
class Thread {
 public:
  Thread() {
    run([this] { number_ = gettid(); });
  }
  ~Thread() {
    ends_ = true;
    thread_.join();
  }
  void run(const std::function<void()>& task) {
    task_ = &task;
    while (task_ != nullptr) std::this_thread::yield();
  }
  int number() const { return number_; }

 private:
  void live() {
    for (; !ends_; std::this_thread::yield())
      if (const auto* task = task_.load()) (*task)(), task_ = nullptr;
  }
  int number_ = 0;
  std::atomic<const std::function<void()>*> task_ = nullptr;
  std::atomic<bool> ends_ = false;
  std::thread thread_{[this] { live(); }};
};

class Workers : public testing::Test {
 protected:
  void SetUp() override {
    if (cores_.size() < 2) GTEST_SKIP() << "one core has nothing to keep off";
    {
      const Helped work;
      helper_.run([&] { work.joins(); });
    }
    put(0, {cores_[0]});
    const Helped work;
    if (cores_of(helper_.number()) == cores_) GTEST_SKIP() << "no virtual machine: threads are woken where it is idle";
  }
  void TearDown() override { put(0, cores_); }

  std::vector<int> without(int core) const {
    std::vector<int> others = cores_;
    std::erase(others, core);
    return others;
  }

  const std::vector<int> cores_ = cores_of(0);
  Thread helper_;
};

TEST_F(Workers, KeepOffTheCallersCore) {
  EXPECT_EQ(cores_of(helper_.number()), without(cores_[0]));
  put(0, {cores_[1]});
  const Helped work;
  EXPECT_EQ(cores_of(helper_.number()), without(cores_[1]));
}

TEST_F(Workers, StayWhereTheyAreWhileOtherWorkIsUnderWay) {
  const Helped under_way;
  put(0, {cores_[1]});
  const Helped work;
  EXPECT_EQ(cores_of(helper_.number()), without(cores_[0]));
}

TEST_F(Workers, AreLeftWhereSomeoneElseHasPutThem) {
  put(helper_.number(), {cores_[0]});
  put(0, {cores_[1]});
  { const Helped work; }
  put(0, {cores_[0]});
  const Helped work;
  EXPECT_EQ(cores_of(helper_.number()), std::vector{cores_[0]});
}

TEST_F(Workers, GoWhereTheyLikeOnceTheyCall) {
  helper_.run([] { const Helped work; });
  EXPECT_EQ(cores_of(helper_.number()), cores_);
}

}  // namespace
}  // namespace garner
