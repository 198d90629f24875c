// Which elements are not zero, as a map of bytes, and the positions behind it in two passes: count, then fill.
#pragma once
#include "index/memory.h"

namespace garner::index {

/// One byte, 0 or 1, per element in row-major order, and how many ones stand before each block of kBlock.
struct TruthMap {
  static constexpr Index kBlock = 4096;
  Tensor bytes;
  Axes before;  // one entry per block, and the total at the end
  Index count() const { return before.back(); }
  Index elements() const { return bytes.elements(); }
  const std::uint8_t* data() const { return bytes.as<std::uint8_t>(); }
};

/// Of any dtype with any strides: an element is true when it is not zero, so NaN is and -0 is not.
Result<TruthMap> truth_of(const View& view, const char* op, const RunOptions& run);

/// out[i] = truth(view[i]), row-major.
void write_truth(const View& view, std::uint8_t* out, const RunOptions& run);

/// The positions j in [0, n), n <= kBlock, with bytes[j] != 0; returns how many. `out` has room for kBlock + 64.
Index positions_in_block(const std::uint8_t* bytes, Index n, std::uint32_t* out);

/// f(number of the first one, their flat positions) block by block, on several threads.
using Positions = std::span<const Index>;
void for_each_true(const TruthMap& map, const RunOptions& run, const std::function<void(Index, Positions)>& f);

}  // namespace garner::index
