// A ring for each call under way, or a few where it has many reads: so many reads at a time, into buffers and from a
// file that the kernel has been told of once. Rings are kept for the next call.
#include <liburing.h>

#include <cerrno>
#include <mutex>
#include <vector>

#include "format/file.h"
#include "table/block_reader.h"
#include "tensor/pool.h"

namespace garner {
namespace {

Status refused(const RowFile& file, const char* what, int error) {
  return fail(Code::kUnsupported, "TB8", "open_table: io_uring for {}: {}: {}", file.path(), what,
              format::reason(error));
}

constexpr std::size_t kMostRings = 4;
constexpr std::size_t kReadsOfRing = 1024;  // some 5 ms: below, a second thread is not worth its start

/// One buffer, and the read that is on its way into it.
struct Slot {
  std::size_t read = 0;
  Arrival arrival;
};

class Ring {
 public:
  Ring(const RowFile& file, int depth) : file_(file), bytes_(longest_read(depth)), slots_(std::size_t(depth)) {}
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() {
    if (open_) io_uring_queue_exit(&ring_);
  }

  Status open();
  /// Reads what nobody has begun, `most` at a time.
  void read(ReadQueue& queue, std::size_t most);
  /// Nothing is under way, so that another call may use it.
  bool idle() const { return free_.size() == slots_.size(); }

 private:
  unsigned number(const Slot& slot) const { return static_cast<unsigned>(&slot - slots_.data()); }
  std::byte* buffer(const Slot& slot) const { return static_cast<std::byte*>(buffers_.get()) + number(slot) * bytes_; }
  void register_all();
  void ask(Slot& slot);
  void begin(ReadQueue& queue, std::size_t most);
  void take(ReadQueue& queue, Slot& slot, int answer);
  void take_all(ReadQueue& queue);
  Status wait();

  const RowFile& file_;
  Index bytes_;
  io_uring ring_{};
  bool open_ = false, fixed_file_ = false, fixed_buffers_ = false;
  std::shared_ptr<void> buffers_;
  std::vector<Slot> slots_;
  std::vector<Slot*> free_;
  int in_vain_ = 0;  // waits in a row that the system broke off
};

Status Ring::open() {
  const auto depth = static_cast<unsigned>(slots_.size());
  io_uring_params params{};
  params.flags = IORING_SETUP_COOP_TASKRUN;  // answers wait until we ask; kernels before 5.19 do not know it
  int error = io_uring_queue_init_params(depth, &ring_, &params);
  if (error == -EINVAL) error = io_uring_queue_init(depth, &ring_, 0);
  if (error < 0) return refused(file_, "the system refuses a ring", -error);
  open_ = true;
  // A mapping of its own: should the ring be given up with reads under way, they end in pages that nobody has any more.
  buffers_ = lasting_block(static_cast<std::size_t>(bytes_) * depth);
  if (buffers_ == nullptr)
    return fail(Code::kMemory, "V6", "open_table: the system refuses {} bytes to read into", bytes_ * Index{depth});
  for (Slot& slot : slots_) free_.push_back(&slot);
  register_all();
  return {};
}

/// Saves the kernel a look-up a read. Refused where little memory may be locked: then it looks up.
void Ring::register_all() {
  const int descriptor = file_.descriptor();
  fixed_file_ = io_uring_register_files(&ring_, &descriptor, 1) == 0;
  std::vector<iovec> all;
  for (const Slot& slot : slots_) all.push_back({buffer(slot), static_cast<std::size_t>(bytes_)});
  fixed_buffers_ = io_uring_register_buffers(&ring_, all.data(), static_cast<unsigned>(all.size())) == 0;
}

/// There is an entry for each slot, so that one is always free.
void Ring::ask(Slot& slot) {
  io_uring_sqe* entry = io_uring_get_sqe(&ring_);
  const int file = fixed_file_ ? 0 : file_.descriptor();
  std::byte* const to = buffer(slot) + slot.arrival.got();
  const auto bytes = static_cast<unsigned>(slot.arrival.left());
  const auto at = static_cast<std::uint64_t>(slot.arrival.at());
  if (fixed_buffers_) io_uring_prep_read_fixed(entry, file, to, bytes, at, static_cast<int>(number(slot)));
  else io_uring_prep_read(entry, file, to, bytes, at);
  if (fixed_file_) io_uring_sqe_set_flags(entry, IOSQE_FIXED_FILE);
  io_uring_sqe_set_data64(entry, number(slot));
}

void Ring::begin(ReadQueue& queue, std::size_t most) {
  while (slots_.size() - free_.size() < most) {
    const auto n = queue.take();
    if (!n) return;
    Slot& slot = *free_.back();
    free_.pop_back();
    const BlockRead& read = queue.work().reads[*n];
    slot = {*n, Arrival(read.offset, read.bytes, read.needed, kBlock)};
    ask(slot);
  }
}

/// After a failure nothing more is begun; what is under way comes to its end.
void Ring::take(ReadQueue& queue, Slot& slot, int answer) {
  const auto state = slot.arrival.take(filtered(slot.arrival.at(), answer));
  if (state == Arrival::State::kMore && !queue.failed()) return ask(slot);
  if (state == Arrival::State::kFailed) queue.fail_with(slot.arrival.why(file_.path()));
  else if (state == Arrival::State::kDone && !queue.failed()) queue.work().arrived(slot.read, buffer(slot));
  free_.push_back(&slot);
}

void Ring::take_all(ReadQueue& queue) {
  io_uring_cqe* entry = nullptr;
  while (io_uring_peek_cqe(&ring_, &entry) == 0) {
    Slot& slot = slots_[entry->user_data];
    const int answer = entry->res;
    io_uring_cqe_seen(&ring_, entry);
    in_vain_ = 0;
    take(queue, slot, answer);
  }
}

/// Hands over what was asked for and waits for one answer.
Status Ring::wait() {
  constexpr int kPatience = 10000;
  const int error = io_uring_submit_and_wait(&ring_, 1);
  const bool passing = error == -EINTR || error == -EAGAIN || error == -EBUSY;
  if (error >= 0 || (passing && ++in_vain_ < kPatience)) return {};
  return fail(Code::kSystem, "TB6", "file {}: io_uring cannot go on: {}", file_.path(), format::reason(-error));
}

void Ring::read(ReadQueue& queue, std::size_t most) {
  for (begin(queue, most); !idle(); begin(queue, most)) {
    if (Status status = wait(); !status.ok()) return queue.fail_with(std::move(status));
    take_all(queue);
  }
}

class UringReader final : public BlockReader {
 public:
  UringReader(std::shared_ptr<const RowFile> file, int depth) : file_(std::move(file)), depth_(depth) {}
  const char* name() const override { return "io_uring"; }

  Status read(const BlockWork& work) override {
    GARNER_ASSIGN(std::unique_ptr<Ring> ring, take());
    ReadQueue queue(work);
    const std::size_t rings = rings_for(work), most = std::size_t(depth_) / rings;
    const auto read_by = [&](std::unique_ptr<Ring> one) {
      one->read(queue, most);
      if (one->idle()) give(std::move(one));
    };
    const auto another = [&] {
      if (auto one = take(); one.ok()) read_by(std::move(*one));
    };
    queue.run_on(rings, [&] { read_by(std::move(ring)); }, another);
    return queue.status();
  }

  Result<std::unique_ptr<Ring>> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Ring> ring = std::move(idle_.back());
        idle_.pop_back();
        return ring;
      }
    }
    auto ring = std::make_unique<Ring>(*file_, depth_);
    GARNER_TRY(ring->open());
    return ring;
  }

  void give(std::unique_ptr<Ring> ring) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(ring));
  }

 private:
  /// No more than reads may be under way.
  std::size_t rings_for(const BlockWork& work) const {
    return std::clamp(work.reads.size() / kReadsOfRing, std::size_t{1},
                      std::min({std::size_t(work.threads), std::size_t(depth_), kMostRings}));
  }

  std::shared_ptr<const RowFile> file_;
  int depth_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Ring>> idle_;
};

}  // namespace

Result<std::unique_ptr<BlockReader>> make_uring_reader(std::shared_ptr<const RowFile> file, int depth) {
  auto reader = std::make_unique<UringReader>(std::move(file), depth);
  GARNER_ASSIGN(std::unique_ptr<Ring> ring, reader->take());  // refused now, or not at all
  reader->give(std::move(ring));
  return std::unique_ptr<BlockReader>(std::move(reader));
}

}  // namespace garner
