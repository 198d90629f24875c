// Gathers of rows: elements that lie side by side on both sides, under one set of indices. Lanes of a warp share a row,
// as many as it has pieces of 16 bytes; a lane has pieces of several rows on their way at once.
#include <algorithm>
#include <bit>

#include "kernel/common/launch.cuh"
#include "kernel/common/pieces.h"
#include "kernel/common/places.cuh"

namespace garner {
namespace kernel {
extern const Kernel generic_cuda;
}  // namespace kernel
namespace {

constexpr int kLogRows = 2, kRows = 1 << kLogRows;  // rows that a group of lanes has on their way
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

/// The spot that a lane of the same group has.
__device__ inline Spot of_lane(const Spot& spot, int lane, int group) {
  constexpr unsigned kAllLanes = 0xffffffffU;
  Spot out;
  out.indexed = __shfl_sync(kAllLanes, spot.indexed, lane, group);
  out.dense = __shfl_sync(kAllLanes, spot.dense, lane, group);
  out.fill = __shfl_sync(kAllLanes, spot.fill, lane, group);
  out.valid = __shfl_sync(kAllLanes, spot.valid, lane, group);
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
  // Where enough lanes share the rows, each of them finds the place of one: of 1 M rows under two indices an H200
  // copied 1.4 GB/ms when every lane found all.
  const bool shares = rows.log_lanes >= kLogRows;
  Spot mine;
  if (const Index row = first + lane % kRows * groups; shares && row < places.positions())
    mine = places.at(row, lane < kRows);
#pragma unroll
  for (int j = 0; j < kRows; ++j) {
    const Index row = first + j * groups;
    const Spot theirs = of_lane(mine, j, 1 << rows.log_lanes);
    to[j] = nullptr;
    if (row >= places.positions()) continue;
    const Spot spot = shares ? theirs : places.at(row, lane == 0);
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

/// Rows under one or two plain indices, results and, where it is one, indices and rows without gaps: what most calls
/// are.
template <class I, int kTerms>
struct PackedRows {
  struct Term {
    PlainIndex plain;
    const I* index;
    Index stride, scale;  // of indices; pieces that one step of the index moves
  };
  Term term[kTerms];
  const uint4* from;  // the lowest row
  uint4* to;
  Index count, number_stride;

  /// How many pieces into the operand; −1: there is no such row. kLanes: pieces of a row, where they are known.
  template <int kLanes>
  __device__ Index pieces_to(Index at, bool reports) const {
    Index sum = 0;
    bool valid = true;
#pragma unroll
    for (int t = 0; t < kTerms; ++t) {
      const Index raw = __ldg(term[t].index + (kTerms == 1 ? at : at * term[t].stride));
      Index above;
      if (term[t].plain.resolve(raw, above)) {
        sum += above * (kTerms == 1 && kLanes > 0 ? Index{kLanes} : term[t].scale);
        continue;
      }
      valid = false;
      if (reports) term[t].plain.report(at * number_stride * kTerms + t, raw);
    }
    return valid ? sum : -1;
  }
};

/// Rows of kLanes pieces of 16 bytes, of which a lane has one piece each. 32 M rows of 256 B on an H200: 4.2 ms; one
/// row a lane 4.5, past L1 4.4, copy_rows() 5.0.
template <class I, int kTerms, int kLanes>
__global__ void __launch_bounds__(kBlockThreads) copy_packed_rows(const __grid_constant__ PackedRows<I, kTerms> rows) {
  constexpr int kGroups = kBlockThreads / kLanes;
  const auto lane = static_cast<int>(threadIdx.x) % kLanes;
  const Index first = static_cast<Index>(blockIdx.x) * (kGroups * kRows) + static_cast<int>(threadIdx.x) / kLanes;
  Index from[kRows];
  uint4 value[kRows];
#pragma unroll
  for (int j = 0; j < kRows; ++j) {
    const Index at = first + j * kGroups;
    from[j] = at < rows.count ? rows.template pieces_to<kLanes>(at, lane == 0) : -1;
  }
#pragma unroll
  for (int j = 0; j < kRows; ++j) {
    value[j] = uint4{};
    if (from[j] >= 0) value[j] = __ldg(rows.from + from[j] + lane);
  }
#pragma unroll
  for (int j = 0; j < kRows; ++j)
    if (const Index at = first + j * kGroups; at < rows.count) __stcs(rows.to + at * kLanes + lane, value[j]);
}

constexpr int kPagePieces = 2, kPageThreads = 512;

/// Rows of whole blocks, `per` of them a row, of which a thread has kPagePieces pieces. 4096 rows of 32 KiB on an H200:
/// copy_long_rows(), which finds its row by a division of 64 bits, 73 us; a plain copy of as many bytes 71.5.
template <class I>
__global__ void __launch_bounds__(kPageThreads)
    copy_pages(const __grid_constant__ PackedRows<I, 1> rows, const unsigned per) {
  const unsigned row = blockIdx.x / per, part = blockIdx.x - row * per, threads = blockDim.x;
  const Index from = rows.template pieces_to<0>(row, part == 0 && threadIdx.x == 0);
  const Index first = static_cast<Index>(part) * (kPagePieces * threads) + threadIdx.x;
  uint4* const to = rows.to + static_cast<Index>(row) * (kPagePieces * threads * per) + first;
  uint4 value[kPagePieces];
#pragma unroll
  for (int j = 0; j < kPagePieces; ++j) {
    value[j] = uint4{};
    if (from >= 0) value[j] = __ldg(rows.from + from + first + j * threads);
  }
#pragma unroll
  for (int j = 0; j < kPagePieces; ++j) __stcs(to + j * threads, value[j]);
}

/// A warp has kParts pieces a lane of one row on their way; a row has so many warps as it takes.
template <class U, class Places>
__global__ void __launch_bounds__(kBlockThreads)
    copy_long_rows(const __grid_constant__ Places places, const Sides sides, const Rows rows) {
  const Index warp = (static_cast<Index>(blockIdx.x) * kBlockThreads + threadIdx.x) / 32;
  const Index parts = (rows.pieces + 32 * kParts - 1) / (32 * kParts), row = warp / parts;
  if (row >= places.positions()) return;
  const Index first = (warp - row * parts) * (32 * kParts) + threadIdx.x % 32;
  const Spot spot = places.at(row, first == 0);
  const U* from = static_cast<const U*>(sides.indexed) + (spot.indexed >> rows.log_unit);
  U* to = static_cast<U*>(sides.dense) + (spot.dense >> rows.log_unit);
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

template <class I, int kTerms>
PackedRows<I, kTerms> packed_rows(const Launch& l) {
  const Index unit = 16 / width(l.plan.dtype);
  Index base = Affine(l.plan).base;
  PackedRows<I, kTerms> rows{.term = {},
                             .from = nullptr,
                             .to = static_cast<uint4*>(l.buffers.dense[0]),
                             .count = l.plan.domain[0],
                             .number_stride = l.cuda->number_stride[0]};
  auto* to = rows.term;
  for (const AxisMap& map : l.plan.indexed) {
    if (map.term < 0) continue;
    const auto t = static_cast<std::size_t>(map.term);
    *to++ = {plain_index(l, t), static_cast<const I*>(l.buffers.indices[t]), l.plan.terms[t].stride[0],
             map.stride / unit};
    base += l.plan.terms[t].bounds.lo * map.stride;
  }
  rows.from = static_cast<const uint4*>(l.buffers.indexed[0]) + base / unit;
  return rows;
}

template <class I, int kTerms, int kLanes>
bool start_packed(const Launch& l) {
  const auto rows = packed_rows<I, kTerms>(l);
  const unsigned blocks = blocks_for((rows.count + kRows - 1) / kRows * kLanes);
  copy_packed_rows<I, kTerms, kLanes><<<blocks, kBlockThreads, 0, stream_of(l)>>>(rows);
  launched(l, "copy_packed_rows");
  return true;
}

/// False: rows that blocks of whole warps do not make up.
template <class I>
bool copied_pages(const Launch& l) {
  const Index pieces = l.facts.run * width(l.plan.dtype) / 16;
  for (Index per = 1; per <= 64; ++per) {
    const Index threads = pieces / (kPagePieces * per);
    if (threads < 128 || threads * kPagePieces * per != pieces) continue;
    if (threads > kPageThreads || threads % 32 != 0) continue;
    const auto rows = packed_rows<I, 1>(l);
    if (rows.count > INT32_MAX / per) return false;
    copy_pages<I><<<static_cast<unsigned>(rows.count * per), static_cast<unsigned>(threads), 0, stream_of(l)>>>(
        rows, static_cast<unsigned>(per));
    launched(l, "copy_pages");
    return true;
  }
  return false;
}

/// False: rows of another length.
template <class I, int kTerms>
bool copied_packed(const Launch& l) {
  switch (l.facts.run * width(l.plan.dtype)) {
    case 32: return start_packed<I, kTerms, 2>(l);
    case 64: return start_packed<I, kTerms, 4>(l);
    case 128: return start_packed<I, kTerms, 8>(l);
    case 256: return start_packed<I, kTerms, 16>(l);
    case 512: return start_packed<I, kTerms, 32>(l);
  }
  if constexpr (kTerms == 1) return copied_pages<I>(l);
  return false;
}

/// Promised indices are not compared with anything, so that no value of theirs may mean that there is no row.
bool has_packed_results(const IndexPlan& plan) {
  return plan.domain.size() == 2 && !plan.fill_stride && !plan.mask_stride && !plan.fetch_stride &&
         Affine(plan).step[0] == 0 && plan.dense_stride[0] == plan.domain[1];
}
bool is_packed(const IndexPlan& plan) {
  return has_packed_results(plan) && has_checked_index(plan) && plan.terms[0].stride[0] == 1 &&
         looked_up(plan).stride == plan.domain[1];
}
bool is_packed_pair(const IndexPlan& plan) {
  const auto usual = [&](const IndexTerm& term) {
    return is_plain(term) && is_checked(term.bounds.policy) && term.dtype == plan.terms[0].dtype;
  };
  // Backwards, a row may lie in front of the lowest indices' one, and a negative offset means that there is none.
  const auto forwards = [](const AxisMap& map) { return map.term < 0 || map.stride >= 0; };
  return has_packed_results(plan) && lookups(plan) == 2 && plan.terms.size() == 2 &&
         std::ranges::all_of(plan.terms, usual) && std::ranges::all_of(plan.indexed, forwards);
}

bool copied_packed_rows(const Launch& l) {
  bool done = false;
  if (is_packed(l.plan)) with_index_type(l.plan, [&]<class I>() { done = copied_packed<I, 1>(l); });
  if (is_packed_pair(l.plan)) with_index_type(l.plan, [&]<class I>() { done = copied_packed<I, 2>(l); });
  return done;
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
  if (bytes == 16 && copied_packed_rows(l)) return;
  with_piece(bytes, [&]<class U>() { copy_pieces<U>(l); });
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
