// How much memory a table may take.
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "table/memory.h"

namespace garner {
namespace {

constexpr Index kNoLimit = std::numeric_limits<Index>::max();

/// A line "name: number kB" of /proc, in bytes.
Index line_of(const char* file, const std::string& name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(name)) return std::strtoll(line.c_str() + name.size(), nullptr, 10) * 1024;
  return kNoLimit;
}

Index left_of_address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  return std::max<Index>(0, static_cast<Index>(limit.rlim_cur) - line_of("/proc/self/status", "VmSize:"));
}

/// The number a file begins with; "max", which is no number, and no file are no limit.
Index number_in(const std::string& file) {
  std::ifstream in(file);
  Index number = 0;
  return in >> number ? number : kNoLimit;
}

/// What its memory group may still take, of both kinds of groups. A container sees its own group as the root.
Index left_of_group() {
  const std::string root = "/sys/fs/cgroup/";
  const Index most = std::min(number_in(root + "memory.max"), number_in(root + "memory/memory.limit_in_bytes"));
  if (most == kNoLimit) return kNoLimit;
  const Index used = std::min(number_in(root + "memory.current"), number_in(root + "memory/memory.usage_in_bytes"));
  return used == kNoLimit ? most : std::max<Index>(0, most - used);
}

}  // namespace

Index free_memory() {
  return std::min({line_of("/proc/meminfo", "MemAvailable:"), left_of_address_space(), left_of_group()});
}

}  // namespace garner
