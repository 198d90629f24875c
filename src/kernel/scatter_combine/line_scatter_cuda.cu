// Scatters that update single elements of lines, each line apart from all others: torch.scatter_add along the last
// axis, where lines lie side by side, or along the first, where they are columns. A block reads its line into shared
// memory, applies the updates there, in index order, and writes the line once. The bits are those of the index order,
// without a sort.
//
// Every thread has one update at a time. Of threads that want one place the first comes first: each leaves its number
// in the place's tag, where the lowest stays; that thread applies its update, the others try again. 16384² f32 on an
// H200: 1.8 ms along the last axis, where one warp that kept the order took 8.2; 6.3 ms along the first, where sorting
// took 23.
#include <algorithm>

#include "device/cpu/tuning.h"
#include "kernel/common/device_element.cuh"
#include "kernel/common/launch.cuh"
#include "kernel/common/odometer.h"
#include "kernel/common/plain_index.cuh"

namespace garner {
namespace kernel {
extern const Kernel scatter_cuda;
}  // namespace kernel
namespace {

constexpr int kThreads = 1024;
constexpr int kTags = 8192;     // places share them: who waits for no reason loses one turn
constexpr int kTries = 4;       // then many updates meet, and those that are left go one after another
constexpr Index kTagBytes = kTags * 4, kMostShared = 224 << 10;
constexpr Index kLeastLine = 512;  // places
constexpr Index kColumnBytes = 8;  // of a row, where a block has columns: all that fits with lines of 16384

/// The domain's two axes: one of lines, one that is walked. Strides are in elements.
template <class S>
struct Lines {
  PlainIndex plain;
  S* place;  // of the first line's lowest index
  const S* update;
  const void* index;
  bool narrow;  // the index is i32
  int places, steps;
  Index place_stride, line_stride;
  Index update_step, update_line, index_step, index_line, number_step, number_line;
};

/// P elements side by side: of a line each.
template <class S, int P>
struct alignas(P == 1 ? alignof(S) : std::min<std::size_t>(16, sizeof(S) * P)) Group {
  S v[P];
};

/// What a thread does next.
template <class S, int P>
struct Step {
  Index index[P] = {};
  Group<S, P> update = {};
};

template <class I, int P>
__device__ inline void read_index(const void* from, Index at, Index (&to)[P]) {
  const auto read = *reinterpret_cast<const Group<I, P>*>(static_cast<const I*>(from) + at);
#pragma unroll
  for (int k = 0; k < P; ++k) to[k] = read.v[k];
}

template <class S, int P>
__device__ inline Step<S, P> read_step(const Lines<S>& lines, Index line, int step) {
  Step<S, P> out;
  if (step >= lines.steps) return out;
  const Index at = line * lines.index_line + step * lines.index_step;
  if (lines.narrow) read_index<std::int32_t>(lines.index, at, out.index);
  else read_index<Index>(lines.index, at, out.index);
  out.update =
      *reinterpret_cast<const Group<S, P>*>(lines.update + line * lines.update_line + step * lines.update_step);
  return out;
}

/// Updates that are still to be applied: where, and which.
template <int P>
struct Pending {
  int place[P];
  unsigned left = 0;  // a bit for each
  __device__ bool has(int k) const { return (left >> k & 1U) != 0; }
};

template <class S, int P>
__device__ inline Pending<P> pending(const Lines<S>& lines, Index line, int step, const Index (&index)[P]) {
  Pending<P> out;
  if (step >= lines.steps) return out;
#pragma unroll
  for (int k = 0; k < P; ++k) {
    Index above;
    if (lines.plain.resolve(index[k], above)) {
      out.place[k] = static_cast<int>(above) * P + k;
      out.left |= 1U << k;
    } else {
      lines.plain.report(step * lines.number_step + (line + k) * lines.number_line, index[k]);
    }
  }
  return out;
}

/// The updates that a warp has left, place by place: all of one place in a row, so that its sum stays in a register.
template <class S, class Next>
__device__ inline void apply_warp(S* line, bool takes_part, int place, S update, const Next& next) {
  unsigned left = __ballot_sync(0xffffffffU, takes_part);
  while (left != 0) {
    const int leader = __ffs(static_cast<int>(left)) - 1, where = __shfl_sync(0xffffffffU, place, leader);
    const unsigned same = __ballot_sync(0xffffffffU, takes_part && place == where);
    S sum = line[where];
    for (unsigned rest = same; rest != 0; rest &= rest - 1)
      sum = next(sum, of_lane(update, __ffs(static_cast<int>(rest)) - 1));
    __syncwarp();
    if (static_cast<int>(threadIdx.x % 32) == leader) line[where] = sum;
    left &= ~same;
  }
}

/// One update of every thread and line, in the order of the threads. `turn` falls with every try: a tag of earlier ones
/// never is the lowest.
template <class S, int P, class Next>
__device__ inline void apply(S* line, unsigned* tag, Pending<P>& todo, const Group<S, P>& update, const Next& next,
                             unsigned& turn) {
  bool more = true;
  for (int tries = 0; more && tries < kTries; ++tries) {
    const unsigned mine = turn-- * kThreads + threadIdx.x;
#pragma unroll
    for (int k = 0; k < P; ++k)
      if (todo.has(k)) atomicMin(tag + todo.place[k] % kTags, mine);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < P; ++k) {
      if (!todo.has(k) || tag[todo.place[k] % kTags] != mine) continue;
      line[todo.place[k]] = next(line[todo.place[k]], update.v[k]);
      todo.left &= ~(1U << k);
    }
    more = __syncthreads_or(todo.left != 0) != 0;
  }
  for (int warp = 0; more && warp < kThreads / 32; ++warp) {
    if (static_cast<int>(threadIdx.x) / 32 == warp)
      for (int k = 0; k < P; ++k) apply_warp(line, todo.has(k), todo.place[k], update.v[k], next);
    __syncthreads();
  }
}

template <class T, int P>
__global__ void __launch_bounds__(kThreads)
    scatter_lines(const __grid_constant__ Lines<typename T::Storage> lines, Combine combine) {
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
  unsigned turn = UINT32_MAX / kThreads - 1;
  int step = static_cast<int>(threadIdx.x);
  Step<S, P> next = read_step<S, P>(lines, first, step);
  __syncthreads();
  with_step<T>(combine, [&](const auto& next_value) {
    for (int begin = 0; begin < lines.steps; begin += kThreads, step += kThreads) {
      const Group<S, P> update = next.update;
      Pending<P> todo = pending<S, P>(lines, first, step, next.index);
      next = read_step<S, P>(lines, first, step + kThreads);
      apply(line, tag, todo, update, next_value, turn);
    }
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
Lines<S> lines_of(const Launch& l) {
  const IndexPlan& plan = l.plan;
  const IndexTerm& term = plan.terms[0];
  const std::size_t a = line_axis(l.facts), w = 1 - a;
  const Affine affine(plan);
  const Index place_stride = looked_up(plan).stride;
  return {.plain = plain_index(l),
          .place = static_cast<S*>(l.buffers.indexed[0]) + affine.base + term.bounds.lo * place_stride,
          .update = static_cast<const S*>(l.buffers.dense[0]),
          .index = l.buffers.indices[0],
          .narrow = term.dtype == DType::kI32,
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

template <class T, int P>
void start(const Launch& l, const Lines<typename T::Storage>& lines) {
  const Index bytes = shared_bytes(lines.places, P * sizeof(typename T::Storage));
  if (!allow_shared(l, scatter_lines<T, P>, bytes)) return;
  const auto blocks = static_cast<unsigned>(l.plan.domain[line_axis(l.facts)] / P);
  scatter_lines<T, P><<<blocks, kThreads, static_cast<std::size_t>(bytes), stream_of(l)>>>(lines, l.plan.combine);
  launched(l, "scatter_lines");
}

/// Can rows of P columns be moved as one?
template <class S>
bool in_groups(const Launch& l, const Lines<S>& lines, int p) {
  const std::size_t a = line_axis(l.facts);
  const auto multiple = [&](const void* data, Index stride, std::size_t item) {
    return reinterpret_cast<std::uintptr_t>(data) % std::min<std::size_t>(16, item * static_cast<std::size_t>(p)) ==
               0 &&
           stride % p == 0;
  };
  return side_by_side(l.plan, a) && l.plan.domain[a] % p == 0 && multiple(lines.place, lines.place_stride, sizeof(S)) &&
         multiple(lines.update, lines.update_step, sizeof(S)) &&
         multiple(lines.index, lines.index_step, lines.narrow ? 4 : 8) &&
         has_shared(l, shared_bytes(lines.places, kColumnBytes));
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  if (!has_shared(l, shared_bytes(places_of(l.plan), width(l.plan.dtype)))) return kernel::scatter_cuda.run(l);
  with_device_element(l.plan.dtype, [&]<class T>() {
    using S = typename T::Storage;
    constexpr int kColumns = std::max<int>(1, kColumnBytes / static_cast<Index>(sizeof(S)));
    const Lines<S> lines = lines_of<S>(l);
    if (in_groups(l, lines, kColumns)) start<T, kColumns>(l, lines);
    else start<T, 1>(l, lines);
  });
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
