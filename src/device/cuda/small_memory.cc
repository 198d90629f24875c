#include "device/cuda/small_memory.h"

#include <algorithm>
#include <bit>

namespace garner {

Index SmallMemory::rounded(Index bytes) {
  return static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(std::max(bytes, kSmallest))));
}

std::vector<void*>& SmallMemory::idle(Index bytes) {
  return idle_[static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(rounded(bytes) / kSmallest)))];
}

void* SmallMemory::take(Index bytes) {
  const std::scoped_lock lock(mutex_);
  auto& pieces = idle(bytes);
  if (pieces.empty()) return nullptr;
  void* piece = pieces.back();
  pieces.pop_back();
  return piece;
}

bool SmallMemory::give(void* piece, Index bytes) {
  const std::scoped_lock lock(mutex_);
  auto& pieces = idle(bytes);
  if (pieces.size() == kMostIdle) return false;
  pieces.push_back(piece);
  return true;
}

}  // namespace garner
