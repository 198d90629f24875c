// Gathers along an outer axis: every element of a row looks up its own row of the operand (torch.gather along axis 0).
// Read in place, each lookup fetches a sector for one element. Here a cluster of blocks reads a panel of a few columns
// and all rows, front to back, into its shared memory, each block its share of the rows; lookups go to whichever block
// has the row.
#include <cooperative_groups.h>

#include <algorithm>

#include "kernel/common/launch.cuh"
#include "kernel/common/places.cuh"
#include "kernel/common/width.h"

namespace garner {
namespace kernel {
extern const Kernel generic_cuda;
}  // namespace kernel
namespace {

namespace cg = cooperative_groups;
using PanelPlan = DevicePlan<PlanSize<4, 2>>;

constexpr int kPanelThreads = 512, kMostBlocks = 8;
[[maybe_unused]] constexpr int kEach = 4;  // lookups of a thread; only where there are clusters
constexpr Index kPanelBytes = 32;             // of a row: a sector
constexpr Index kLeastRows = 256;             // shorter axes stay in the caches by themselves

struct Panels {
  Index rows;           // of the operand
  Index outer_panels;   // panels of one outer position
  int log_rows;         // rows of a block, as a power of two
  int blocks;           // of a cluster
};

template <class U>
__device__ inline void read_panel(U* panel, const U* from, Index pitch, Index rows, Index columns) {
  constexpr int kColumns = kPanelBytes / static_cast<Index>(sizeof(U));
  for (Index i = threadIdx.x; i < rows * kColumns; i += kPanelThreads) {
    const Index row = i / kColumns, column = i % kColumns;
    if (column < columns) panel[i] = __ldg(from + row * pitch + column);
  }
}

template <class U>
__global__ void __launch_bounds__(kPanelThreads)
    gather_panels(const __grid_constant__ PanelPlan plan, const Panels panels) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ uint4 memory[];
  constexpr Index kColumns = kPanelBytes / static_cast<Index>(sizeof(U));
  U* mine = reinterpret_cast<U*>(memory);
  const auto cluster = cg::this_cluster();
  const int rank = static_cast<int>(cluster.block_rank());
  const Index panel = static_cast<Index>(blockIdx.x) / panels.blocks, outer = panel / panels.outer_panels;
  const Index last = plan.axes - 1, lines = plan.extent[last - 1], inner = plan.extent[last];
  const Index column = (panel - outer * panels.outer_panels) * kColumns, columns = min(kColumns, inner - column);
  const auto& term = plan.term[0];
  {
    Index d[4];
    coordinates(plan, outer * lines * inner, d);
    const Index first = static_cast<Index>(rank) << panels.log_rows;
    const Index rows = max(Index{0}, min(Index{1} << panels.log_rows, panels.rows - first));
    const U* from = static_cast<const U*>(plan.indexed) + plan.base + along(plan, d, plan.step) + column +
                    (term.bounds.lo + first) * term.scale;
    read_panel(mine, from, term.scale, rows, columns);
  }
  cluster.sync();
  const Index step = static_cast<Index>(panels.blocks) * kPanelThreads, all = lines * kColumns;
  for (Index first = static_cast<Index>(rank) * kPanelThreads + threadIdx.x; first < all; first += step * kEach) {
    Spot spot[kEach];
    U value[kEach];
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const Index at = first + j * step, c = at % kColumns;
      if (at < all && c < columns)
        spot[j] = locate<Locate::kInLine>(plan, (outer * lines + at / kColumns) * inner + column + c);
    }
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const Index at = first + j * step, c = at % kColumns;
      value[j] = U{};
      if (at >= all || c >= columns) continue;
      if (spot[j].valid) {
        const Index row = spot[j].indexed;
        U* theirs = cluster.map_shared_rank(mine, static_cast<int>(row >> panels.log_rows));
        value[j] = theirs[(row & ((Index{1} << panels.log_rows) - 1)) * kColumns + c];
      } else if (plan.fill != nullptr) {
        value[j] = static_cast<const U*>(plan.fill)[spot[j].fill];
      }
    }
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const Index at = first + j * step;
      if (at < all && at % kColumns < columns) static_cast<U*>(plan.dense)[spot[j].dense] = value[j];
    }
  }
  cluster.sync();  // nobody leaves while others read its memory
#endif
}

/// An element in the shared memory of a block of the cluster.
template <class U>
__device__ inline U read_theirs(unsigned address, unsigned rank) {
#if __CUDA_ARCH__ >= 900
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
  if constexpr (sizeof(U) == 8) {
    unsigned long long value;
    asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(value) : "r"(there));
    return static_cast<U>(value);
  } else if constexpr (sizeof(U) == 4) {
    unsigned value;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(there));
    return static_cast<U>(value);
  } else if constexpr (sizeof(U) == 2) {
    unsigned short value;
    asm volatile("ld.shared::cluster.u16 %0, [%1];" : "=h"(value) : "r"(there));
    return static_cast<U>(value);
  } else {
    unsigned value;
    asm volatile("ld.shared::cluster.u8 %0, [%1];" : "=r"(value) : "r"(there));
    return static_cast<U>(value);
  }
#else
  return U{};
#endif
}

/// Two axes, indices and results side by side along the last: a tenth of the instructions.
template <class U, class I>
struct PlainPanels {
  const U* from;  // row `lo`
  const I* index;
  U* to;
  Index row_pitch, index_pitch, result_pitch, lines, inner;
  Index lo, wrap;
  std::uint64_t size;
  void* ledger;
  std::uint64_t sequence;
};

template <class U, class I>
__global__ void __launch_bounds__(kPanelThreads, 2)
    gather_plain_panels(const __grid_constant__ PlainPanels<U, I> plan, const Panels panels) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ uint4 memory[];
  constexpr int kColumns = static_cast<int>(kPanelBytes / static_cast<Index>(sizeof(U)));
  constexpr int kLines = kPanelThreads / kColumns;  // that a block looks up at a time
  U* mine = reinterpret_cast<U*>(memory);
  const auto cluster = cg::this_cluster();
  const auto rank = static_cast<int>(cluster.block_rank());
  const Index column = static_cast<Index>(blockIdx.x) / panels.blocks * kColumns,
              columns = min(Index{kColumns}, plan.inner - column);
  const Index first = static_cast<Index>(rank) << panels.log_rows;
  const Index rows = max(Index{0}, min(Index{1} << panels.log_rows, panels.rows - first));
  read_panel(mine, plan.from + first * plan.row_pitch + column, plan.row_pitch, rows, columns);
  const auto memory_at = static_cast<unsigned>(__cvta_generic_to_shared(mine));
  cluster.sync();
  const int c = static_cast<int>(threadIdx.x) % kColumns, step = panels.blocks * kLines;
  const unsigned mask = (1U << panels.log_rows) - 1;
  if (c < columns) {
    const I* index = plan.index + column + c;
    U* to = plan.to + column + c;
    for (int line = rank * kLines + static_cast<int>(threadIdx.x) / kColumns; line < plan.lines; line += step * kEach) {
      I raw[kEach];
      U value[kEach];
#pragma unroll
      for (int j = 0; j < kEach; ++j)
        if (line + j * step < plan.lines) raw[j] = __ldcs(index + (line + j * step) * plan.index_pitch);
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        value[j] = U{};
        if (line + j * step >= plan.lines) continue;
        const Index row = (raw[j] < 0 ? raw[j] + plan.wrap : raw[j]) - plan.lo;
        if (static_cast<std::uint64_t>(row) < plan.size) {
          const auto at = static_cast<unsigned>(row);
          value[j] = read_theirs<U>(
              memory_at + ((at & mask) * kColumns + static_cast<unsigned>(c)) * static_cast<unsigned>(sizeof(U)),
              at >> panels.log_rows);
        } else if (plan.ledger != nullptr) {
          record_fault(plan.ledger, plan.sequence,
                       static_cast<std::uint64_t>((line + j * step) * plan.inner + column + c),
                       static_cast<std::uint64_t>(static_cast<Index>(raw[j])));
        }
      }
#pragma unroll
      for (int j = 0; j < kEach; ++j)
        if (line + j * step < plan.lines) to[(line + j * step) * plan.result_pitch] = value[j];
    }
  }
  cluster.sync();  // nobody leaves while others read its memory
#endif
}

/// The fewest blocks whose memories hold all rows, so that several clusters fit a multiprocessor.
Panels panels_of(const Launch& l) {
  const Bounds& b = l.plan.terms[0].bounds;
  const Index columns = kPanelBytes / width(l.plan.dtype), inner = l.plan.domain.back();
  Panels p{.rows = b.hi - b.lo, .outer_panels = (inner + columns - 1) / columns, .log_rows = 8, .blocks = 1};
  while ((kMostBlocks << p.log_rows) < p.rows) ++p.log_rows;
  while ((Index{p.blocks} << p.log_rows) < p.rows) p.blocks *= 2;
  return p;
}

bool has_clusters(int device) {
  int major = 0;
  return cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess && major >= 9;
}

template <class Kernel, class Plan>
void start(const Launch& l, Kernel* kernel, const Plan& plan) {
  const Panels panels = panels_of(l);
  const std::size_t axes = l.plan.domain.size();
  const Index outer = l.facts.elements / (l.plan.domain[axes - 1] * l.plan.domain[axes - 2]);
  const int bytes = static_cast<int>(kPanelBytes << panels.log_rows);
  if (!noted(l, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory"))
    return;
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {static_cast<unsigned>(panels.blocks), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(outer * panels.outer_panels * panels.blocks));
  config.blockDim = dim3(kPanelThreads);
  config.dynamicSmemBytes = static_cast<std::size_t>(bytes);
  config.stream = stream_of(l);
  config.attrs = &cluster;
  config.numAttrs = 1;
  noted(l, cudaLaunchKernelEx(&config, kernel, plan, panels), "gather_panels");
}

bool is_plain(const Launch& l) {
  const IndexPlan& plan = l.plan;
  return plan.domain.size() == 2 && is_plain_lookup(plan) && plan.terms[0].bounds.policy != OutOfRange::kPromise &&
         !plan.fill_stride && plan.terms[0].stride[1] == 1 && plan.dense_stride[1] == 1 &&
         plan.domain[0] < INT32_MAX / 2 && l.cuda->number_stride == row_major(plan.domain);
}

template <class U, class I>
void gather_plain(const Launch& l) {
  const IndexTerm& term = l.plan.terms[0];
  const OneLookup<I> one = one_lookup<I>(l);
  const PlainPanels<U, I> plain{
      .from = static_cast<const U*>(l.buffers.indexed[0]) + one.base + term.bounds.lo * one.scale,
      .index = one.index,
      .to = static_cast<U*>(l.buffers.dense[0]),
      .row_pitch = one.scale,
      .index_pitch = one.index_stride,
      .result_pitch = one.dense_stride,
      .lines = l.plan.domain[0],
      .inner = l.plan.domain[1],
      .lo = one.lo,
      .wrap = one.wrap,
      .size = one.size,
      .ledger = one.ledger,
      .sequence = one.sequence};
  start(l, gather_plain_panels<U, I>, plain);
}

template <class U>
void gather_by_panels(const Launch& l) {
  if (!is_plain(l)) return start(l, gather_panels<U>, device_plan<PlanSize<4, 2>>(l, l.plan.domain.size()));
  if (l.plan.terms[0].dtype == DType::kI32) gather_plain<U, std::int32_t>(l);
  else gather_plain<U, Index>(l);
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  if (!has_clusters(l.cuda->device)) return kernel::generic_cuda.run(l);
  switch (width(l.plan.dtype)) {
    case 1: return gather_by_panels<std::uint8_t>(l);
    case 2: return gather_by_panels<std::uint16_t>(l);
    case 4: return gather_by_panels<std::uint32_t>(l);
    case 8: return gather_by_panels<unsigned long long>(l);
  }
}

const char* refuses(const IndexPlan& plan, const PlanFacts& facts) {
  if (plan.direction != Direction::kGather) return "it only gathers";
  const std::size_t axes = plan.domain.size();
  if (axes < 2 || axes > 4 || lookups(plan) != 1) return "it takes 2 to 4 axes and one index tensor";
  if (width(plan.dtype) > 8) return "it takes elements of up to 8 bytes";
  const IndexTerm& term = plan.terms[0];
  const Affine affine(plan);
  const bool across = affine.step[axes - 1] == 1 && affine.step[axes - 2] == 0 && term.stride[axes - 1] != 0;
  if (!across || term.bounds.scope != Scope::kTerm) return "its last axis does not look up rows, column by column";
  const Index rows = term.bounds.hi - term.bounds.lo;
  if (rows < kLeastRows || rows * kPanelBytes > kMostBlocks * (128 << 10)) return "it takes 256 to 32768 rows";
  if (plan.domain[axes - 2] * 4 < rows) return "it looks up too few of the rows";
  return facts.elements / plan.domain[axes - 2] < (Index{1} << 28) ? nullptr : "it has too many columns";
}

}  // namespace

namespace kernel {
extern const Kernel panel_gather_cuda;
const Kernel panel_gather_cuda{
    .name = "panel_gather_cuda",
    .device = DeviceKind::kCuda,
    .refuses = refuses,
    .cost_ns = [](const IndexPlan&, const PlanFacts& f) { return 1998 + 0.006 * static_cast<double>(f.elements); },
    .run = launch,
};
}  // namespace kernel
}  // namespace garner
