// Put before a program with LD_PRELOAD, this makes reads go wrong as GARNER_READS says: "eio", "eintr" (every other
// one), "short" (every other one brings a part), "end" (nothing comes). Any other value: as they are.
#include <dlfcn.h>
#include <sys/types.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace {

using Read = ssize_t (*)(int, void*, std::size_t, off_t);

ssize_t failed(int error) {
  errno = error;
  return -1;
}

ssize_t worse(Read read, int file, void* to, std::size_t bytes, off_t at) {
  static std::atomic<unsigned> calls = 0;
  const char* how = std::getenv("GARNER_READS");
  const bool now = how != nullptr && calls++ % 2 == 0;
  if (how != nullptr && std::strcmp(how, "eio") == 0) return failed(EIO);
  if (how != nullptr && std::strcmp(how, "end") == 0) return 0;
  if (now && std::strcmp(how, "eintr") == 0) return failed(EINTR);
  if (now && std::strcmp(how, "short") == 0) bytes = bytes > 4096 ? 4096 : bytes;
  return read(file, to, bytes, at);
}

}  // namespace

extern "C" {
ssize_t pread(int file, void* to, std::size_t bytes, off_t at) {
  static const auto real = reinterpret_cast<Read>(dlsym(RTLD_NEXT, "pread"));
  return worse(real, file, to, bytes, at);
}
ssize_t pread64(int file, void* to, std::size_t bytes, off_t at) {
  static const auto real = reinterpret_cast<Read>(dlsym(RTLD_NEXT, "pread64"));
  return worse(real, file, to, bytes, at);
}
}
