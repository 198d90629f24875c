// Many blocks of a file at once: by io_uring, or by threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>

#include "table/row_file.h"

namespace garner {

/// Whole blocks of a file, of which the first `needed` bytes must be there: the file may end behind them.
struct BlockRead {
  Index offset, bytes, needed;
};

struct BlockWork {
  std::span<const BlockRead> reads;
  /// Read number `n` lies at `data` until this returns. Called on several threads at once, in any order.
  std::function<void(std::size_t n, const std::byte* data)> arrived;
  std::stop_token stop = {};
  int threads = 1;  // that may be busy at once; threads that only wait are not counted
};

/// What the threads of one call share: the reads that nobody has begun, and the first failure, after which there are
/// none.
class ReadQueue {
 public:
  explicit ReadQueue(const BlockWork& work) : work_(work) {}
  const BlockWork& work() const { return work_; }
  /// A read to begin. None: all are begun, something failed, or the call is called off.
  std::optional<std::size_t> take();
  void fail_with(Status status);
  bool failed() const { return failed_; }
  /// mine() on this thread, and others() on as many more as the system lets us have, up to so many in all; returns when
  /// all have ended. Memory that runs out in one of them is a failure.
  void run_on(std::size_t threads, const std::function<void()>& mine, const std::function<void()>& others);
  /// When the threads have ended.
  const Status& status() const { return first_; }

 private:
  const BlockWork& work_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  Status first_;  // that failed
};

class BlockReader {
 public:
  virtual ~BlockReader() = default;
  virtual const char* name() const = 0;
  /// Safe on several threads. When it returns nothing is under way any more, whatever happened. Rules TB6, TB7, TB9
  /// called off, V6.
  virtual Status read(const BlockWork& work) = 0;
};

/// The longest read. All buffers together are 4 MiB, which the system lets anyone lock (RLIMIT_MEMLOCK is 8 MiB), but
/// for depths at which that would be less than four blocks each.
inline Index longest_read(int depth) {
  constexpr Index kTogether = Index{4} << 20, kLeast = 4 * kBlock, kMost = Index{256} << 10;
  return std::clamp(kTogether / depth / kBlock * kBlock, kLeast, kMost);
}

/// Rule TB9.
Status called_off();

/// Rule TB8: this system, or this library, has no io_uring.
Result<std::unique_ptr<BlockReader>> make_uring_reader(std::shared_ptr<const RowFile> file, int depth);
std::unique_ptr<BlockReader> make_thread_reader(std::shared_ptr<const RowFile> file, int depth);

}  // namespace garner
