// Scatters that update single elements of lines, each line apart from all others: torch.scatter_add along the last
// axis, where lines lie side by side, or along the first, where they are columns. A block reads its line into shared
// memory, applies the updates there, in index order, and writes the line once. The bits are those of the index order,
// without a sort.
//
// Every thread has one update at a time (ordered_updates.cuh). 16384² f32 on an H200: 1.8 ms along the last axis, where
// one warp that kept the order took 8.2; 6.8 ms along the first, where sorting took 23 and an exchange of columns
// (exchange_scatter.cuh) 3.7.
#include <algorithm>

#include "device/cpu/tuning.h"
#include "kernel/common/clusters.cuh"
#include "kernel/common/odometer.h"
#include "kernel/scatter_combine/exchange_scatter.cuh"

namespace garner {
namespace kernel {
extern const Kernel scatter_cuda;
}  // namespace kernel
namespace {

constexpr int kThreads = 1024;
constexpr int kTags = 8192;
constexpr Index kTagBytes = kTags * 4, kMostShared = 224 << 10;
constexpr Index kLeastExchanged = 2048;  // places; below, panels come and go for few updates
constexpr Index kLeastLine = 512;  // places
constexpr Index kColumnBytes = 8;  // of a row, where a block has columns: all that fits with lines of 16384

template <class S, int P>
__device__ inline Pending<S, P> pending(const UpdatedLines<S>& lines, Index line, int step,
                                        const LineStep<S, P>& read) {
  Pending<S, P> out;
  if (step >= lines.steps) return out;
#pragma unroll
  for (int k = 0; k < P; ++k)
    if (int place; find_place(lines, line + k, step, read.index[k], place)) out.add(k, place * P + k, read.update.v[k]);
  return out;
}

template <class T, class I, int P>
__global__ void __launch_bounds__(kThreads)
    scatter_lines(const __grid_constant__ UpdatedLines<typename T::Storage> lines, Combine combine) {
  using S = typename T::Storage;
  extern __shared__ uint4 memory[];
  auto* tag = reinterpret_cast<unsigned*>(memory);
  S* line = reinterpret_cast<S*>(tag + kTags);
  const Index first = static_cast<Index>(blockIdx.x) * P;
  S* place = lines.place + first * lines.line_stride;
  const auto groups = [&](auto&& move) {
    for (int i = static_cast<int>(threadIdx.x); i < lines.places; i += kThreads)
      move(reinterpret_cast<Group<S, P>*>(line)[i], *reinterpret_cast<Group<S, P>*>(place + i * lines.place_stride));
  };
  for (int i = static_cast<int>(threadIdx.x); i < kTags; i += kThreads) tag[i] = UINT32_MAX;
  groups([](Group<S, P>& here, const Group<S, P>& there) { here = there; });
  OrderedUpdates<Again::kAtOnce, kThreads, P, S> updates({0, static_cast<int>(threadIdx.x)}, {line, 1, tag, kTags});
  int step = static_cast<int>(threadIdx.x);
  LineStep<S, P> next = read_step<I, P>(lines, first, step);
  __syncthreads();
  with_step<T>(combine, [&](const auto& next_value) {
    for (int begin = 0; begin < lines.steps; begin += kThreads, step += kThreads) {
      const Pending<S, P> batch = pending<S, P>(lines, first, step, next);
      next = read_step<I, P>(lines, first, step + kThreads);
      updates.apply(batch, next_value);
    }
    updates.finish(next_value);
  });
  groups([](const Group<S, P>& here, Group<S, P>& there) { there = here; });
}

// ---- the host's part ----

/// The axis of lines; the other one is walked.
std::size_t line_axis(const PlanFacts& facts) { return static_cast<std::size_t>(facts.apart); }

Index places_of(const IndexPlan& plan) { return plan.terms[0].bounds.hi - plan.terms[0].bounds.lo; }

/// Are lines columns, which a block can take several of?
bool side_by_side(const IndexPlan& plan, std::size_t axis) {
  return Affine(plan).step[axis] == 1 && plan.dense_stride[axis] == 1 && plan.terms[0].stride[axis] == 1;
}

template <class S>
UpdatedLines<S> lines_of(const Launch& l) {
  const IndexPlan& plan = l.plan;
  const IndexTerm& term = plan.terms[0];
  const std::size_t a = line_axis(l.facts), w = 1 - a;
  const Affine affine(plan);
  const Index place_stride = looked_up(plan).stride;
  return {.plain = plain_index(l),
          .place = static_cast<S*>(l.buffers.indexed[0]) + affine.base + term.bounds.lo * place_stride,
          .update = static_cast<const S*>(l.buffers.dense[0]),
          .index = l.buffers.indices[0],
          .places = static_cast<int>(places_of(plan)),
          .steps = static_cast<int>(plan.domain[w]),
          .place_stride = place_stride,
          .line_stride = affine.step[a],
          .update_step = plan.dense_stride[w],
          .update_line = plan.dense_stride[a],
          .index_step = term.stride[w],
          .index_line = term.stride[a],
          .number_step = l.cuda->number_stride[w],
          .number_line = l.cuda->number_stride[a]};
}

Index shared_bytes(Index places, Index row_bytes) { return kTagBytes + places * row_bytes; }

template <class T, class I, int P>
void start(const Launch& l, const UpdatedLines<typename T::Storage>& lines) {
  const Index bytes = shared_bytes(lines.places, P * sizeof(typename T::Storage));
  if (!allow_shared(l, scatter_lines<T, I, P>, bytes)) return;
  const auto blocks = static_cast<unsigned>(l.plan.domain[line_axis(l.facts)] / P);
  scatter_lines<T, I, P><<<blocks, kThreads, static_cast<std::size_t>(bytes), stream_of(l)>>>(lines, l.plan.combine);
  launched(l, "scatter_lines");
}

/// Can rows of P columns be moved as one?
template <class I, class S>
bool in_groups(const Launch& l, const UpdatedLines<S>& lines, int p) {
  const std::size_t a = line_axis(l.facts);
  const auto multiple = [&](const void* data, Index stride, std::size_t item) {
    return lies_at_multiple(data, std::min<std::size_t>(16, item * static_cast<std::size_t>(p))) && stride % p == 0;
  };
  return side_by_side(l.plan, a) && l.plan.domain[a] % p == 0 && multiple(lines.place, lines.place_stride, sizeof(S)) &&
         multiple(lines.update, lines.update_step, sizeof(S)) && multiple(lines.index, lines.index_step, sizeof(I)) &&
         has_shared(l, shared_bytes(lines.places, kColumnBytes));
}

/// Rows move in pieces of 16 bytes, indices and updates in those of a block's columns.
template <class I, class S>
bool exchanges(const Launch& l, const UpdatedLines<S>& lines) {
  using Memory = exchange::ScatterMemory<S>;
  constexpr int kColumns = Memory::kColumns;
  const auto per_16 = static_cast<Index>(16 / sizeof(S));
  return lines.places >= kLeastExchanged && lines.places <= exchange::kMostRows && has_clusters(l) &&
         in_groups<I>(l, lines, kColumns) && lies_at_multiple(lines.place, 16) && lines.place_stride % per_16 == 0 &&
         l.plan.domain[line_axis(l.facts)] % per_16 == 0 && has_shared(l, sizeof(Memory));
}

template <class T, class I>
void start_exchange(const Launch& l, const UpdatedLines<typename T::Storage>& lines) {
  using Memory = exchange::ScatterMemory<typename T::Storage>;
  constexpr Index kWidth = exchange::kBlocks * Memory::kColumns;
  const Index columns = l.plan.domain[line_axis(l.facts)];
  start_clusters(l, {(columns + kWidth - 1) / kWidth, exchange::kBlocks, exchange::kThreads, sizeof(Memory)},
                 exchange::scatter_exchanging<T, I>, lines, columns, l.plan.combine);
}

template <class T, class I>
void scatter(const Launch& l) {
  using S = typename T::Storage;
  constexpr int kColumns = std::max<int>(1, kColumnBytes / static_cast<Index>(sizeof(S)));
  const UpdatedLines<S> lines = lines_of<S>(l);
  if constexpr (sizeof(S) == 2 || sizeof(S) == 4 || sizeof(S) == 8)
    if (exchanges<I>(l, lines)) return start_exchange<T, I>(l, lines);
  if (in_groups<I>(l, lines, kColumns)) start<T, I, kColumns>(l, lines);
  else start<T, I, 1>(l, lines);
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  if (!has_shared(l, shared_bytes(places_of(l.plan), width(l.plan.dtype)))) return kernel::scatter_cuda.run(l);
  with_device_element(l.plan.dtype, [&]<class T>() { with_index_type(l.plan, [&]<class I>() { scatter<T, I>(l); }); });
}

const char* refuses(const IndexPlan& plan, const PlanFacts& facts) {
  if (plan.direction != Direction::kScatter) return "it only scatters";
  if (plan.fill_stride || plan.combine == Combine::kCompareExchange) return "every step is a result";
  if (plan.domain.size() != 2 || !has_checked_index(plan) || facts.apart < 0)
    return "it takes two axes, one of them of lines apart, and one plain index tensor";
  const std::size_t a = line_axis(facts), w = 1 - a;
  if (Affine(plan).step[w] != 0) return "its lines are not updated by the index alone";
  const Index places = places_of(plan), steps = plan.domain[w];
  if (places < kLeastLine || shared_bytes(places, width(plan.dtype)) > kMostShared)
    return "its lines do not fit a block's memory";
  if (steps > tuning().sum_block) return "its sums may be longer than a block";
  if (looked_up(plan).stride != 1 && !side_by_side(plan, a)) return "neither lines nor columns lie side by side";
  return plan.domain[a] < INT32_MAX && steps * 8 >= places ? nullptr : "it updates too little of each line";
}

}  // namespace

namespace kernel {
extern const Kernel line_scatter_cuda;
const Kernel line_scatter_cuda{
    .name = "line_scatter_cuda",
    .device = DeviceKind::kCuda,
    .refuses = refuses,
    .cost_ns = [](const IndexPlan&, const PlanFacts& f) { return 4000 + 0.01 * static_cast<double>(f.elements); },
    .run = launch,
};
}  // namespace kernel
}  // namespace garner
