// Gathers along an outer axis: every element of a row looks up its own row of the operand (torch.gather along axis 0).
// Read in place, each lookup fetches a sector for one element. Here a cluster of blocks reads a panel of a few columns
// and all rows, front to back, into its shared memory, each block its share of the rows; lookups go to whichever block
// has the row.
#include <cooperative_groups.h>

#include <algorithm>

#include "kernel/common/clusters.cuh"
#include "kernel/common/odometer.h"
#include "kernel/common/width.h"
#include "kernel/element_gather/exchange_gather.cuh"

namespace garner {
namespace kernel {
extern const Kernel generic_cuda;
}  // namespace kernel
namespace {

namespace cg = cooperative_groups;

constexpr int kPanelThreads = 1024, kMostBlocks = 8;
// Of a row. 16384² f32 on an H200: 3.1 ms with 16, where two blocks have the rows; 3.4 with 32 and four blocks, because
// more lookups go to others; 4.3 with 8 and one, because most of every sector is read for nothing.
constexpr Index kPanelBytes = 16;
[[maybe_unused]] constexpr int kEach = 4;  // lookups of a thread; only where there are clusters
constexpr Index kMostMemory = 128 << 10;  // of a block
// Up to here one block has all rows of 16 bytes, so that lookups are at home without messages.
constexpr Index kLeastExchanged = 8192;
constexpr Index kLeastRows = 256;  // shorter axes stay in the caches by themselves

/// How panels are shared.
struct Shares {
  Index panels;  // of one outer position
  int log_rows;  // rows of a block, as a power of two
  int blocks;  // of a cluster
};

template <class U, int kColumns>
__device__ inline void read_panel(U* panel, const U* from, Index pitch, Index rows, Index columns) {
  for (Index i = threadIdx.x; i < rows * kColumns; i += kPanelThreads) {
    const Index row = i / kColumns, column = i % kColumns;
    if (column < columns) panel[i] = __ldg(from + row * pitch + column);
  }
}

/// An element in the shared memory of a block of the cluster.
template <class U>
__device__ inline U read_theirs(unsigned address, unsigned rank) {
#if __CUDA_ARCH__ >= 900
  const unsigned there = exchange::in_block(address, rank);
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

template <class U, class I, int kColumns>
__global__ void __launch_bounds__(kPanelThreads)
    gather_panels(const __grid_constant__ Panels<U, I> p, const Shares shares) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ uint4 memory[];
  constexpr int kLines = kPanelThreads / kColumns;  // that a block looks up at a time
  U* mine = reinterpret_cast<U*>(memory);
  const auto cluster = cg::this_cluster();
  const auto rank = static_cast<int>(cluster.block_rank());
  const Index panel = static_cast<Index>(blockIdx.x) / shares.blocks, outer = panel / shares.panels;
  const Index column = (panel - outer * shares.panels) * kColumns, columns = min(Index{kColumns}, p.inner - column);
  const Index first = static_cast<Index>(rank) << shares.log_rows;
  const Index rows = max(Index{0}, min(Index{1} << shares.log_rows, p.rows - first));
  read_panel<U, kColumns>(mine, p.from + outer * p.from_outer + first * p.from_row + column, p.from_row, rows, columns);
  const auto memory_at = static_cast<unsigned>(__cvta_generic_to_shared(mine));
  cluster.sync();
  const int c = static_cast<int>(threadIdx.x) % kColumns, step = shares.blocks * kLines;
  const unsigned mask = (1U << shares.log_rows) - 1;
  if (c < columns) {
    const I* index = p.index + outer * p.index_outer + column + c;
    U* to = p.to + outer * p.to_outer + column + c;
    for (int line = rank * kLines + static_cast<int>(threadIdx.x) / kColumns; line < p.lines; line += step * kEach) {
      I raw[kEach];
      U value[kEach];
#pragma unroll
      for (int j = 0; j < kEach; ++j)
        if (line + j * step < p.lines) raw[j] = __ldcs(index + (line + j * step) * p.index_row);
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        value[j] = U{};
        if (line + j * step >= p.lines) continue;
        Index row;
        if (p.plain.resolve(raw[j], row)) {
          const auto at = static_cast<unsigned>(row);
          value[j] = read_theirs<U>(
              memory_at + ((at & mask) * kColumns + static_cast<unsigned>(c)) * static_cast<unsigned>(sizeof(U)),
              at >> shares.log_rows);
        } else {
          p.plain.report(outer * p.number_outer + (line + j * step) * p.number_row + (column + c) * p.number_column,
                         raw[j]);
        }
      }
#pragma unroll
      for (int j = 0; j < kEach; ++j)
        if (line + j * step < p.lines) to[(line + j * step) * p.to_row] = value[j];
    }
  }
  cluster.sync();  // nobody leaves while others read its memory
#endif
}

// ---- the host's part ----

Index rows_of(const IndexPlan& plan) { return plan.terms[0].bounds.hi - plan.terms[0].bounds.lo; }

template <class U, class I>
Panels<U, I> panels_of(const Launch& l) {
  const IndexPlan& plan = l.plan;
  const IndexTerm& term = plan.terms[0];
  const std::size_t last = plan.domain.size() - 1, row = last - 1;
  const Affine affine(plan);
  const PlainIndex plain = plain_index(l);
  const auto outer = [&](const Axes& stride) { return last == 2 ? stride[0] : 0; };
  const Index pitch = looked_up(plan).stride;
  return {.plain = plain,
          .from = static_cast<const U*>(l.buffers.indexed[0]) + affine.base + plain.lo * pitch,
          .index = static_cast<const I*>(l.buffers.indices[0]),
          .to = static_cast<U*>(l.buffers.dense[0]),
          .from_row = pitch,
          .from_outer = outer(affine.step),
          .index_row = term.stride[row],
          .index_outer = outer(term.stride),
          .to_row = plan.dense_stride[row],
          .to_outer = outer(plan.dense_stride),
          .number_row = l.cuda->number_stride[row],
          .number_column = l.cuda->number_stride[last],
          .number_outer = outer(l.cuda->number_stride),
          .lines = plan.domain[row],
          .inner = plan.domain[last],
          .rows = rows_of(plan)};
}

/// The fewest blocks whose memories hold all rows: the fewer, the more lookups stay at home.
Shares shares_of(Index rows, Index inner, int columns) {
  Shares s{.panels = (inner + columns - 1) / columns, .log_rows = 8, .blocks = 1};
  while (rows > Index{1} << s.log_rows && kPanelBytes << (s.log_rows + 1) <= kMostMemory) ++s.log_rows;
  while ((Index{s.blocks} << s.log_rows) < rows) s.blocks *= 2;
  return s;
}

/// Rows move in pieces of 16 bytes, indices in those of a block's columns.
template <class U, class I>
bool exchanges(const Launch& l, const Panels<U, I>& p) {
  using exchange::GatherMemory;
  constexpr Index kUnit = 16 / static_cast<Index>(sizeof(U)), kColumns = GatherMemory<U>::kColumns;
  constexpr auto kIndexBytes = std::min<std::size_t>(16, kColumns * sizeof(I));
  const auto multiples = [](Index of, std::initializer_list<Index> strides) {
    return std::ranges::all_of(strides, [&](Index stride) { return stride % of == 0; });
  };
  return p.rows > kLeastExchanged && p.rows <= exchange::kMostRows && lies_at_multiple(p.from, 16) &&
         lies_at_multiple(p.to, exchange::kPiece) && lies_at_multiple(p.index, kIndexBytes) &&
         multiples(kUnit, {p.from_row, p.from_outer, p.inner}) &&
         multiples(kColumns, {p.to_row, p.to_outer, p.index_row, p.index_outer}) &&
         has_shared(l, sizeof(GatherMemory<U>));
}

template <class U, class I>
void gather(const Launch& l) {
  const auto panels = panels_of<U, I>(l);
  const Index outers = l.facts.elements / (panels.lines * panels.inner);
  if (exchanges(l, panels)) {
    constexpr Index kWidth = exchange::kRowBytes / static_cast<Index>(sizeof(U));
    const Index count = (panels.inner + kWidth - 1) / kWidth;
    return start_clusters(l, {outers * count, exchange::kBlocks, exchange::kThreads, sizeof(exchange::GatherMemory<U>)},
                          exchange::gather_exchanging<U, I>, panels);
  }
  constexpr int kColumns = static_cast<int>(kPanelBytes) / static_cast<int>(sizeof(U));
  const Shares shares = shares_of(panels.rows, panels.inner, kColumns);
  start_clusters(l, {outers * shares.panels, shares.blocks, kPanelThreads, kPanelBytes << shares.log_rows},
                 gather_panels<U, I, kColumns>, panels, shares);
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  if (!has_clusters(l)) return kernel::generic_cuda.run(l);
  dispatch_width(width(l.plan.dtype), [&]<class U>() {
    if constexpr (sizeof(U) <= 8) with_index_type(l.plan, [&]<class I>() { gather<U, I>(l); });
  });
}

const char* refuses(const IndexPlan& plan, const PlanFacts& facts) {
  if (plan.direction != Direction::kGather) return "it only gathers";
  const std::size_t axes = plan.domain.size();
  if (axes < 2 || axes > 3 || !has_checked_index(plan) || plan.fill_stride)
    return "it takes 2 or 3 axes and one plain index tensor";
  if (width(plan.dtype) > 8) return "it takes elements of up to 8 bytes";
  const IndexTerm& term = plan.terms[0];
  const Affine affine(plan);
  const bool across = affine.step[axes - 1] == 1 && affine.step[axes - 2] == 0;
  if (!across || term.stride[axes - 1] != 1 || plan.dense_stride[axes - 1] != 1)
    return "its last axis does not look up rows, column by column";
  const Index rows = rows_of(plan);
  if (rows < kLeastRows || rows * kPanelBytes > kMostBlocks * kMostMemory) return "it takes 256 to 65536 rows";
  if (plan.domain[axes - 2] * 4 < rows || plan.domain[axes - 2] > INT32_MAX / 8)
    return "it looks up too few of the rows";
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
