#include "device/cpu/workers.h"

#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace garner {
namespace {

bool is_virtual_machine() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kHypervisor = 1U << 31;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & kHypervisor) != 0;
#else
  return false;
#endif
}

bool may_move() {
  static const bool may = [] {
    const char* wanted = std::getenv("GARNER_AFFINITY");
    return is_virtual_machine() && (wanted == nullptr || std::strcmp(wanted, "keep") != 0);
  }();
  return may;
}

/// A thread that has helped, and the cores it may run on: at first, and since we last said so.
struct Helper {
  int thread;
  cpu_set_t home, given;
};

struct Helpers {
  static constexpr std::size_t kMost = 32;  // more are not woken one by one, nor all on one core
  std::mutex mutex;
  std::vector<Helper> all;
  int left_out = -1;  // the core they keep off
  std::atomic<int> works = 0;  // under way
};
Helpers& helpers() {
  static Helpers* const known = new Helpers;  // threads end when they like
  return *known;
}

bool still_has(const Helper& helper) {
  cpu_set_t now;
  return sched_getaffinity(helper.thread, sizeof now, &now) == 0 && CPU_EQUAL(&now, &helper.given);
}

/// False: its cores are somebody else's business.
bool keep_off(Helper& helper, int core) {
  if (!still_has(helper)) return false;
  cpu_set_t others = helper.home;
  CPU_CLR(core, &others);
  if (CPU_COUNT(&others) == 0) others = helper.home;
  helper.given = others;
  return sched_setaffinity(helper.thread, sizeof others, &others) == 0;
}

/// Under the mutex.
void forget(int thread, bool goes_home) {
  std::erase_if(helpers().all, [&](const Helper& h) {
    if (h.thread == thread && goes_home && still_has(h)) sched_setaffinity(thread, sizeof h.home, &h.home);
    return h.thread == thread;
  });
}

int this_thread_number() {
  thread_local const int number = gettid();
  return number;
}

/// Known for as long as it lives: another thread may have its number then.
struct Known {
  Known() {
    Helper self{this_thread_number(), {}, {}};
    if (sched_getaffinity(0, sizeof self.home, &self.home) != 0 || CPU_COUNT(&self.home) < 2) return;
    self.given = self.home;
    const std::scoped_lock lock(helpers().mutex);
    if (helpers().all.size() >= Helpers::kMost) return;
    helpers().all.push_back(self);
    helpers().left_out = -1;
  }
  Known(const Known&) = delete;
  Known& operator=(const Known&) = delete;
  ~Known() {
    const std::scoped_lock lock(helpers().mutex);
    forget(this_thread_number(), false);
  }
};

void keep_all_off(int core) {
  const std::unique_lock lock(helpers().mutex, std::try_to_lock);
  if (!lock || core < 0 || core == helpers().left_out) return;
  forget(this_thread_number(), true);  // who calls is no helper
  std::erase_if(helpers().all, [&](Helper& h) { return !keep_off(h, core); });
  helpers().left_out = core;
}

}  // namespace

Helped::Helped() : caller_(this_thread_number()) {
  if (helpers().works++ == 0 && may_move()) keep_all_off(sched_getcpu());
}

Helped::~Helped() { --helpers().works; }

void Helped::joins() const {
  if (!may_move() || this_thread_number() == caller_) return;
  thread_local const Known known;
}

}  // namespace garner
