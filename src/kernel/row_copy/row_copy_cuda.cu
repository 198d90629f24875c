// Gathers of rows: elements that lie side by side on both sides, under one set of indices. Lanes of a warp share a row,
// as many as it has pieces of 16 bytes; a lane has pieces of several rows on their way at once.
#include <bit>

#include "kernel/common/launch.cuh"
#include "kernel/common/pieces.h"
#include "kernel/common/places.cuh"

namespace garner {
namespace kernel {
extern const Kernel generic_cuda;
}  // namespace kernel
namespace {

constexpr int kRows = 4;  // rows that a group of lanes has on their way
constexpr int kParts = 4;  // pieces of a long row that a lane has on their way
constexpr Index kLongRow = 64;  // pieces

struct Sides {
  const void* indexed;
  void* dense;
};

/// `log_lanes`: how many lanes share a row. `pieces` of U make a row, `unit` elements a piece.
struct Rows {
  Index pieces;
  int log_lanes, log_unit;
};

/// A piece whose elements are all the fill value.
template <class U>
__device__ inline U filled(const void* fill, Index at, int log_unit) {
  const int bytes = static_cast<int>(sizeof(U)) >> log_unit;
  U out{};
  auto* to = reinterpret_cast<unsigned char*>(&out);
  const auto* from = static_cast<const unsigned char*>(fill) + at * bytes;
  for (int i = 0; i < static_cast<int>(sizeof(U)); ++i) to[i] = from[i % bytes];
  return out;
}

template <class U, class Places>
__global__ void __launch_bounds__(kBlockThreads)
    copy_rows(const __grid_constant__ Places places, const Sides sides, const Rows rows) {
  const Index thread = static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x;
  const Index lane = thread & ((Index{1} << rows.log_lanes) - 1);
  const Index groups = (static_cast<Index>(gridDim.x) * kBlockThreads) >> rows.log_lanes;
  const Index first = thread >> rows.log_lanes;
  const U* from[kRows];
  U* to[kRows];
  Index fill[kRows];
#pragma unroll
  for (int j = 0; j < kRows; ++j) {
    const Index row = first + j * groups;
    to[j] = nullptr;
    if (row >= places.positions()) continue;
    const Spot spot = places.at(row);
    from[j] = spot.valid ? static_cast<const U*>(sides.indexed) + (spot.indexed >> rows.log_unit) : nullptr;
    to[j] = static_cast<U*>(sides.dense) + (spot.dense >> rows.log_unit);
    fill[j] = spot.fill;
  }
  for (Index piece = lane; piece < rows.pieces; piece += Index{1} << rows.log_lanes) {
    U value[kRows];
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      value[j] = U{};
      if (to[j] == nullptr) continue;
      if (from[j] != nullptr) value[j] = __ldg(from[j] + piece);
      else if (places.fill() != nullptr) value[j] = filled<U>(places.fill(), fill[j], rows.log_unit);
    }
#pragma unroll
    for (int j = 0; j < kRows; ++j)
      if (to[j] != nullptr) __stcs(to[j] + piece, value[j]);
  }
}

/// A warp has kParts pieces a lane of one row on their way; a row has so many warps as it takes.
template <class U, class Places>
__global__ void __launch_bounds__(kBlockThreads)
    copy_long_rows(const __grid_constant__ Places places, const Sides sides, const Rows rows) {
  const Index warp = (static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x) / 32;
  const Index parts = (rows.pieces + 32 * kParts - 1) / (32 * kParts), row = warp / parts;
  if (row >= places.positions()) return;
  const Spot spot = places.at(row);
  const U* from = static_cast<const U*>(sides.indexed) + (spot.indexed >> rows.log_unit);
  U* to = static_cast<U*>(sides.dense) + (spot.dense >> rows.log_unit);
  const Index first = (warp - row * parts) * (32 * kParts) + threadIdx.x % 32;
  U value[kParts];
#pragma unroll
  for (int j = 0; j < kParts; ++j) {
    value[j] = U{};
    if (first + 32 * j >= rows.pieces) continue;
    if (spot.valid) value[j] = __ldg(from + first + 32 * j);
    else if (places.fill() != nullptr) value[j] = filled<U>(places.fill(), spot.fill, rows.log_unit);
  }
#pragma unroll
  for (int j = 0; j < kParts; ++j)
    if (first + 32 * j < rows.pieces) __stcs(to + first + 32 * j, value[j]);
}

template <class U>
void copy_pieces(const Launch& l) {
  const int unit = static_cast<int>(sizeof(U)) / width(l.plan.dtype);
  const Sides sides{l.buffers.indexed[0], l.buffers.dense[0]};
  Rows rows{l.facts.run / unit, 0, std::countr_zero(static_cast<unsigned>(unit))};
  while (rows.log_lanes < 5 && (Index{1} << rows.log_lanes) < rows.pieces) ++rows.log_lanes;
  with_places(l, l.plan.domain.size() - 1, [&]<class Places>(const Places& places) {
    if (rows.pieces > kLongRow) {
      const Index warps = l.facts.rows * ((rows.pieces + 32 * kParts - 1) / (32 * kParts));
      copy_long_rows<U, Places><<<blocks_for(warps * 32), kBlockThreads, 0, stream_of(l)>>>(places, sides, rows);
    } else {
      const Index groups = (l.facts.rows + kRows - 1) / kRows;
      copy_rows<U, Places>
          <<<blocks_for(groups << rows.log_lanes), kBlockThreads, 0, stream_of(l)>>>(places, sides, rows);
    }
  });
  launched(l, "copy_rows");
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  const int bytes = piece_bytes(l);
  if (bytes < width(l.plan.dtype)) return kernel::generic_cuda.run(l);  // a c128 at an odd multiple of 8
  switch (bytes) {
    case 16: return copy_pieces<uint4>(l);
    case 8: return copy_pieces<unsigned long long>(l);
    case 4: return copy_pieces<unsigned>(l);
    case 2: return copy_pieces<unsigned short>(l);
    case 1: return copy_pieces<unsigned char>(l);
  }
}

const char* refuses(const IndexPlan& plan, const PlanFacts& facts) {
  if (!fits_device(plan)) return "it takes 32 axes and 32 index tensors at most";
  if (plan.direction != Direction::kGather) return "it only gathers";
  return facts.run < 2 ? "its elements do not lie in rows" : nullptr;
}

}  // namespace

namespace kernel {
extern const Kernel row_copy_cuda;
const Kernel row_copy_cuda{
    .name = "row_copy_cuda",
    .device = DeviceKind::kCuda,
    .refuses = refuses,
    .cost_ns =
        [](const IndexPlan&, const PlanFacts& f) {
  return 1999 + 0.01 * static_cast<double>(f.rows) + 0.001 * static_cast<double>(f.elements);
},
    .run = launch,
};
}  // namespace kernel
}  // namespace garner
