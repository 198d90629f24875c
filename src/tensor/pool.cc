#include "tensor/pool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

#include "garner/tensor.h"

namespace garner {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLarge = std::size_t{1} << 20;  // below this malloc recycles well by itself
constexpr std::size_t kSmall = std::size_t{4} << 10;
constexpr std::size_t kMaxBytes = std::size_t{1} << 62;

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Four classes per power of two: at most 25 % is wasted, and results of nearly one size share blocks.
std::size_t size_class(std::size_t bytes) { return round_up(bytes, std::max(kHugePage, std::bit_floor(bytes) / 4)); }

std::size_t default_limit() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE)) / 8;
}

/// A mapping aligned to 2 MiB: one page more is mapped, and what lies outside is unmapped again.
void* map_block(std::size_t bytes) {
  const std::size_t padded = bytes + kHugePage;
  void* raw = mmap(nullptr, padded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<std::uintptr_t>(raw), block = round_up(begin, kHugePage);
  if (block > begin) munmap(raw, block - begin);
  const std::uintptr_t end = begin + padded, block_end = block + bytes;
  if (end > block_end) munmap(reinterpret_cast<void*>(block_end), end - block_end);
  void* out = reinterpret_cast<void*>(block);
  (void)madvise(out, bytes, MADV_HUGEPAGE);  // a hint: refused on systems without it, and that is fine
  return out;
}

class Pool {
 public:
  void* take(std::size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      stats_.used_bytes += bytes;
      auto& blocks = idle_[bytes];
      if (!blocks.empty()) {
        void* block = blocks.back();
        blocks.pop_back();
        stats_.idle_bytes -= bytes;
        ++stats_.hits;
        return block;
      }
      ++stats_.misses;
    }
    void* block = map_block(bytes);
    if (block == nullptr) forget(bytes);
    return block;
  }

  void give(void* block, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    stats_.used_bytes -= bytes;
    if (stats_.idle_bytes + bytes > limit_) {
      munmap(block, bytes);
      return;
    }
    idle_[bytes].push_back(block);
    stats_.idle_bytes += bytes;
  }

  void release() {
    const std::lock_guard lock(mutex_);
    for (auto& [bytes, blocks] : idle_)
      for (void* block : blocks) munmap(block, bytes);
    idle_.clear();
    stats_.idle_bytes = 0;
  }

  void set_limit(std::size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      limit_ = bytes;
      if (stats_.idle_bytes <= limit_) return;
    }
    release();
  }

  PoolStats stats() {
    const std::lock_guard lock(mutex_);
    return stats_;
  }

 private:
  void forget(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    stats_.used_bytes -= bytes;
  }

  std::mutex mutex_;
  std::map<std::size_t, std::vector<void*>> idle_;
  PoolStats stats_{};
  std::size_t limit_ = default_limit();
};

/// Never destroyed: tensors in static variables may outlive every other static.
Pool& pool() {
  static Pool* const instance = new Pool;
  return *instance;
}

/// malloc() keeps blocks of this size at hand, aligned_alloc() does not: a small call would feel it.
std::shared_ptr<void> small_block(std::size_t bytes) {
  void* block = std::malloc(round_up(std::max<std::size_t>(bytes, 1), 64) + 64);  // vectors may read a line of none
  if (block == nullptr) return nullptr;
  const auto aligned = round_up(reinterpret_cast<std::uintptr_t>(block), 64);
  return {reinterpret_cast<void*>(aligned), [block](void*) { std::free(block); }};
}

}  // namespace

std::shared_ptr<void> pool_allocate(std::size_t bytes) {
  if (bytes > kMaxBytes) return nullptr;
  if (bytes < kSmall) return small_block(bytes);
  if (bytes < kLarge) return {std::aligned_alloc(64, round_up(bytes, 64)), std::free};
  const std::size_t rounded = size_class(bytes);
  void* block = pool().take(rounded);
  if (block == nullptr) return nullptr;
  return {block, [rounded](void* p) { pool().give(p, rounded); }};
}

std::shared_ptr<void> lasting_block(std::size_t bytes) {
  if (bytes > kMaxBytes) return nullptr;
  const std::size_t rounded = round_up(std::max<std::size_t>(bytes, 1), kHugePage);
  void* block = map_block(rounded);
  if (block == nullptr) return nullptr;
  return {block, [rounded](void* p) { munmap(p, rounded); }};
}

PoolStats pool_stats() { return pool().stats(); }
void set_pool_limit(std::size_t bytes) { pool().set_limit(bytes); }
void release_pool() { pool().release(); }

}  // namespace garner
