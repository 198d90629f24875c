#include "index/truth.h"

#include "base/fail.h"
#include "index/order.h"
#include "index/runs.h"

namespace garner::index {
namespace {

template <class T>
bool truth(T value) {
  if constexpr (std::is_same_v<T, Bool>) return value.byte != 0;
  else if constexpr (is_complex_v<T>) return truth(value.real()) || truth(value.imag());
  else if constexpr (has_nan_v<T>) return static_cast<KeyOf<T>>(std::bit_cast<KeyOf<T>>(ordered(value)) << 1) != 0;
  else return value != 0;
}

Index blocks_of(Index elements) { return (elements + TruthMap::kBlock - 1) / TruthMap::kBlock; }

/// Counts per block, then their running sum.
Axes counts_before(const Tensor& bytes, const RunOptions& run) {
  const Index n = bytes.elements(), blocks = blocks_of(n);
  Axes before(static_cast<std::size_t>(blocks + 1), 0);
  const Index grain = kBytesPerThread / TruthMap::kBlock;
  parallel_ranges(thread_count(run.threads, n), blocks, grain, [&](Index begin, Index end) {
    for (Index b = begin; b < end; ++b) {
      const auto* at = bytes.as<std::uint8_t>() + b * TruthMap::kBlock;
      std::uint32_t count = 0;
      for (Index j = 0, m = std::min(TruthMap::kBlock, n - b * TruthMap::kBlock); j < m; ++j) count += at[j];
      before[static_cast<std::size_t>(b + 1)] = count;
    }
  });
  for (std::size_t b = 1; b < before.size(); ++b) before[b] += before[b - 1];
  return before;
}

}  // namespace

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
  GARNER_ASSIGN(map.bytes, Tensor::empty(DType::kU8, {view.elements()}));
  write_truth(view, map.bytes.as<std::uint8_t>(), run);
  map.before = counts_before(map.bytes, run);
  return map;
}

void for_each_true(const TruthMap& map, const RunOptions& run, const std::function<void(Index, Positions)>& f) {
  const Index n = map.elements(), bytes = n + map.count() * width(DType::kI64);
  parallel_ranges(thread_count(run.threads, bytes), blocks_of(n), 16, [&](Index begin, Index end) {
    std::vector<std::uint32_t> inside(TruthMap::kBlock + 64);
    std::vector<Index> flat(TruthMap::kBlock);
    for (Index b = begin; b < end; ++b) {
      const Index first = b * TruthMap::kBlock;
      const Index found = positions_in_block(map.data() + first, std::min(TruthMap::kBlock, n - first), inside.data());
      for (Index j = 0; j < found; ++j) flat[static_cast<std::size_t>(j)] = first + inside[static_cast<std::size_t>(j)];
      f(map.before[static_cast<std::size_t>(b)], {flat.data(), static_cast<std::size_t>(found)});
    }
  });
}

}  // namespace garner::index
