// The two kinds of files: one that is there and is looked at, and one that is new and is there only when complete.
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/fail.h"
#include "garner/axes.h"
#include "garner/keeper.h"

namespace garner::format {

using Bytes = std::span<const std::byte>;

/// "file d.npy: …": how every message about a file begins.
template <class... Args>
Status fail_in(const std::string& path, Code code, std::string rule, fmt::format_string<Args...> text, Args&&... args) {
  return fail(code, std::move(rule), "file {}: {}", path, fmt::format(text, std::forward<Args>(args)...));
}

/// "Input/output error": the system's words for an errno.
std::string reason(int error);

/// Bytes of a mapping that is undone at the end.
class Mapping {
 public:
  Mapping() = default;
  Mapping(void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  Mapping(Mapping&& other) noexcept { swap(other); }
  Mapping& operator=(Mapping&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Mapping();

  std::byte* data() const { return static_cast<std::byte*>(data_); }
  std::size_t bytes() const { return bytes_; }
  void forget() const;

 private:
  void swap(Mapping& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A whole file, read-only. Rule F1: it cannot be opened or mapped, or is no regular file.
class MappedFile final : public Keeper {
 public:
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);

  const std::string& path() const { return path_; }
  Bytes bytes() const { return {mapping_.data(), mapping_.bytes()}; }
  void forget() const override { mapping_.forget(); }

 private:
  std::string path_;
  Mapping mapping_;
};

/// A file without a name in the target's folder, so that nothing is left of it even when the process is killed; where
/// the file system has no such files, one with a name that is removed unless committed. Rule F9.
class NewFile {
 public:
  static Result<NewFile> create(const std::string& target);
  NewFile(NewFile&& other) noexcept { *this = std::move(other); }
  NewFile& operator=(NewFile&& other) noexcept;
  ~NewFile() { discard(); }

  const std::string& target() const { return target_; }
  int descriptor() const { return descriptor_; }
  Status write(const void* data, std::size_t bytes);
  /// Room for so many bytes, so that writing through the mapping cannot fail for want of it.
  Result<Mapping> map(std::size_t bytes);
  /// Takes the target's place.
  Status commit();

 private:
  NewFile() = default;
  Status refused(const char* what) const;
  Status give_name();
  void discard();

  std::string target_, name_;  // no name: unnamed so far
  int descriptor_ = -1;
};

/// A file of these bytes, there only when complete. Rule F9.
Status write_whole(const std::string& path, std::string_view bytes);

}  // namespace garner::format
