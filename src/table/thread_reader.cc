// One read a thread at a time, where there is no io_uring. Threads live as long as the call: a disk takes longer to
// answer than a thread to start.
#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>

#include "table/block_reader.h"

namespace garner {
namespace {

/// More threads than this wait for each other rather than for the disk.
constexpr std::size_t kMostThreads = 64;

/// What the threads of one call share.
struct Shared {
  Shared(const RowFile& from, const BlockWork& what) : file(from), work(what) {}
  const RowFile& file;
  const BlockWork& work;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::mutex mutex;
  Status first;  // that failed, under the mutex

  void fail_with(Status status) {
    const std::lock_guard lock(mutex);
    if (first.ok()) first = std::move(status);
    failed = true;
  }
};

/// Reads whatever nobody has begun, until nothing is left.
void read_some(Shared& shared, Index bytes) {
  const auto buffer = block_buffer(bytes);
  if (buffer == nullptr)
    return shared.fail_with(fail(Code::kMemory, "V6", "gather: the system refuses {} bytes to read into", bytes));
  while (!shared.failed) {
    if (shared.work.stop.stop_requested()) return shared.fail_with(called_off());
    const std::size_t n = shared.next++;
    if (n >= shared.work.reads.size()) return;
    const BlockRead& read = shared.work.reads[n];
    Status status = shared.file.read(Arrival(read.offset, read.bytes, read.needed, kBlock), buffer.get());
    if (!status.ok()) return shared.fail_with(std::move(status));
    shared.work.arrived(n, buffer.get());
  }
}

class ThreadReader final : public BlockReader {
 public:
  ThreadReader(std::shared_ptr<const RowFile> file, int depth) : file_(std::move(file)), depth_(depth) {}
  const char* name() const override { return "threads"; }

  Status read(const BlockWork& work) override {
    Shared shared(*file_, work);
    {
      std::vector<std::jthread> threads;
      start_others(threads, shared);
      read_some(shared, longest_read(depth_));
    }
    return shared.first;
  }

 private:
  /// As many as the system lets us have: the caller's thread reads, too.
  void start_others(std::vector<std::jthread>& threads, Shared& shared) const {
    const std::size_t most = std::min({shared.work.reads.size(), static_cast<std::size_t>(depth_), kMostThreads});
    try {
      while (threads.size() + 1 < most) threads.emplace_back([&] { read_some(shared, longest_read(depth_)); });
    } catch (const std::system_error&) {}
  }

  std::shared_ptr<const RowFile> file_;
  int depth_;
};

}  // namespace

Status called_off() { return fail(Code::kSystem, "TB9", "gather: called off before its rows were read"); }

std::unique_ptr<BlockReader> make_thread_reader(std::shared_ptr<const RowFile> file, int depth) {
  return std::make_unique<ThreadReader>(std::move(file), depth);
}

}  // namespace garner
