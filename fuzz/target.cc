#include "fuzz/target.h"

#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace garner::fuzz {
namespace {

/// A text of a few bytes may ask for a result of any size. The system is said to have no more than this.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

}  // namespace

void require(bool promise, const char* text) {
  if (promise) return;
  std::fprintf(stderr, "broken promise: %s\n", text);
  std::abort();
}

void require_sound(const Status& status) {
  if (status.ok()) return;
  require(!status.rule.empty() && !status.message.empty(), "an error has a rule and a message");
  require(status.message.find('\n') == std::string::npos, "an error is one line");
}

void touch(const View& view) {
  const auto copy = contiguous(view);
  require_sound(copy.status());
  if (!copy.ok()) return;
  volatile unsigned char last = 0;
  for (Index i = 0; i < copy->bytes(); ++i) last = static_cast<const unsigned char*>(copy->data())[i];
  (void)last;
}

MemoryFile::MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
  const bool written = ::write(descriptor_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  require(written, "the fuzzer has memory for its own files");
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

}  // namespace garner::fuzz

// Large results come from mmap (src/tensor/pool.cc), small ones from malloc; the linker sends the former here
// (-Wl,--wrap=mmap).
extern "C" void* __real_mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset);
extern "C" void* __wrap_mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  if (bytes <= garner::fuzz::kMostBytes) return __real_mmap(at, bytes, protection, flags, file, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}

extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1:max_allocation_size_mb=64"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  garner::fuzz::test_one({reinterpret_cast<const char*>(data), size});
  return 0;
}
