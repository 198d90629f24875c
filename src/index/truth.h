// Which elements are not zero, as a map of bits, and the positions behind it in two passes: count, then fill.
#pragma once
#include "index/memory.h"

namespace garner::index {

/// One bit per element in row-major order, and how many ones stand before each block of kBlock elements.
struct TruthMap {
  static constexpr Index kBlock = 4096;
  static constexpr Index kBlockWords = kBlock / 64;
  Index elements = 0;
  std::shared_ptr<void> words;  // u64; the bits behind the last element are 0
  Axes before;                  // one entry per block, and the total at the end
  Index count() const { return before.back(); }
  Index blocks() const { return static_cast<Index>(before.size()) - 1; }
  const std::uint64_t* block(Index b) const { return static_cast<const std::uint64_t*>(words.get()) + b * kBlockWords; }
};

/// Of any dtype with any strides: an element is true when it is not zero, so NaN is and -0 is not.
Result<TruthMap> truth_of(const View& view, const char* op, const RunOptions& run);

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

/// Elements [first, first + n) to bits, 64 a word; returns how many are true.
Index set_bits(const BitSource& source, Index first, Index n, std::uint64_t* words);

}  // namespace garner::index
