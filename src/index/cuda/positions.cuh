// Bits to positions: where the ones of a block's words stand.
#pragma once
#include <cub/block/block_scan.cuh>

#include "index/cuda/keys.cuh"

namespace garner::index::on_cuda {

/// U holds every position.
template <class U>
__device__ inline void put_position(const Shape& shape, const PositionTable& table, Index number, U position) {
  Index* to = table.data + number * table.step;
  for (int a = shape.rank - 1; a > 0; --a) {
    const U extent = static_cast<U>(shape.extent[a]), above = position / extent;
    __stcs(to + a * table.axis_step, static_cast<Index>(position - above * extent));
    position = above;
  }
  __stcs(to, static_cast<Index>(position));
}

/// Where positions go.
struct Place {
  Index position;  // of the first element
  Index number;    // of the first position in the table
  Index room;
};

/// Positions that were put together. A warp writes from one line of memory on: a store that begins
/// in the middle of a sector costs as much as two.
template <class U>
__device__ inline void write_out(const std::uint16_t* inside, int ones, const Place& at, const Shape& shape,
                                 const PositionTable& table) {
  const auto address =
      reinterpret_cast<std::uintptr_t>(table.data) / sizeof(Index) + static_cast<std::uintptr_t>(at.number);
  const int n = ones < at.room ? ones : static_cast<int>(at.room);
  for (int i = static_cast<int>(threadIdx.x) - static_cast<int>(address % 32); i < n; i += kThreads)
    if (i >= 0) put_position<U>(shape, table, at.number + i, static_cast<U>(at.position + inside[i]));
}

__device__ inline int put_bits(std::uint32_t word, int base, std::uint16_t* inside, int k) {
  for (; word != 0; word &= word - 1)
    inside[k++] = static_cast<std::uint16_t>(base + __ffs(static_cast<int>(word)) - 1);
  return k;
}

/// Positions that a block puts together before it writes them: two rows of words where half of the elements are true.
inline constexpr int kHeld = 9216;
static_assert(kHeld >= 32 * kThreads, "a row of words has so many at most");

/// Shared memory of a block. Counts of up to four rows are added up at once, 16 bits each.
struct PositionRoom {
  using Scan = cub::BlockScan<std::uint64_t, kThreads>;
  typename Scan::TempStorage scan;
  std::uint16_t inside[kHeld];
};

/// Word r * kThreads + t is the one of thread t in row r. As many rows at a time as can be held: fewer barriers, and
/// longer stretches to write. (10 % of 2 G bool on an H200, with the search for them: 1139 us a row at a time, 1034 so.
/// Straight from the words, a bit a lane, 50 % took a fifth longer.)
template <class U, int kRows>
__device__ inline void put_words(const std::uint32_t* words, Place at, const Shape& shape, const PositionTable& table,
                                 PositionRoom& room) {
  static_assert(kRows <= 4);
  const auto thread = static_cast<int>(threadIdx.x);
  std::uint32_t mine[kRows];
  std::uint64_t counts = 0, before = 0, all = 0;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    mine[r] = words[r * kThreads + thread];
    counts |= static_cast<std::uint64_t>(__popc(mine[r])) << (16 * r);
  }
  PositionRoom::Scan(room.scan).ExclusiveSum(counts, before, all);
  const auto in_row = [](std::uint64_t packed, int r) { return static_cast<int>(packed >> (16 * r) & 0xffffU); };
  for (int row = 0; row < kRows && at.room > 0;) {
    int ones = 0, end = row;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      if (r != end || ones + in_row(all, r) > kHeld) continue;
      put_bits(mine[r], (r - row) * 32 * kThreads + thread * 32, room.inside, ones + in_row(before, r));
      ones += in_row(all, r);
      ++end;
    }
    __syncthreads();
    write_out<U>(room.inside, ones, at, shape, table);
    __syncthreads();
    at = {at.position + (end - row) * 32 * kThreads, at.number + ones, at.room - ones};
    row = end;
  }
}

}  // namespace garner::index::on_cuda
