#include "table/row_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "format/file.h"

namespace garner {
namespace {

/// Answers in a row that bring nothing, before a file is given up: nothing may hang.
constexpr int kPatience = 100;

ssize_t read_once(int descriptor, std::byte* to, const Arrival& arrival) {
  const ssize_t answer =
      ::pread(descriptor, to + arrival.got(), static_cast<std::size_t>(arrival.left()), arrival.at());
  return filtered(arrival.at(), answer < 0 ? -errno : answer);
}

}  // namespace

std::shared_ptr<std::byte> block_buffer(Index bytes) {
  const auto whole = static_cast<std::size_t>((bytes + kBlock - 1) / kBlock * kBlock);
  return {static_cast<std::byte*>(std::aligned_alloc(static_cast<std::size_t>(kBlock), whole)), std::free};
}

// ---- Arrival ----

Arrival::State Arrival::wait() { return ++in_vain_ < kPatience ? State::kMore : State::kFailed; }

Arrival::State Arrival::take(ssize_t answer) {
  error_ = answer < 0 ? static_cast<int>(-answer) : 0;
  if (error_ == EINTR || error_ == EAGAIN) return wait();
  if (answer < 0) return State::kFailed;
  reached_ = got_ + answer;
  if (reached_ >= needed_) return State::kDone;
  if (answer == 0) return State::kFailed;
  const Index whole = reached_ / unit_ * unit_;
  if (whole == got_) return wait();
  got_ = whole;
  in_vain_ = 0;
  return State::kMore;
}

Status Arrival::why(const std::string& path) const {
  if (error_ != 0)
    return format::fail_in(path, Code::kSystem, "TB6", "cannot be read at offset {}: {}", at(), format::reason(error_));
  return format::fail_in(path, Code::kSystem, "TB7",
                         "ends at offset {}, allowed {} and more: it has become shorter since it was opened",
                         offset_ + reached_, offset_ + needed_);
}

// ---- RowFile ----

Result<std::shared_ptr<RowFile>> RowFile::open(const std::string& path) {
  // Not blocking: a pipe that nobody writes to would keep us waiting before we can see that it is one.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return format::fail_in(path, Code::kSystem, "F1", "cannot be opened: {}", format::reason(errno));
  auto file = std::make_shared<RowFile>(path, descriptor, 0);
  struct stat about{};
  if (::fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode))
    return format::fail_in(path, Code::kInvalidArgument, "F1", "is not a regular file");
  (void)::fcntl(descriptor, F_SETFL, O_RDONLY);  // from here on reads wait
  file->bytes_ = about.st_size;
  return file;
}

RowFile::~RowFile() { ::close(descriptor_); }

Status RowFile::read(Index offset, std::byte* to, Index bytes) const {
  return bytes == 0 ? Status{} : read(Arrival(offset, bytes, bytes, 1), to);
}

Status RowFile::read(Arrival arrival, std::byte* to) const {
  auto state = Arrival::State::kMore;
  while (state == Arrival::State::kMore) state = arrival.take(read_once(descriptor_, to, arrival));
  return state == Arrival::State::kDone ? Status{} : arrival.why(path_);
}

bool RowFile::go_direct() {
  const int flags = ::fcntl(descriptor_, F_GETFL);
  if (flags < 0 || ::fcntl(descriptor_, F_SETFL, flags | O_DIRECT) != 0) return false;
  // Some take the flag and refuse the reads.
  const auto block = block_buffer(kBlock);
  if (block != nullptr && (bytes_ == 0 || ::pread(descriptor_, block.get(), kBlock, 0) >= 0)) return true;
  (void)::fcntl(descriptor_, F_SETFL, flags);
  return false;
}

}  // namespace garner
