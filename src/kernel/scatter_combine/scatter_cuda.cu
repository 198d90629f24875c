// Every scatter. Positions are sorted by the place they update, those of one place in index order; then every place is
// updated by one group of threads, in that order. No atomics: the bits are the same every time, and those of the CPU.
//
//   keys     the place of every row, and where its updates lie
//   sort     by place; stable, and only the bits that places have
//   tasks    where a place begins in the sorted list, and where a block of its sum does (kernel/common/block_sums.h)
//   combine  every task by one group of lanes; what is no first block goes into memory of its own
//   long     sums of many updates in narrow rows, which combine only lists: by whole warps
//   finish   blocks are added to their places, one after another
#include <thrust/iterator/counting_iterator.h>
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include "device/cpu/tuning.h"
#include "device/cuda/runtime.h"
#include "kernel/common/device_element.cuh"
#include "kernel/common/launch.cuh"
#include "kernel/common/locate.cuh"
#include "kernel/common/pieces.h"
#include "kernel/common/width.h"

namespace garner {
namespace {

// Updates that a lane has on their way. Rows of 512 B, three updates a place, on an H200: 1.6 ms with 8, 2.5 with 16,
// which take registers from the others.
constexpr int kAhead = 8;
constexpr Index kLong = 128;  // updates of a sum in a narrow row that is left to add_long()

/// Is every step of a place a result, or the condition of the next?
bool steps_count(const IndexPlan& plan) { return plan.fetch_stride || plan.combine == Combine::kCompareExchange; }

/// Rows where no two overlap in part; otherwise single elements.
bool in_rows(const Launch& l) {
  return l.facts.run > 1 && l.facts.apart == static_cast<int>(l.plan.domain.size()) - 1 && !steps_count(l.plan);
}

/// What all steps speak of. K holds places, and offsets of updates.
template <class K>
struct Sorted {
  Index count = 0;      // rows, or elements
  Index run = 1;        // elements of a row
  Index lo = 0;         // the lowest place
  K nowhere = 0;        // the key of what updates nothing; above all places
  Index block = 0;      // updates in a block; 0: one block
  K *key = nullptr, *from = nullptr;            // sorted: places, less `lo`; and what is sorted with them
  K *task = nullptr, *tasks = nullptr;          // where each begins, and their number
  Index long_from = 0;                          // updates of a task that is left to add_long()
  K* long_task = nullptr;                       // numbers of long ones, in any order, and how many there are
  unsigned* long_tasks = nullptr;
  void* block_sums = nullptr;
};

// ---- keys ----

/// `by_number`: the rows' numbers go along instead of their updates' offsets.
template <class K, class Size>
__global__ void __launch_bounds__(kBlockThreads)
    place_keys(const __grid_constant__ DevicePlan<Size> plan, Sorted<K> sorted, K* key, K* from, bool by_number) {
  const Index at = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  if (at >= plan.positions) return;
  const Spot spot = locate(plan, at);
  key[at] = spot.valid ? static_cast<K>(spot.indexed - sorted.lo) : sorted.nowhere;
  from[at] = static_cast<K>(by_number ? at : spot.dense);
}

// ---- tasks ----

template <class K>
struct BeginsTask {
  const K* key;
  Index block;
  K apart;  // positions with this key are tasks by themselves

  __device__ bool operator()(K at) const {
    const auto i = static_cast<Index>(at);
    const K mine = key[i];
    if (mine == apart || i == 0 || key[i - 1] != mine) return true;
    if (block == 0 || i < block || key[i - block] != mine) return false;
    Index lo = 0, hi = i;  // the first with this key
    while (lo < hi) {
      const Index middle = lo + (hi - lo) / 2;
      if (key[middle] < mine) lo = middle + 1;
      else hi = middle;
    }
    return (i - lo) % block == 0;
  }
};

template <class K>
__device__ inline Index task_end(const Sorted<K>& s, Index task) {
  return task + 1 < static_cast<Index>(*s.tasks) ? static_cast<Index>(s.task[task + 1]) : s.count;
}

// ---- the last update of every place ----

template <class U, class K>
__global__ void __launch_bounds__(kBlockThreads)
    store_last(Sorted<K> s, U* place, const U* update, Index pieces, int log_lanes, int log_unit) {
  const Index thread = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  const Index at = thread >> log_lanes, lanes = Index{1} << log_lanes;
  if (at >= s.count || s.key[at] == s.nowhere || (at + 1 < s.count && s.key[at + 1] == s.key[at])) return;
  U* to = place + ((static_cast<Index>(s.key[at]) + s.lo) >> log_unit);
  const U* from = update + (static_cast<Index>(s.from[at]) >> log_unit);
  for (Index p = thread & (lanes - 1); p < pieces; p += lanes) to[p] = from[p];
}

// ---- combining ----

/// V elements side by side, moved as one.
template <class S, int V>
struct alignas(V == 1 ? alignof(S) : sizeof(S) * V) Pack {
  S v[V];
};

template <class S, int V, class Step>
__device__ inline void add_to(Pack<S, V>& sum, const Pack<S, V>& update, const Step& step) {
#pragma unroll
  for (int e = 0; e < V; ++e) sum.v[e] = step(sum.v[e], update.v[e]);
}

template <class S>
struct Work {
  S *place, *block_sums;
  const S* update;
  Combine combine;
  bool from_zero;  // a block of a float sum begins with +0, of anything else with its first update
  int log_lanes;
};

/// Where a task's sum begins and goes.
template <class S, class K>
struct Task {
  Index begin, end;
  bool is_first;  // of its place: the sum begins with what is there
  S* target;      // the place, or a block's own memory

  __device__ Task(const Sorted<K>& s, const Work<S>& w, Index number)
      : begin(static_cast<Index>(s.task[number])), end(task_end(s, number)) {
    const K key = s.key[begin];
    is_first = begin == 0 || s.key[begin - 1] != key;
    target = key == s.nowhere ? nullptr
             : is_first       ? w.place + static_cast<Index>(key) + s.lo
                              : w.block_sums + begin / s.block * s.run;
  }
};

template <class T, int V, class K>
__global__ void __launch_bounds__(kBlockThreads) combine_tasks(Sorted<K> s, Work<typename T::Storage> w) {
  using S = typename T::Storage;
  using P = Pack<S, V>;
  const Index thread = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x, lanes = Index{1} << w.log_lanes;
  const Index groups = (static_cast<Index>(gridDim.x) * kBlockThreads) >> w.log_lanes;
  // A group has as many columns as its lanes; of long rows several groups have one task each.
  const Index slices = (s.run + lanes * V - 1) / (lanes * V), work = static_cast<Index>(*s.tasks) * slices;
  for (Index item = thread >> w.log_lanes; item < work; item += groups) {
    const Index number = item / slices;
    const Task<S, K> task(s, w, number);
    if (task.target == nullptr) continue;
    if (task.end - task.begin > s.long_from) {
      if (item == number * slices && (thread & (lanes - 1)) == 0)
        s.long_task[atomicAdd(s.long_tasks, 1U)] = static_cast<K>(number);
      continue;
    }
    if (const Index column = ((item - number * slices) * lanes + (thread & (lanes - 1))) * V; column < s.run) {
      auto* to = reinterpret_cast<P*>(task.target + column);
      const S* from = w.update + column;
      Index at = task.begin;
      P sum{};
      if (task.is_first) sum = *to;
      else if (!w.from_zero) sum = *reinterpret_cast<const P*>(from + static_cast<Index>(s.from[at++]));
      const AnyStep<T> step{w.combine};  // sums by themselves took registers: 1.9 ms instead of 1.6
      while (at < task.end) {
        P update[kAhead];
#pragma unroll
        for (int j = 0; j < kAhead; ++j)
          if (at + j < task.end) update[j] = *reinterpret_cast<const P*>(from + static_cast<Index>(s.from[at + j]));
#pragma unroll
        for (int j = 0; j < kAhead; ++j)
          if (at + j < task.end) add_to(sum, update[j], step);
        at += kAhead;
      }
      *to = sum;
    }
  }
}

/// One column of a long task: each lane reads one of 32 updates, and all add them up.
template <class T, class K, class S = typename T::Storage>
__device__ inline S sum_column(const Sorted<K>& s, const Work<S>& w, Index at, Index end, Index column, S sum) {
  const auto lane = static_cast<int>(threadIdx.x) % 32;
  const auto read = [&](Index first) {
    return first + lane < end ? w.update[static_cast<Index>(s.from[first + lane]) + column] : S{};
  };
  for (S next = read(at); at < end; at += 32) {
    const S mine = next;
    next = read(at + 32);
#pragma unroll 4
    for (int j = 0; j < 32; ++j) {
      const S update = of_lane(mine, j);
      if (at + j < end) sum = AddStep<T>{}(sum, update);
    }
  }
  return sum;
}

/// Sums of many updates in narrow rows: a warp has one column of one. 32 M updates of single f32, zipf, on an H200: 4.0
/// ms in all, 7.9 where one thread had them.
template <class T, class K>
__global__ void __launch_bounds__(kBlockThreads) add_long(Sorted<K> s, Work<typename T::Storage> w) {
  using S = typename T::Storage;
  const Index warp = (static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x) / 32;
  const Index warps = static_cast<Index>(gridDim.x) * (kBlockThreads / 32);
  const Index work = static_cast<Index>(*s.long_tasks) * s.run;
  for (Index item = warp; item < work; item += warps) {
    const Index number = item / s.run, column = item - number * s.run;
    const Task<S, K> task(s, w, static_cast<Index>(s.long_task[number]));
    Index at = task.begin;
    S sum{};
    if (task.is_first) sum = task.target[column];
    else if (!w.from_zero) sum = w.update[static_cast<Index>(s.from[at++]) + column];
    sum = sum_column<T>(s, w, at, task.end, column, sum);
    if (threadIdx.x % 32 == 0) task.target[column] = sum;
  }
}

/// Later blocks to their places, in order.
template <class T, class K>
__global__ void __launch_bounds__(kBlockThreads) finish_blocks(Sorted<K> s, Work<typename T::Storage> w) {
  using S = typename T::Storage;
  const Index thread = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  const Index threads = static_cast<Index>(gridDim.x) * kBlockThreads, tasks = static_cast<Index>(*s.tasks);
  for (Index task = thread >> w.log_lanes; task < tasks; task += threads >> w.log_lanes) {
    const auto begin = static_cast<Index>(s.task[task]);
    const K key = s.key[begin];
    const bool is_first = begin == 0 || s.key[begin - 1] != key;
    if (key == s.nowhere || !is_first || begin + s.block >= s.count || s.key[begin + s.block] != key) continue;
    for (Index column = thread & ((Index{1} << w.log_lanes) - 1); column < s.run; column += Index{1} << w.log_lanes) {
      S& place = w.place[static_cast<Index>(key) + s.lo + column];
      S sum = place;
      for (Index at = begin + s.block; at < s.count && s.key[at] == key; at += s.block)
        sum = updated<T>(w.combine, sum, w.block_sums[at / s.block * s.run + column], sum);
      place = sum;
    }
  }
}

/// Steps whose every result counts: one thread a place, one update after another.
template <class T, class K>
__global__ void __launch_bounds__(kBlockThreads)
    step_by_step(const __grid_constant__ DevicePlan<LargestPlan> plan, Sorted<K> s, Combine combine) {
  const Index threads = static_cast<Index>(gridDim.x) * kBlockThreads, tasks = static_cast<Index>(*s.tasks);
  for (Index task = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x; task < tasks; task += threads) {
    const Index end = task_end(s, task);
    for (auto at = static_cast<Index>(s.task[task]); at < end; ++at)
      update_one<T>(plan, locate<Locate::kQuietly>(plan, static_cast<Index>(s.from[at])), combine);
  }
}

// ---- the host's part ----

/// Memory for one launch, cut from one piece.
class Workspace {
 public:
  template <class T>
  void want(T*& pointer, Index count) {
    wanted_.push_back({reinterpret_cast<void**>(&pointer), bytes_});
    bytes_ += (count * static_cast<Index>(sizeof(T)) + 255) / 256 * 256;
  }
  Index bytes() const { return bytes_; }
  bool get(const Launch& l) {
    auto memory = cuda_memory(l.cuda->device, l.cuda->stream, bytes_);
    if (!memory.ok()) {
      l.cuda->failure = memory.status();
      return false;
    }
    memory_ = *memory;
    for (const auto& [pointer, at] : wanted_) *pointer = static_cast<std::byte*>(memory_.get()) + at;
    return true;
  }

 private:
  std::vector<std::pair<void**, Index>> wanted_;
  Index bytes_ = 0;
  std::shared_ptr<void> memory_;
};

/// Updates in a block: where the order of a result's steps counts and no block is defined, all are one.
Index block_of(const Launch& l) {
  const Combine c = l.plan.combine;
  if (steps_count(l.plan) || c == Combine::kAssign) return 0;
  if (c == Combine::kMul && rounds(l.plan.dtype)) return 0;
  return l.sum_block > 0 ? l.sum_block : tuning().sum_block;
}

template <class T, int V, class K>
void combine_sorted(const Launch& l, const Sorted<K>& s) {
  using S = typename T::Storage;
  Work<S> w{static_cast<S*>(l.buffers.indexed[0]),
            static_cast<S*>(s.block_sums),
            static_cast<const S*>(l.buffers.dense[0]),
            l.plan.combine,
            l.plan.combine == Combine::kAdd && rounds(l.plan.dtype),
            lanes_for(s.run / V)};
  if (!noted(l, cudaMemsetAsync(s.long_tasks, 0, sizeof(unsigned), stream_of(l)), "cudaMemsetAsync")) return;
  const Index slices = (s.run / V + (Index{1} << w.log_lanes) - 1) >> w.log_lanes;
  const unsigned blocks = resident_blocks(l, (s.count * slices) << w.log_lanes);
  combine_tasks<T, V, K><<<blocks, kBlockThreads, 0, stream_of(l)>>>(s, w);
  if (!launched(l, "combine_tasks")) return;
  if (s.count > s.long_from) {
    add_long<T, K><<<resident_blocks(l, s.count / kLong * 32 * s.run), kBlockThreads, 0, stream_of(l)>>>(s, w);
    if (!launched(l, "add_long")) return;
  }
  if (s.block == 0 || s.count <= s.block) return;
  w.log_lanes = lanes_for(s.run);
  finish_blocks<T, K><<<resident_blocks(l, s.count << w.log_lanes), kBlockThreads, 0, stream_of(l)>>>(s, w);
  launched(l, "finish_blocks");
}

template <class K>
void combine_all(const Launch& l, const Sorted<K>& s) {
  const bool wide = s.run > 1 && piece_bytes(l) == 16;
  with_device_element(l.plan.dtype, [&]<class T>() {
    constexpr int kWide = 16 / static_cast<int>(sizeof(typename T::Storage));
    if (wide) combine_sorted<T, kWide, K>(l, s);
    else combine_sorted<T, 1, K>(l, s);
  });
}

template <class K>
void step_all(const Launch& l, const Sorted<K>& s) {
  const auto plan = device_plan<LargestPlan>(l, l.plan.domain.size());
  with_device_element(l.plan.dtype, [&]<class T>() {
    step_by_step<T, K><<<resident_blocks(l, s.count), kBlockThreads, 0, stream_of(l)>>>(plan, s, l.plan.combine);
  });
  launched(l, "step_by_step");
}

template <class K>
void store_all(const Launch& l, const Sorted<K>& s) {
  const int element = width(l.plan.dtype);
  const auto store = [&]<class U>() {
    const int log_unit = std::countr_zero(static_cast<unsigned>(sizeof(U)) / static_cast<unsigned>(element));
    const Index pieces = s.run >> log_unit;
    const int log_lanes = lanes_for(pieces);
    store_last<U, K><<<blocks_for(s.count << log_lanes), kBlockThreads, 0, stream_of(l)>>>(
        s, static_cast<U*>(l.buffers.indexed[0]), static_cast<const U*>(l.buffers.dense[0]), pieces, log_lanes,
        log_unit);
  };
  const int piece = s.run > 1 ? piece_bytes(l) : 0;
  if (piece >= element) with_piece(piece, store);
  else dispatch_width(element, store);  // single elements, and a c128 at an odd multiple of 8
  launched(l, "store_last");
}

/// What one scatter needs besides its result.
template <class K>
struct Scratch {
  K *key = nullptr, *from = nullptr;  // not yet sorted
  std::byte *cub = nullptr, *block_sums = nullptr;
  std::size_t sort_bytes = 0, select_bytes = 0;
};

template <class K>
Sorted<K> sorted_of(const Launch& l) {
  Sorted<K> s;
  s.run = in_rows(l) ? l.facts.run : 1;
  s.count = l.facts.elements / s.run;
  s.lo = l.facts.span.lo;
  s.nowhere = static_cast<K>(l.facts.span.hi - s.lo + 1);
  s.block = block_of(l);
  s.long_from = l.plan.combine == Combine::kAdd && s.run < 32 ? kLong : s.count;
  return s;
}

/// With no memory: how much it takes.
template <class K>
cudaError_t sort(const Launch& l, const Sorted<K>& s, Scratch<K>& scratch) {
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(s.nowhere)));
  return cub::DeviceRadixSort::SortPairs(scratch.cub, scratch.sort_bytes, scratch.key, s.key, scratch.from, s.from,
                                         s.count, 0, bits, stream_of(l));
}

template <class K>
cudaError_t find_tasks(const Launch& l, const Sorted<K>& s, Scratch<K>& scratch) {
  const K apart = steps_count(l.plan) ? s.nowhere : static_cast<K>(-1);
  return cub::DeviceSelect::If(scratch.cub, scratch.select_bytes, thrust::counting_iterator<K>(0), s.task, s.tasks,
                               s.count, BeginsTask<K>{s.key, s.block, apart}, stream_of(l));
}

template <class K>
bool want_memory(const Launch& l, Sorted<K>& s, Scratch<K>& scratch, Workspace& work) {
  if (!noted(l, sort(l, s, scratch), "SortPairs") || !noted(l, find_tasks(l, s, scratch), "Select")) return false;
  for (K** keys : {&scratch.key, &scratch.from, &s.key, &s.from, &s.task}) work.want(*keys, s.count);
  work.want(s.tasks, 1);
  work.want(s.long_task, s.count / kLong + 1);
  work.want(s.long_tasks, 1);
  work.want(scratch.cub, static_cast<Index>(std::max(scratch.sort_bytes, scratch.select_bytes)));
  work.want(scratch.block_sums, s.block > 0 ? (s.count / s.block + 1) * s.run * width(l.plan.dtype) : 0);
  return true;
}

template <class K>
bool get_memory(const Launch& l, Sorted<K>& s, Scratch<K>& scratch, Workspace& work) {
  if (!want_memory(l, s, scratch, work) || !work.get(l)) return false;
  s.block_sums = scratch.block_sums;
  return true;
}

template <class K>
Index bytes_wanted(const Launch& l) {
  Sorted<K> s = sorted_of<K>(l);
  Scratch<K> scratch;
  Workspace work;
  want_memory(l, s, scratch, work);
  return work.bytes();
}

template <class K>
void find_keys(const Launch& l, const Sorted<K>& s, const Scratch<K>& scratch) {
  const std::size_t axes = l.plan.domain.size() - (in_rows(l) ? 1 : 0);
  with_plan_size(axes, lookups(l.plan), [&]<class Size>() {
    place_keys<K, Size><<<blocks_for(s.count), kBlockThreads, 0, stream_of(l)>>>(
        device_plan<Size>(l, axes), s, scratch.key, scratch.from, steps_count(l.plan));
  });
}

template <class K>
void scatter_sorted(const Launch& l) {
  Sorted<K> s = sorted_of<K>(l);
  Scratch<K> scratch;
  Workspace work;
  if (!get_memory(l, s, scratch, work)) return;
  find_keys(l, s, scratch);
  if (!launched(l, "place_keys") || !noted(l, sort(l, s, scratch), "SortPairs")) return;
  const bool assigns = l.plan.combine == Combine::kAssign && !steps_count(l.plan);
  if (assigns) return store_all(l, s);
  if (!noted(l, find_tasks(l, s, scratch), "Select")) return;
  if (steps_count(l.plan)) step_all(l, s);
  else combine_all(l, s);
}

/// Do places, the one that is none, and offsets of updates fit 32 bits?
bool fits_32(const Launch& l) {
  Index reach = 0;
  for (std::size_t k = 0; k < l.plan.domain.size(); ++k) {
    if (l.plan.dense_stride[k] < 0) return false;
    reach += l.plan.dense_stride[k] * (l.plan.domain[k] - 1);
  }
  constexpr Index kMost = UINT32_MAX - 1;
  return reach < kMost && l.facts.span.hi - l.facts.span.lo + 1 < kMost && l.facts.elements < kMost;
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  if (fits_32(l)) scatter_sorted<std::uint32_t>(l);
  else scatter_sorted<std::uint64_t>(l);
}

Index workspace(const Launch& l) {
  const OnDevice on(l.cuda->device);
  return fits_32(l) ? bytes_wanted<std::uint32_t>(l) : bytes_wanted<std::uint64_t>(l);
}

const char* refuses(const IndexPlan& plan, const PlanFacts&) {
  if (!fits_device(plan)) return "it takes 32 axes and 32 index tensors at most";
  return plan.direction == Direction::kScatter ? nullptr : "it only scatters";
}

}  // namespace

namespace kernel {
extern const Kernel scatter_cuda;
const Kernel scatter_cuda{
    .name = "scatter_cuda",
    .device = DeviceKind::kCuda,
    .refuses = refuses,
    .cost_ns =
        [](const IndexPlan&, const PlanFacts& f) {
  return 20000 + 0.09 * static_cast<double>(f.rows) + 0.0018 * static_cast<double>(f.elements);
},
    .run = launch,
    .workspace = workspace,
};
}  // namespace kernel
}  // namespace garner
