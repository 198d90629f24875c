// One answer per lane along an axis: rows go to a loop over one lane, everything else to a loop over many side by side.
#pragma once
#include "device/cpu/threads.h"
#include "index/memory.h"
#include "index/scan.h"

namespace garner::index {

inline const std::byte* element(const Packed& packed, Index at) {
  return static_cast<const std::byte*>(packed.data()) + at * width(packed.view().dtype());
}

/// Lanes that are worth a thread of their own.
inline Index lanes_per_thread(const Packed& packed, Index lanes) {
  const Index bytes = packed.view().elements() * width(packed.view().dtype());
  return std::max<Index>(1, lanes * kBytesPerThread / std::max<Index>(bytes, 1));
}

inline int threads_for(const Packed& packed, const RunOptions& run) {
  return thread_count(run.threads, packed.view().elements() * width(packed.view().dtype()));
}

/// on_row(lane) gives the answer of a lane without gaps; out has one entry per lane.
template <class Row>
void walk_rows(const Packed& packed, const Lanes& lanes, const KeyRule& rule, const RunOptions& run, Index* out,
               Row&& on_row) {
  parallel_ranges(threads_for(packed, run), lanes.outer, lanes_per_thread(packed, lanes.outer),
                  [&](Index begin, Index end) {
    for (Index o = begin; o < end; ++o)
      out[o] = on_row(Lane{packed.view().dtype(), element(packed, o * lanes.count), lanes.count, rule});
  });
}

/// on_block(columns, out) answers for up to kColumns lanes side by side.
inline constexpr Index kColumns = 256;
template <class Block>
void walk_columns(const Packed& packed, const Lanes& lanes, const KeyRule& rule, const RunOptions& run, Index* out,
                  Block&& on_block) {
  const Index tiles = (lanes.inner + kColumns - 1) / kColumns, units = lanes.outer * tiles;
  parallel_ranges(threads_for(packed, run), units, lanes_per_thread(packed, units), [&](Index begin, Index end) {
    for (Index u = begin; u < end; ++u) {
      const Index o = u / tiles, j = u % tiles * kColumns, n = std::min(kColumns, lanes.inner - j);
      const auto* data = element(packed, o * lanes.count * lanes.inner + j);
      on_block(Columns{packed.view().dtype(), data, lanes.count, lanes.inner, n, rule}, out + o * lanes.inner + j);
    }
  });
}

}  // namespace garner::index
