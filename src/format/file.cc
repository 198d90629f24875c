#include "format/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace garner::format {
namespace {

namespace fs = std::filesystem;

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

/// A name beside the target that nobody else takes: the process and a count are in it.
std::string name_beside(const std::string& target) {
  static std::atomic<unsigned> count = 0;
  return fmt::format("{}.{}-{}.part", target, ::getpid(), count++);
}

std::string folder_of(const std::string& target) {
  const fs::path folder = fs::path(target).parent_path();
  return folder.empty() ? "." : folder.string();
}

/// Where a link leads, so that the link stays one.
std::string followed(const std::string& target) {
  std::error_code none;
  const fs::path real = fs::canonical(target, none);
  return none ? target : real.string();
}

}  // namespace

std::string reason(int error) { return std::generic_category().message(error); }

// ---- Mapping ----

Mapping::~Mapping() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

void Mapping::forget() const {
  // The mapping is of a file and shared, or never written: what is dropped is read again from the file.
  if (data_ != nullptr) ::madvise(data_, bytes_, MADV_DONTNEED);
}

// ---- MappedFile ----

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  // Not blocking: a pipe that nobody writes to would keep us waiting before we can see that it is one.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat about{};
  if (file.number < 0 || ::fstat(file.number, &about) != 0)
    return fail_in(path, Code::kSystem, "F1", "cannot be opened: {}", reason(errno));
  if (!S_ISREG(about.st_mode)) return fail_in(path, Code::kInvalidArgument, "F1", "is not a regular file");
  auto out = std::make_shared<MappedFile>();
  out->path_ = path;
  const auto bytes = static_cast<std::size_t>(about.st_size);
  if (bytes > 0) {
    void* data = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (data == MAP_FAILED) return fail_in(path, Code::kMemory, "F1", "cannot be mapped: {}", reason(errno));
    out->mapping_ = Mapping(data, bytes);
  }
  return std::shared_ptr<const MappedFile>(std::move(out));
}

// ---- NewFile ----

NewFile& NewFile::operator=(NewFile&& other) noexcept {
  std::swap(target_, other.target_);
  std::swap(name_, other.name_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Status NewFile::refused(const char* what) const {
  return fail_in(target_, Code::kInvalidArgument, "F9", "cannot be {}: {}", what, reason(errno));
}

Result<NewFile> NewFile::create(const std::string& target) {
  NewFile out;
  out.target_ = followed(target);
  struct stat about{};
  if (::stat(out.target_.c_str(), &about) == 0 && !S_ISREG(about.st_mode))
    return fail_in(target, Code::kInvalidArgument, "F9", "is there and is not a regular file");
  constexpr int kHow = O_RDWR | O_CLOEXEC;
  out.descriptor_ = ::open(folder_of(out.target_).c_str(), kHow | O_TMPFILE, 0666);
  if (out.descriptor_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    out.name_ = name_beside(out.target_);
    out.descriptor_ = ::open(out.name_.c_str(), kHow | O_CREAT | O_EXCL, 0666);
  }
  if (out.descriptor_ < 0) {
    out.name_.clear();  // not ours
    return out.refused("written");
  }
  return out;
}

Status NewFile::write(const void* data, std::size_t bytes) {
  const auto* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = ::write(descriptor_, at, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return refused("written");
    at += done;
    bytes -= static_cast<std::size_t>(done);
  }
  return {};
}

Result<Mapping> NewFile::map(std::size_t bytes) {
  errno = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes));
  if (errno != 0) return refused("given room");
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (data == MAP_FAILED) return refused("mapped");
  return Mapping(data, bytes);
}

Status NewFile::give_name() {
  if (!name_.empty()) return {};
  const std::string self = fmt::format("/proc/self/fd/{}", descriptor_), name = name_beside(target_);
  if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) return refused("named");
  name_ = name;
  return {};
}

Status NewFile::commit() {
  GARNER_TRY(give_name());
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0) return refused("closed");
  if (::rename(name_.c_str(), target_.c_str()) != 0) return refused("renamed");
  name_.clear();
  return {};
}

void NewFile::discard() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!name_.empty()) ::unlink(std::exchange(name_, {}).c_str());
}

Status write_whole(const std::string& path, std::string_view bytes) {
  GARNER_ASSIGN(NewFile file, NewFile::create(path));
  GARNER_TRY(file.write(bytes.data(), bytes.size()));
  return file.commit();
}

}  // namespace garner::format
