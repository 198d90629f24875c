// Small pieces of a device's memory that were given back, for whoever next wants as many bytes on the same stream:
// there, what is done with them comes after all that was done with them before. Asking the runtime takes longer than to
// start a kernel.
#pragma once
#include <array>
#include <mutex>
#include <vector>

#include "garner/axes.h"

namespace garner {

/// Of one stream.
class SmallMemory {
 public:
  static constexpr Index kSmallest = 256, kLargest = 64 << 10;
  static constexpr std::size_t kMostIdle = 32;  // of one size: 4 MiB of all sizes together

  /// So many bytes must be had, so that the piece may be given here.
  static Index rounded(Index bytes);

  /// Null: there is none of that size.
  void* take(Index bytes);
  /// False: enough of that size are here.
  bool give(void* piece, Index bytes);

 private:
  std::vector<void*>& idle(Index bytes);

  static constexpr std::size_t kSizes = 9;
  std::mutex mutex_;
  std::array<std::vector<void*>, kSizes> idle_;
};

}  // namespace garner
