// Which elements are not zero: found and counted, as positions or bits, in one pass, written in another.
#pragma once
#include "index/memory.h"

namespace garner::index {

/// Where the ones are, block by block in row-major order, and how many stand before each block: positions in the block
/// where there are few, a bit an element where there are more.
struct TruthMap {
  static constexpr Index kBlock = 4096;
  static constexpr Index kBlockWords = kBlock / 64;
  static constexpr Index kFew = kBlock / 8;           // twice the memory of the bits
  static constexpr Index kBlockBytes = 2 * kFew;
  Index elements = 0;
  std::shared_ptr<void> memory;
  Axes start;   // of each block in it, in bytes
  Axes before;  // one entry per block, and the total at the end
  Index ones(Index b) const { return before[static_cast<std::size_t>(b + 1)] - before[static_cast<std::size_t>(b)]; }
  Index count() const { return before.back(); }
  Index blocks() const { return static_cast<Index>(before.size()) - 1; }
  const std::byte* block(Index b) const {
    return static_cast<const std::byte*>(memory.get()) + start[static_cast<std::size_t>(b)];
  }
};

/// Of any dtype with any strides: an element is true when it is not zero, so NaN is and -0 is not.
Result<TruthMap> truth_of(const View& view, const char* op, const RunOptions& run);

/// How many elements are true.
Result<Index> count_true(const View& view, const char* op, const RunOptions& run);

/// out[i] = truth(view[i]), row-major.
void write_truth(const View& view, std::uint8_t* out, const RunOptions& run);

/// Elements of 1, 2, 4 or 8 bytes behind one another; one is true when it has a bit in common with `mask`.
struct BitSource {
  const void* data;
  int width;
  std::uint64_t mask;
};

/// The bits one of which is set in every element but zero, again and again through 8 bytes; of c128, in each half.
std::uint64_t truth_mask(DType dtype);

/// Of one block: its bits, 64 a word and 0 behind the last element, and the first kFew positions of ones, with room for
/// those of a word behind them.
struct BlockTruth {
  std::uint64_t words[TruthMap::kBlockWords];
  std::uint16_t positions[TruthMap::kFew + 64];
};

/// Elements [first, first + n); returns how many are true. The positions are there unless more than kFew are
/// `expected`.
Index find_block(const BitSource& source, Index first, Index n, Index expected, BlockTruth& out);

}  // namespace garner::index
