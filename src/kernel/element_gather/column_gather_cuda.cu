// Gathers in which all rows look up the same columns (torch.index_select along the last axis). An index is read and
// compared once for several rows, and their elements are on their way together.
#include <algorithm>

#include "kernel/common/launch.cuh"
#include "kernel/common/odometer.h"
#include "kernel/common/plain_index.cuh"
#include "kernel/common/width.h"

namespace garner {
namespace {

// Rows that a thread has on their way. 4096 of 65536 columns of 4096 rows on an H200, three rounds: 189 us with 8, 186
// with 2, 185 with 1.
constexpr int kRows = 2;
constexpr Index kMostGroups = 65535;  // of rows, in a grid

template <class U, class I>
struct Columns {
  PlainIndex plain;
  const U* from;  // the lowest column
  const I* index;
  U* to;
  Index rows, columns;
  Index from_row, from_column, index_column, to_row, to_column, number_column;
};

template <class U, class I>
__global__ void __launch_bounds__(kBlockThreads) gather_columns(const __grid_constant__ Columns<U, I> c) {
  const Index column = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  if (column >= c.columns) return;
  const Index raw = __ldg(c.index + column * c.index_column);
  Index above;
  const bool valid = c.plain.resolve(raw, above);
  if (!valid && blockIdx.y == 0) c.plain.report(column * c.number_column, raw);
  const U* from = c.from + above * c.from_column;
  U* to = c.to + column * c.to_column;
  for (Index first = static_cast<Index>(blockIdx.y) * kRows; first < c.rows; first += gridDim.y * Index{kRows}) {
    U value[kRows];
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      value[j] = U{};
      if (valid && first + j < c.rows) value[j] = from[(first + j) * c.from_row];
    }
#pragma unroll
    for (int j = 0; j < kRows; ++j)
      if (first + j < c.rows) to[(first + j) * c.to_row] = value[j];
  }
}

template <class U, class I>
void start(const Launch& l) {
  const IndexPlan& plan = l.plan;
  const Affine affine(plan);
  const PlainIndex plain = plain_index(l);
  const Index step = looked_up(plan).stride;
  const Columns<U, I> c{.plain = plain,
                        .from = static_cast<const U*>(l.buffers.indexed[0]) + affine.base + plain.lo * step,
                        .index = static_cast<const I*>(l.buffers.indices[0]),
                        .to = static_cast<U*>(l.buffers.dense[0]),
                        .rows = plan.domain[0],
                        .columns = plan.domain[1],
                        .from_row = affine.step[0],
                        .from_column = step,
                        .index_column = plan.terms[0].stride[1],
                        .to_row = plan.dense_stride[0],
                        .to_column = plan.dense_stride[1],
                        .number_column = l.cuda->number_stride[1]};
  const auto groups = static_cast<unsigned>(std::min(kMostGroups, (c.rows + kRows - 1) / kRows));
  gather_columns<U, I><<<dim3(blocks_for(c.columns), groups), kBlockThreads, 0, stream_of(l)>>>(c);
  launched(l, "gather_columns");
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  dispatch_width(width(l.plan.dtype), [&]<class U>() { with_index_type(l.plan, [&]<class I>() { start<U, I>(l); }); });
}

const char* refuses(const IndexPlan& plan, const PlanFacts&) {
  if (plan.direction != Direction::kGather) return "it only gathers";
  if (plan.domain.size() != 2 || !has_plain_index(plan) || plan.fill_stride)
    return "it takes two axes and one plain index tensor";
  const bool shared = plan.terms[0].stride[0] == 0 && Affine(plan).step[1] == 0;
  return shared ? nullptr : "its rows do not look up the same columns";
}

}  // namespace

namespace kernel {
extern const Kernel column_gather_cuda;
const Kernel column_gather_cuda{
    .name = "column_gather_cuda",
    .device = DeviceKind::kCuda,
    .refuses = refuses,
    .cost_ns = [](const IndexPlan&, const PlanFacts& f) { return 1999 + 0.0055 * static_cast<double>(f.elements); },
    .run = launch,
};
}  // namespace kernel
}  // namespace garner
