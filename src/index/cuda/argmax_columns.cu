// Lanes side by side: a thread has 16 bytes of columns and walks down a stretch of rows, kRows of them on their way;
// neighbouring threads have neighbouring columns. Stretches of one column are compared in a second pass.
#include "device/cuda/follow.cuh"
#include "index/cuda/argmax.cuh"

namespace garner::index::on_cuda {
namespace {

constexpr int kRows = 8;  // read, folded and compared together; a part of a column

struct Columns {
  const void* data;
  Lanes lanes;
  Index groups;   // of columns, one a thread
  Index stretch;  // rows of a thread, a multiple of kRows
  Index stretches;
  Choice choice;
};

/// The first (or last) of kRows rows of a column that has the key. All are on their way before one is looked at.
template <class Keys>
__device__ inline Index place_in_rows(const Keys& keys, const Columns& c, const typename Keys::Bits* column,
                                      const Candidate<typename Keys::Key>& best) {
  const Index first = best.part * kRows, end = first + kRows < c.lanes.count ? first + kRows : c.lanes.count;
  typename Keys::Bits bits[kRows];
#pragma unroll
  for (int j = 0; j < kRows; ++j)  // behind the end, the last of them again
    bits[j] = column[(first + j < end ? first + j : end - 1) * c.lanes.inner];
  int found = 0;
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    const int j = c.choice.last ? k : kRows - 1 - k;  // the last one that is found stays
    if (keys(bits[j]) == best.key) found = j;
  }
  return first + found < end ? first + found : end - 1;
}

/// A stretch for every thread: positions where it is the whole column, or what it has seen. Two kernels: looking for a
/// position takes registers, with which fewer loads are on their way (16384^2 f32: 271 -> 284 us).
template <class Fold, bool kWhole>
__global__ void __launch_bounds__(kThreads)
    best_in_stretch(const Fold fold, const Columns c, Candidate<typename Fold::Key>* seen, Index* out) {
  using Bits = typename Fold::Bits;
  using Key = typename Fold::Key;
  constexpr int kColumns = Fold::kColumns;
  if constexpr (!kWhole) may_be_followed();
  const Index thread = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x;
  const Index group = thread % c.groups, stretch = thread / c.groups % c.stretches,
              outer = thread / c.groups / c.stretches;
  if (outer >= c.lanes.outer) return;
  const Index first = stretch * c.stretch;
  const Index end = first + c.stretch < c.lanes.count ? first + c.stretch : c.lanes.count;
  const Bits* column = static_cast<const Bits*>(c.data) + outer * c.lanes.count * c.lanes.inner + group * kColumns;
  Candidate<Key> best[kColumns];
  for (Index row = first; row < end; row += kRows) {
    typename Fold::Load v[kRows];
#pragma unroll
    for (int j = 0; j < kRows; ++j)  // behind the end, the first of them again
      v[j] = Fold::load(column + (row + j < end ? row + j : row) * c.lanes.inner);
    auto folded = fold.first(v[0]);
#pragma unroll
    for (int j = 1; j < kRows; ++j) fold.add(folded, v[j]);
#pragma unroll
    for (int e = 0; e < kColumns; ++e) keep_better(best[e], fold.key(folded, e), row / kRows, c.choice.last);
  }
  const Index to = (outer * c.stretches + stretch) * c.lanes.inner + group * kColumns;
#pragma unroll
  for (int e = 0; e < kColumns; ++e) {
    if constexpr (!kWhole) seen[to + e] = best[e];
    else out[to + e] = c.choice.answer(best[e].key, place_in_rows(fold.keys, c, column + e, best[e]));
  }
}

constexpr int kBatch = 8;  // candidates that a thread of the second pass has on their way

/// A block has so many columns side by side that a thread has kBatch candidates, or few more, of one of them.
template <class Keys>
__global__ void __launch_bounds__(kThreads) best_of_stretches(const Keys keys, const Columns c, const int sharers,
                                                              const Candidate<typename Keys::Key>* seen, Index* out) {
  using Bits = typename Keys::Bits;
  using Seen = Candidate<typename Keys::Key>;
  __shared__ Room<Seen, kThreads> room;
  const int columns = kThreads / sharers, thread = static_cast<int>(threadIdx.x), sharer = thread / columns;
  const Index lane = static_cast<Index>(blockIdx.x) * columns + thread % columns, outer = lane / c.lanes.inner,
              inner = lane % c.lanes.inner;
  const bool is_lane = lane < c.lanes.outer * c.lanes.inner;
  const Seen* of_lane = seen + outer * c.stretches * c.lanes.inner + inner;
  Seen best;
  wait_for_first();
  for (Index s = sharer; is_lane && s < c.stretches; s += kBatch * sharers) {
    Seen some[kBatch];
#pragma unroll
    for (int k = 0; k < kBatch; ++k) {  // behind the end, the first of them again
      const Index at = s + k * sharers;
      some[k] = of_lane[(at < c.stretches ? at : s) * c.lanes.inner];
    }
#pragma unroll
    for (int k = 0; k < kBatch; ++k) best = better(best, some[k], c.choice.last);
  }
  Seen* const mine = room.begin() + thread;
  *mine = best;
  for (int half = sharers / 2; half > 0; half /= 2) {
    __syncthreads();
    if (sharer < half) *mine = better(*mine, mine[half * columns], c.choice.last);
  }
  if (!is_lane || sharer != 0) return;
  best = *mine;
  const Bits* column = static_cast<const Bits*>(c.data) + outer * c.lanes.count * c.lanes.inner + inner;
  out[lane] = c.choice.answer(best.key, place_in_rows(keys, c, column, best));
}

// ---- how columns are cut ----

// Threads that a multiprocessor has at work: with 8 loads of 16 bytes each they cover the way to memory.
constexpr Index kThreadsEach = 1024;

void cut(Columns& c, int device) {
  const Index whole = c.lanes.outer * c.groups, busy = kThreadsEach * multiprocessors(device);
  const Index most = (c.lanes.count + 4 * kRows - 1) / (4 * kRows);  // shorter ones are not worth a second pass
  Index stretches = whole >= busy ? 1 : (busy + whole - 1) / whole;
  stretches = stretches < most ? stretches : most;
  c.stretch = ((c.lanes.count + stretches - 1) / stretches + kRows - 1) / kRows * kRows;
  c.stretches = (c.lanes.count + c.stretch - 1) / c.stretch;
}

/// Threads for each column in the second pass: a power of two.
int sharers_for(Index stretches) {
  int sharers = 1;
  while (sharers < 64 && sharers * kBatch < stretches) sharers *= 2;
  return sharers;
}

template <class Fold>
Status launch(const Where& where, const Fold& fold, Columns c, Index* out) {
  using Seen = Candidate<typename Fold::Key>;
  c.groups = c.lanes.inner / Fold::kColumns;
  cut(c, where.device);
  const Index lanes = c.lanes.outer * c.lanes.inner, threads = c.lanes.outer * c.stretches * c.groups;
  const int sharers = sharers_for(c.stretches);
  const Index blocks = (lanes * sharers + kThreads - 1) / kThreads;
  if (threads / kThreads >= INT32_MAX || blocks >= INT32_MAX)
    return {Code::kUnsupported, "P24", "argmax: more than 2^33 lanes"};
  std::shared_ptr<void> memory;
  if (c.stretches > 1) {
    auto made = cuda_memory(where.device, where.stream, lanes * c.stretches * static_cast<Index>(sizeof(Seen)));
    if (!made.ok()) return made.status();
    memory = *std::move(made);
  }
  auto* const seen = static_cast<Seen*>(memory.get());
  const auto first_pass = c.stretches == 1 ? best_in_stretch<Fold, true> : best_in_stretch<Fold, false>;
  first_pass<<<blocks_for(threads), kThreads, 0, stream_of(where)>>>(fold, c, seen, out);
  GARNER_CUDA_TRY(cudaGetLastError());
  if (c.stretches == 1) return {};
  const Following second{where.device, stream_of(where), static_cast<unsigned>(blocks), kThreads};
  GARNER_CUDA_TRY(follow(second, best_of_stretches<decltype(fold.keys)>, fold.keys, c, sharers, seen, out));
  return {};
}

/// Do all rows begin at multiples of 16 bytes? Elements of 16 bytes are read in halves.
bool in_loads(const Lanes& lanes, const BestQuery& query) {
  const bool at_load = reinterpret_cast<std::uintptr_t>(query.data) % 16 == 0;
  return query.code.width == 16 || (at_load && lanes.inner * query.code.width % 16 == 0);
}

}  // namespace

Status best_in_columns(const Where& where, const Lanes& lanes, const BestQuery& query, Index* out) {
  const Columns c{query.data, lanes, 0, 0, 0, choice_of(query)};
  if (in_loads(lanes, query))
    return with_fold(query.code, [&](const auto& fold) { return launch(where, fold, c, out); });
  return with_keys(query.code,
                   [&]<class Keys>(const Keys&) { return launch(where, SingleFold<Keys>(query.code), c, out); });
}

}  // namespace garner::index::on_cuda
