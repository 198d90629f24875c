// One read a thread at a time, where there is no io_uring. Threads live as long as the call: a disk takes longer to
// answer than a thread to start.
#include "table/block_reader.h"

namespace garner {
namespace {

/// More threads than this wait for each other rather than for the disk.
constexpr std::size_t kMostThreads = 64;

/// Reads whatever nobody has begun, until nothing is left.
void read_some(const RowFile& file, ReadQueue& queue, Index bytes) {
  const auto buffer = block_buffer(bytes);
  if (buffer == nullptr)
    return queue.fail_with(fail(Code::kMemory, "V6", "gather: the system refuses {} bytes to read into", bytes));
  while (const auto n = queue.take()) {
    const BlockRead& read = queue.work().reads[*n];
    Status status = file.read(Arrival(read.offset, read.bytes, read.needed, kBlock), buffer.get());
    if (!status.ok()) return queue.fail_with(std::move(status));
    queue.work().arrived(*n, buffer.get());
  }
}

class ThreadReader final : public BlockReader {
 public:
  ThreadReader(std::shared_ptr<const RowFile> file, int depth) : file_(std::move(file)), depth_(depth) {}
  const char* name() const override { return "threads"; }

  Status read(const BlockWork& work) override {
    ReadQueue queue(work);
    const auto read = [&] { read_some(*file_, queue, longest_read(depth_)); };
    queue.run_on(std::min({work.reads.size(), static_cast<std::size_t>(depth_), kMostThreads}), read, read);
    return queue.status();
  }

 private:
  std::shared_ptr<const RowFile> file_;
  int depth_;
};

}  // namespace

std::unique_ptr<BlockReader> make_thread_reader(std::shared_ptr<const RowFile> file, int depth) {
  return std::make_unique<ThreadReader>(std::move(file), depth);
}

}  // namespace garner
