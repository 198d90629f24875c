// Gathers whose last axis looks up single elements of a line that fits a block's shared memory: torch.gather along the
// last axis, codes of a dictionary. The line is read once, front to back, and looked up there.
#include <algorithm>

#include "kernel/common/group.cuh"
#include "kernel/common/launch.cuh"
#include "kernel/common/odometer.h"
#include "kernel/common/plain_index.cuh"
#include "kernel/common/width.h"

namespace garner {
namespace kernel {
extern const Kernel generic_cuda;
}  // namespace kernel
namespace {

constexpr int kLineThreads = 512, kEach = 4;
constexpr Index kLeastLine = 8 << 10, kMostLine = 200 << 10;  // bytes; shorter ones stay in L1 by themselves
constexpr Index kLeastChunk = 1 << 15;                        // lookups that pay for reading a line of 16 KiB again

struct Lines {
  Index chunk, chunks;  // lookups a block does, and blocks a line has
  Index elements;       // of a line
};

template <class U>
__device__ inline void read_line(U* line, const U* from, Index elements) {
  constexpr Index kUnit = 16 / static_cast<Index>(sizeof(U));
  if (kUnit > 1 && reinterpret_cast<std::uintptr_t>(from) % 16 == 0) {
    const Index pieces = elements / kUnit;
    for (Index i = threadIdx.x; i < pieces; i += kLineThreads)
      reinterpret_cast<uint4*>(line)[i] = __ldg(reinterpret_cast<const uint4*>(from) + i);
    for (Index i = pieces * kUnit + threadIdx.x; i < elements; i += kLineThreads) line[i] = from[i];
    return;
  }
  for (Index i = threadIdx.x; i < elements; i += kLineThreads) line[i] = from[i];
}

template <class U, class Size>
__global__ void __launch_bounds__(kLineThreads)
    gather_lines(const __grid_constant__ DevicePlan<Size> plan, const Lines lines) {
  extern __shared__ uint4 memory[];
  U* line = reinterpret_cast<U*>(memory);
  const Index last = plan.axes - 1, inner = plan.extent[last];
  const Index outer = static_cast<Index>(blockIdx.x) / lines.chunks;
  const Index begin = (static_cast<Index>(blockIdx.x) - outer * lines.chunks) * lines.chunk;
  const Index end = begin + lines.chunk < inner ? begin + lines.chunk : inner;
  const auto& term = plan.term[0];
  {
    Index d[Size::kAxes];
    coordinates(plan, outer * inner, d);
    read_line(line, static_cast<const U*>(plan.indexed) + plan.base + along(plan, d, plan.step) + term.bounds.lo,
              lines.elements);
  }
  __syncthreads();
  for (Index first = begin + threadIdx.x; first < end; first += kEach * kLineThreads) {
    Spot spot[kEach];
#pragma unroll
    for (int j = 0; j < kEach; ++j)
      if (const Index at = first + j * kLineThreads; at < end)
        spot[j] = locate<Locate::kInLine>(plan, outer * inner + at);
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      if (first + j * kLineThreads >= end) continue;
      U value{};
      if (spot[j].valid) value = line[spot[j].indexed];
      else if (plan.fill != nullptr) value = static_cast<const U*>(plan.fill)[spot[j].fill];
      static_cast<U*>(plan.dense)[spot[j].dense] = value;
    }
  }
}

/// Lines whose indices and results lie side by side: what a block looks up, four at a time.
template <class U, class I>
struct PlainLines {
  PlainIndex plain;
  const U* from;
  const I* index;
  U* to;
  Index line_pitch, index_pitch, result_pitch, number_pitch, inner;
  bool by_four;  // addresses allow it
};

template <class U, class I>
__global__ void __launch_bounds__(kLineThreads)
    gather_plain_lines(const __grid_constant__ PlainLines<U, I> plan, const Lines lines) {
  extern __shared__ uint4 memory[];
  U* line = reinterpret_cast<U*>(memory);
  const Index outer = static_cast<Index>(blockIdx.x) / lines.chunks;
  const Index begin = (static_cast<Index>(blockIdx.x) - outer * lines.chunks) * lines.chunk;
  const auto count = static_cast<int>(min(lines.chunk, plan.inner - begin));
  read_line(line, plan.from + outer * plan.line_pitch, lines.elements);
  const I* index = plan.index + outer * plan.index_pitch + begin;
  U* to = plan.to + outer * plan.result_pitch + begin;
  const auto look_up = [&](I raw, int at) -> U {
    Index place;
    if (plan.plain.resolve(raw, place)) return line[static_cast<int>(place)];
    plan.plain.report(outer * plan.number_pitch + begin + at, raw);
    return U{};
  };
  __syncthreads();
  int done = 0;
  if (plan.by_four) {
    done = count / 4 * 4;
    for (int at = static_cast<int>(threadIdx.x) * 4; at < done; at += kLineThreads * 4) {
      const Group<I, 4> raw = *reinterpret_cast<const Group<I, 4>*>(index + at);
      Group<U, 4> found;
#pragma unroll
      for (int k = 0; k < 4; ++k) found.v[k] = look_up(raw.v[k], at + k);
      *reinterpret_cast<Group<U, 4>*>(to + at) = found;
    }
  }
  for (int at = done + static_cast<int>(threadIdx.x); at < count; at += kLineThreads) to[at] = look_up(index[at], at);
}

Lines lines_of(const IndexPlan& plan) {
  const Bounds& b = plan.terms[0].bounds;
  Lines lines{.chunk = plan.domain.back(), .chunks = 1, .elements = b.hi - b.lo};
  if (lines.chunk <= 2 * kLeastChunk) return lines;
  lines.chunk = kLeastChunk;
  lines.chunks = (plan.domain.back() + kLeastChunk - 1) / kLeastChunk;
  return lines;
}

Index shared_bytes(const Launch& l) { return (lines_of(l.plan).elements * width(l.plan.dtype) + 15) / 16 * 16; }

template <class Kernel, class Plan>
void start(const Launch& l, Kernel* kernel, const Plan& plan) {
  const Lines lines = lines_of(l.plan);
  const auto blocks = static_cast<unsigned>(l.facts.elements / l.plan.domain.back() * lines.chunks);
  const Index bytes = shared_bytes(l);
  if (!allow_shared(l, kernel, bytes)) return;
  kernel<<<blocks, kLineThreads, static_cast<std::size_t>(bytes), stream_of(l)>>>(plan, lines);
  launched(l, "gather_lines");
}

/// One or two axes, everything side by side along the last.
bool is_plain(const IndexPlan& plan) {
  return plan.domain.size() <= 2 && has_checked_index(plan) && !plan.fill_stride && plan.terms[0].stride.back() == 1 &&
         plan.dense_stride.back() == 1;
}

template <class U, class I>
void gather_plain(const Launch& l) {
  const bool two = l.plan.domain.size() == 2;
  const IndexTerm& term = l.plan.terms[0];
  const Affine affine(l.plan);
  const auto outer = [&](const Axes& stride) { return two ? stride[0] : 0; };
  PlainLines<U, I> plain{.plain = plain_index(l),
                         .from = static_cast<const U*>(l.buffers.indexed[0]) + affine.base + term.bounds.lo,
                         .index = static_cast<const I*>(l.buffers.indices[0]),
                         .to = static_cast<U*>(l.buffers.dense[0]),
                         .line_pitch = outer(affine.step),
                         .index_pitch = outer(term.stride),
                         .result_pitch = outer(l.plan.dense_stride),
                         .number_pitch = outer(l.cuda->number_stride),
                         .inner = l.plan.domain.back(),
                         .by_four = false};
  const auto multiple = [](const void* data, Index pitch, std::size_t item) {
    const std::size_t unit = std::min<std::size_t>(16, 4 * item);
    return reinterpret_cast<std::uintptr_t>(data) % unit == 0 && static_cast<std::size_t>(pitch) * item % unit == 0;
  };
  plain.by_four =
      multiple(plain.index, plain.index_pitch, sizeof(I)) && multiple(plain.to, plain.result_pitch, sizeof(U));
  start(l, gather_plain_lines<U, I>, plain);
}

template <class U>
void gather_staged(const Launch& l) {
  if (is_plain(l.plan) && l.cuda->number_stride.back() == 1)
    return with_index_type(l.plan, [&]<class I>() { gather_plain<U, I>(l); });
  if (l.plan.domain.size() <= 2)
    return start(l, gather_lines<U, PlanSize<2, 1>>, device_plan<PlanSize<2, 1>>(l, l.plan.domain.size()));
  start(l, gather_lines<U, PlanSize<4, 2>>, device_plan<PlanSize<4, 2>>(l, l.plan.domain.size()));
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  if (!has_shared(l, shared_bytes(l))) return kernel::generic_cuda.run(l);
  dispatch_width(width(l.plan.dtype), [&]<class U>() { gather_staged<U>(l); });
}

const char* refuses(const IndexPlan& plan, const PlanFacts& facts) {
  if (plan.direction != Direction::kGather) return "it only gathers";
  if (plan.domain.empty() || plan.domain.size() > 4 || lookups(plan) != 1)
    return "it takes 1 to 4 axes and one index tensor";
  const IndexTerm& term = plan.terms[0];
  const bool still = Affine(plan).step.back() == 0 && term.bounds.scope == Scope::kTerm;
  if (looked_up(plan).stride != 1 || !still) return "its last axis does not look up single elements of a line";
  const Index line = (term.bounds.hi - term.bounds.lo) * width(plan.dtype);
  if (line < kLeastLine || line > kMostLine) return "its lines are shorter than 8 KiB or longer than 200";
  if (plan.domain.back() * 32 < line) return "it looks up too little of each line";
  return facts.elements / plan.domain.back() * (plan.domain.back() / kLeastChunk + 1) < INT32_MAX
             ? nullptr
             : "it has too many lines";
}

}  // namespace

namespace kernel {
extern const Kernel line_gather_cuda;
const Kernel line_gather_cuda{
    .name = "line_gather_cuda",
    .device = DeviceKind::kCuda,
    .refuses = refuses,
    .cost_ns = [](const IndexPlan&, const PlanFacts& f) { return 1998 + 0.005 * static_cast<double>(f.elements); },
    .run = launch,
};
}  // namespace kernel
}  // namespace garner
