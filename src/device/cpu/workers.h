// Where the threads that help wake up.
#pragma once

namespace garner {

/// Work that is given to threads which may be asleep, as long as it lives. In a virtual machine the system cannot tell
/// whether another core is idle; it wakes them on the caller's own, where they wait for milliseconds until the caller
/// pauses. So those that have helped before are kept off the core of whoever calls, unless other work is under way.
/// Threads whose cores someone else has set since are left alone; GARNER_AFFINITY=keep in the environment leaves all of
/// them alone.
class Helped {
 public:
  Helped();
  Helped(const Helped&) = delete;
  Helped& operator=(const Helped&) = delete;
  ~Helped();

  /// Called by every thread that does some of the work.
  void joins() const;

 private:
  int caller_;
};

}  // namespace garner
