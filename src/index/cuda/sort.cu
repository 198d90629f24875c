// Sorting by keys of 64 bits: CUB's radix sort, stable, over the bits that can differ. The lane stands above the key
// where both fit one word; otherwise there is a pass for each word, the least significant first. One instance of the
// sort serves every dtype.
#include <bit>
#include <cub/device/device_radix_sort.cuh>

#include "device/cuda/runtime.h"
#include "index/cuda/sort.cuh"

namespace garner::index::on_cuda {
namespace {

enum class Word { kLow, kHigh, kLane };  // of lane, key; narrow keys have their lane in the low word

/// What one pass sorts by.
struct Pass {
  Word word;
  int begin_bit, end_bit;
};

int bits_for(Index count) { return std::bit_width(static_cast<std::uint64_t>(count > 0 ? count - 1 : 0)); }

std::vector<Pass> passes_for(const KeyCode& code, Index lanes) {
  const int lane_bits = bits_for(lanes);
  if (code.width <= 4 && lane_bits <= 32) return {{Word::kLow, 32 - 8 * code.width, 32 + lane_bits}};
  std::vector<Pass> passes{{Word::kLow, 0, code.width <= 4 ? 32 : 64}};
  if (code.width == 16) passes.push_back({Word::kHigh, 0, 64});
  if (lane_bits > 0) passes.push_back({Word::kLane, 0, lane_bits});
  return passes;
}

template <class Keys>
__device__ inline std::uint64_t word_of(const Keys& keys, typename Keys::Bits bits, Word word, Index lane) {
  const auto key = keys(bits);
  if (word == Word::kLane) return static_cast<std::uint64_t>(lane);
  if constexpr (sizeof(key) == 4) return static_cast<std::uint64_t>(lane) << 32 | key;
  else if constexpr (sizeof(key) == 16) return static_cast<std::uint64_t>(word == Word::kHigh ? key >> 64 : key);
  else return key;
}

template <class Keys, class Id>
__global__ void __launch_bounds__(kThreads)
    make_words(const Keys keys, const typename Keys::Bits* data, const Numbering n, Word word, bool first,
               std::uint64_t* words, Id* numbers) {
  for (Index i = grid_thread(); i < n.elements(); i += grid_threads()) {
    if (first) numbers[i] = static_cast<Id>(i);
    const auto number = static_cast<Index>(numbers[i]);
    const Index lane = number / n.count;
    words[i] = word_of(keys, data[n.offset(lane, number - lane * n.count, n.count)], word, lane);
  }
}

/// Twice the memory, which a pass goes through from one half to the other.
template <class Id>
struct Halves {
  std::shared_ptr<void> words, numbers;
  cub::DoubleBuffer<std::uint64_t> word;
  cub::DoubleBuffer<Id> number;
};

template <class Id>
Result<Halves<Id>> halves_for(const Where& where, Index n) {
  auto words = cuda_memory(where.device, where.stream, 2 * n * 8);
  if (!words.ok()) return words.status();
  auto numbers = cuda_memory(where.device, where.stream, 2 * n * static_cast<Index>(sizeof(Id)));
  if (!numbers.ok()) return numbers.status();
  auto* const w = static_cast<std::uint64_t*>(words->get());
  auto* const i = static_cast<Id*>(numbers->get());
  return Halves<Id>{*words, *numbers, {w, w + n}, {i, i + n}};
}

template <class Id>
Status sort_pass(const Where& where, Halves<Id>& h, Index n, const Pass& pass) {
  if (pass.begin_bit == pass.end_bit) return {};
  std::size_t bytes = 0;
  GARNER_CUDA_TRY(cub::DeviceRadixSort::SortPairs(nullptr, bytes, h.word, h.number, n, pass.begin_bit, pass.end_bit,
                                                  stream_of(where)));
  auto space = cuda_memory(where.device, where.stream, static_cast<Index>(bytes));
  if (!space.ok()) return space.status();
  GARNER_CUDA_TRY(cub::DeviceRadixSort::SortPairs(space->get(), bytes, h.word, h.number, n, pass.begin_bit,
                                                  pass.end_bit, stream_of(where)));
  return {};
}

/// The sorted half, as the owner of both.
template <class Id>
SortedNumbers current(Halves<Id>& h) {
  return {std::shared_ptr<void>(h.numbers, h.number.Current()), sizeof(Id) == 8};
}

template <class Id, class Keys>
Result<SortedNumbers> sort_by(const Where& where, const Numbering& n, const void* data, const Keys& keys,
                              const std::vector<Pass>& passes) {
  auto halves = halves_for<Id>(where, n.elements());
  if (!halves.ok()) return halves.status();
  const auto* bits = static_cast<const typename Keys::Bits*>(data);
  const unsigned blocks = loop_blocks(where, n.elements());
  for (std::size_t p = 0; p < passes.size(); ++p) {
    make_words<<<blocks, kThreads, 0, stream_of(where)>>>(keys, bits, n, passes[p].word, p == 0, halves->word.Current(),
                                                          halves->number.Current());
    GARNER_CUDA_TRY(cudaGetLastError());
    if (Status status = sort_pass(where, *halves, n.elements(), passes[p]); !status.ok()) return status;
  }
  return current(*halves);
}

/// The first entries of every lane, as one list.
template <class Id>
__global__ void __launch_bounds__(kThreads)
    take_first(const Id* sorted, const Numbering n, Index keep, std::uint64_t* words, Id* numbers) {
  for (Index q = grid_thread(); q < n.lanes() * keep; q += grid_threads()) {
    numbers[q] = sorted[q / keep * n.count + q % keep];
    words[q] = numbers[q];
  }
}

/// Those again, each lane's in order of position: numbers grow lane by lane.
template <class Id>
Result<SortedNumbers> first_by_position(const Where& where, const Id* sorted, const Numbering& n, Index keep) {
  const Index total = n.lanes() * keep;
  auto halves = halves_for<Id>(where, total);
  if (!halves.ok()) return halves.status();
  take_first<<<loop_blocks(where, total), kThreads, 0, stream_of(where)>>>(sorted, n, keep, halves->word.Current(),
                                                                           halves->number.Current());
  GARNER_CUDA_TRY(cudaGetLastError());
  const Pass pass{Word::kLow, 0, bits_for(n.elements())};
  if (Status status = sort_pass(where, *halves, total, pass); !status.ok()) return status;
  return current(*halves);
}

/// Entry i of a lane stands at lane * length + i.
template <class Bits, class Id>
__global__ void __launch_bounds__(kThreads)
    write_lanes(const Id* sorted, const Numbering n, Index length, const Bits* data, const SortedOut out) {
  for (Index q = grid_thread(); q < n.lanes() * out.keep; q += grid_threads()) {
    const Index lane = q / out.keep, i = q - lane * out.keep;
    const Index place = static_cast<Index>(sorted[lane * length + i]) - lane * n.count;
    const Index to = n.offset(lane, i, out.keep);
    if (out.positions != nullptr) out.positions[to] = place;
    if (out.values != nullptr) static_cast<Bits*>(out.values)[to] = data[n.offset(lane, place, n.count)];
  }
}

Status write(const Where& where, const SortedNumbers& sorted, const Numbering& n, Index length, const SortQuery& query,
             const SortedOut& out) {
  const unsigned blocks = loop_blocks(where, n.lanes() * out.keep);
  return with_numbers(sorted, [&](const auto* numbers) {
    return with_bits(query.code.width, [&]<class Bits>(Bits) -> Status {
      const auto* data = static_cast<const Bits*>(query.data);
      write_lanes<<<blocks, kThreads, 0, stream_of(where)>>>(numbers, n, length, data, out);
      GARNER_CUDA_TRY(cudaGetLastError());
      return {};
    });
  });
}

}  // namespace

Result<SortedNumbers> sorted_numbers(const Where& where, const Lanes& lanes, const void* data, const KeyCode& code) {
  const Numbering n(lanes);
  const std::vector<Pass> passes = passes_for(code, n.lanes());
  SortedNumbers sorted;
  const Status status = with_keys(code, [&](const auto& keys) -> Status {
    auto made = n.elements() <= UINT32_MAX ? sort_by<std::uint32_t>(where, n, data, keys, passes)
                                           : sort_by<std::uint64_t>(where, n, data, keys, passes);
    if (made.ok()) sorted = *std::move(made);
    return made.status();
  });
  if (!status.ok()) return status;
  return sorted;
}

Status sort_lanes(const Where& where, const Lanes& lanes, const SortQuery& query, const SortedOut& out) {
  const Numbering n(lanes);
  if (n.lanes() * out.keep == 0) return {};
  const OnDevice on(where.device);
  auto sorted = sorted_numbers(where, lanes, query.data, query.code);
  if (!sorted.ok()) return sorted.status();
  if (!out.by_position) return write(where, *sorted, n, n.count, query, out);
  SortedNumbers chosen;
  const Status status = with_numbers(*sorted, [&](const auto* numbers) -> Status {
    auto made = first_by_position(where, numbers, n, out.keep);
    if (made.ok()) chosen = *std::move(made);
    return made.status();
  });
  if (!status.ok()) return status;
  return write(where, chosen, n, out.keep, query, out);
}

}  // namespace garner::index::on_cuda
