// Memory for results. A large fresh result costs 3-9x its copy in page faults (docs/adr/0004-result-pool.md), so large
// blocks are kept for the next result of their size class, sit on 2-MiB pages where the system allows, and are given
// back to the system when more than the limit lies idle.
#pragma once
#include <cstddef>
#include <memory>

namespace garner {

struct PoolStats {
  std::size_t idle_bytes, used_bytes, hits, misses;
};

/// At least `bytes` bytes aligned to 64 (2 MiB for blocks of 1 MiB and more); null when the system has none.
std::shared_ptr<void> pool_allocate(std::size_t bytes);

/// Memory for long: so many bytes on 2-MiB pages where the system allows, which go back to it at the end; null when it
/// has none.
std::shared_ptr<void> lasting_block(std::size_t bytes);

PoolStats pool_stats();

/// Idle blocks beyond this many bytes go back to the system at once. Default: an eighth of the machine's memory.
void set_pool_limit(std::size_t bytes);

}  // namespace garner
