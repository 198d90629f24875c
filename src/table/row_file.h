// A file that is read at given places for as long as a table lives.
#pragma once
#include <sys/types.h>

#include <memory>
#include <string>

#include "base/fail.h"
#include "garner/axes.h"

namespace garner {

/// What reads around the page cache begin and end at: the largest logical block of a disk.
inline constexpr Index kBlock = 4096;

class Arrival;

/// Memory that begins at a block; null when the system has none.
std::shared_ptr<std::byte> block_buffer(Index bytes);

class RowFile {
 public:
  /// Rule F1: it cannot be opened, or is no regular file.
  static Result<std::shared_ptr<RowFile>> open(const std::string& path);
  RowFile(std::string path, int descriptor, Index bytes)
      : path_(std::move(path)), descriptor_(descriptor), bytes_(bytes) {}
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;
  ~RowFile();

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  Index bytes() const { return bytes_; }  // when it was opened

  /// Bytes [offset, offset + bytes). Rules TB6, TB7.
  Status read(Index offset, std::byte* to, Index bytes) const;
  Status read(Arrival arrival, std::byte* to) const;

  /// Around the page cache from now on, where the file system allows: then every read is of whole blocks, into memory
  /// that begins at one. False: it does not, and reads stay as they were.
  bool go_direct();

 private:
  std::string path_;
  int descriptor_;
  Index bytes_;
};

/// A stretch of a file on its way to memory, in as many answers of the system as it takes.
class Arrival {
 public:
  enum class State { kMore, kDone, kFailed };

  Arrival() = default;
  /// Of the `bytes` asked for, `needed` must come; the file may end behind them.
  Arrival(Index offset, Index bytes, Index needed, Index unit)
      : offset_(offset), bytes_(bytes), needed_(needed), unit_(unit) {}

  /// What to ask the system for next.
  Index at() const { return offset_ + got_; }
  Index left() const { return bytes_ - got_; }
  Index got() const { return got_; }

  /// Its answer: so many bytes, or -errno. What it interrupts or cuts short is asked for again, from a whole block on.
  State take(ssize_t answer);
  /// Rules TB6 the system refuses, TB7 the file has become shorter.
  Status why(const std::string& path) const;

 private:
  State wait();

  Index offset_ = 0, bytes_ = 0, needed_ = 0, unit_ = 1;
  Index got_ = 0, reached_ = 0;
  int error_ = 0, in_vain_ = 0;
};

/// Tests make the system's answers worse than they are: what is returned is taken instead.
using AnswerFilter = ssize_t (*)(Index offset, ssize_t answer);
inline AnswerFilter& answer_filter_for_tests() {
  static AnswerFilter filter = nullptr;
  return filter;
}
inline ssize_t filtered(Index offset, ssize_t answer) {
  const AnswerFilter filter = answer_filter_for_tests();
  return filter == nullptr ? answer : filter(offset, answer);
}

}  // namespace garner
