// What the fuzz targets share. A target feeds bytes to one reader and dies when a promise is broken; being refused with
// a Status is what most inputs deserve.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "garner/tensor.h"

namespace garner::fuzz {

/// Stops the run with the input as the finding, unless the promise holds. A message must be one line with a rule.
void require(bool promise, const char* text);
void require_sound(const Status& status);

/// Reads every element, so that a view into memory that is not there is noticed.
void touch(const View& view);

/// The bytes as a file, without a disk. Its path is good as long as it lives.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();
  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

/// The target: defined once in each program.
void test_one(std::string_view bytes);

}  // namespace garner::fuzz
