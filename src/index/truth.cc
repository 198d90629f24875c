#include "index/truth.h"

#include <atomic>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/fail.h"
#include "device/cpu/prefetch.h"
#include "index/order.h"
#include "index/runs.h"
#include "tensor/pool.h"
#include "tensor/shape.h"

namespace garner::index {
namespace {

template <class T>
bool truth(T value) {
  if constexpr (std::is_same_v<T, Bool>) return value.byte != 0;
  else if constexpr (is_complex_v<T>) return truth(value.real()) || truth(value.imag());
  else if constexpr (has_nan_v<T>) return static_cast<KeyOf<T>>(std::bit_cast<KeyOf<T>>(ordered(value)) << 1) != 0;
  else return value != 0;
}

/// The bits one of which is set in everything but zero; the sign of a float is not among them where -0 is a zero.
template <class T>
std::uint64_t truth_mask() {
  if constexpr (std::is_same_v<T, std::complex<float>>) {
    return truth_mask<float>() << 32 | truth_mask<float>();
  } else if constexpr (has_nan_v<T> && sizeof(T) <= 8) {
    using K = typename UIntOf<sizeof(T)>::type;
    return truth(std::bit_cast<T>(kTopBit<K>)) ? ~std::uint64_t{0} : static_cast<K>(~kTopBit<K>);
  } else {
    return ~std::uint64_t{0};
  }
}

constexpr Index kNoPositions = TruthMap::kFew + 1;  // expected, so that none are made

/// As a tensor has it, without a shape of its own.
Result<std::shared_ptr<void>> memory_for(Index bytes) {
  if (auto memory = pool_allocate(static_cast<std::size_t>(bytes))) return memory;
  return fail(Code::kMemory, "V6", "nonzero: a map of {} bytes is needed, which the system refuses", bytes);
}

/// Strided elements, and those wider than a word, become bytes first.
Result<BitSource> bit_source(const View& view, const RunOptions& run, std::shared_ptr<void>& bytes) {
  const int bytes_each = width(view.dtype());
  if (is_row_major(view) && bytes_each <= 8)
    return BitSource{view.data(), bytes_each, dispatch(view.dtype(), []<class T>() { return truth_mask<T>(); })};
  GARNER_ASSIGN(bytes, memory_for(view.elements()));
  write_truth(view, static_cast<std::uint8_t*>(bytes.get()), run);
  return BitSource{bytes.get(), 1, 1};
}

Index blocks_of(Index elements) { return (elements + TruthMap::kBlock - 1) / TruthMap::kBlock; }

/// The elements of a view, block by block.
class Blocks {
 public:
  Blocks(const BitSource& source, Index elements) : source_(source), elements_(elements) {}

  /// work(begin, end) over the blocks.
  template <class Work>
  void in_ranges(const RunOptions& run, const Work& work) const {
    const Index grain = std::max<Index>(1, kBytesPerThread / (TruthMap::kBlock * source_.width));
    parallel_ranges(thread_count(run.threads, elements_ * source_.width), blocks_of(elements_), grain, work);
  }

  Index find(Index block, Index expected, BlockTruth& out) const {
    const Index first = block * TruthMap::kBlock, size = std::min(TruthMap::kBlock, elements_ - first);
    return find_block(source_, first, size, expected, out);
  }

 private:
  BitSource source_;
  Index elements_;
};

/// Returns how many bytes: whole words.
Index keep_block(const BlockTruth& found, Index ones, std::byte* out) {
  if (ones <= TruthMap::kFew) std::memcpy(out, found.positions, static_cast<std::size_t>(ones) * 2);
  else std::memcpy(out, found.words, sizeof found.words);
  return ones <= TruthMap::kFew ? (2 * ones + 7) / 8 * 8 : Index{sizeof found.words};
}

/// What is expected of a block is what the one before it had; a block with fewer is looked through again. Memory that
/// is written to soon is asked for, too (10 % of 128 M bool on two threads: 11.0 -> 9.8 ms). What the blocks of a range
/// keep lies side by side, so that little of it leaves the caches (1 %: 5.0 -> 3.9 ms).
void fill_map(const Blocks& blocks, const RunOptions& run, TruthMap& map) {
  blocks.in_ranges(run, [&](Index begin, Index end) {
    BlockTruth found;
    Index ones = 0, at = begin * TruthMap::kBlockBytes;
    const Index last = end * TruthMap::kBlockBytes;
    auto* const memory = static_cast<std::byte*>(map.memory.get());
    for (Index b = begin; b < end; ++b) {
      const Index expected = ones;
      ones = blocks.find(b, expected, found);
      if (expected > TruthMap::kFew && ones <= TruthMap::kFew) blocks.find(b, ones, found);
      const Index size = keep_block(found, ones, memory + at);
      ask_for(memory + std::min(at + 2 * size, last), size);
      map.start[static_cast<std::size_t>(b)] = std::exchange(at, at + size);
      map.before[static_cast<std::size_t>(b + 1)] = ones;
    }
  });
  std::partial_sum(map.before.begin(), map.before.end(), map.before.begin());
}

/// An element's bits through all 8 bytes.
template <class T>
std::uint64_t repeated_mask() {
  if constexpr (std::is_same_v<T, std::complex<double>>) {
    return truth_mask<double>();
  } else {
    const std::uint64_t one = truth_mask<T>();
    std::uint64_t all = 0;
    for (std::size_t at = 0; at < 8; at += sizeof(T))
      all |= (sizeof(T) < 8 ? one & ((std::uint64_t{1} << (8 * sizeof(T) % 64)) - 1) : one) << (8 * at);
    return all;
  }
}

}  // namespace

std::uint64_t truth_mask(DType dtype) {
  return dispatch(dtype, []<class T>() { return repeated_mask<T>(); });
}

void write_truth(const View& view, std::uint8_t* out, const RunOptions& run) {
  const Effort effort{run.threads, view.elements() * (width(view.dtype()) + 1)};
  dispatch(view.dtype(), [&]<class T>() {
    const auto* data = static_cast<const T*>(view.data());
    for_each_run(view.shape(), {view.stride()}, effort, [&](const Run& r) {
      const T* read = data + r.start[0];
      std::uint8_t* write = out + r.first;
      // The literal 1 lets the compiler load whole vectors.
      if (r.step[0] == 1)
        for (Index j = 0; j < r.count; ++j) write[j] = truth(read[j]) ? 1 : 0;
      else
        for (Index j = 0; j < r.count; ++j) write[j] = truth(read[j * r.step[0]]) ? 1 : 0;
    });
  });
}

Result<TruthMap> truth_of(const View& view, const char* op, const RunOptions& run) {
  GARNER_TRY(validate(view, op));
  TruthMap map;
  map.elements = view.elements();
  GARNER_ASSIGN(map.memory, memory_for(blocks_of(map.elements) * TruthMap::kBlockBytes));
  map.start.assign(static_cast<std::size_t>(blocks_of(map.elements)), 0);
  map.before.assign(static_cast<std::size_t>(blocks_of(map.elements) + 1), 0);
  std::shared_ptr<void> bytes;
  GARNER_ASSIGN(const BitSource source, bit_source(view, run, bytes));
  fill_map(Blocks(source, map.elements), run, map);
  return map;
}

Result<Index> count_true(const View& view, const char* op, const RunOptions& run) {
  GARNER_TRY(validate(view, op));
  std::shared_ptr<void> bytes;
  GARNER_ASSIGN(const BitSource source, bit_source(view, run, bytes));
  const Blocks blocks(source, view.elements());
  std::atomic<Index> count = 0;
  blocks.in_ranges(run, [&](Index begin, Index end) {
    BlockTruth found;
    Index here = 0;
    for (Index b = begin; b < end; ++b) here += blocks.find(b, kNoPositions, found);
    count += here;
  });
  return count.load();
}

}  // namespace garner::index
