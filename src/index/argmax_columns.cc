// Lanes side by side: whole rows are read in the order they lie in memory, tiles of up to kMaxColumns wide. Where there
// are fewer tiles than keep the threads busy, each is cut into parts of rows, and the parts are compared in their
// order.
#include "index/argmax.h"
#include "index/lanes.h"

namespace garner::index {
namespace {

/// The best of each lane of a tile.
struct TileBest {
  std::vector<WideKey> key;
  Axes position;
};

struct Tiling {
  const Packed& packed;
  Lanes lanes;
  LaneQuery query;
  Index tiles, parts;
  Index units() const { return lanes.outer * tiles; }
  Index first_row(Index part) const { return part * lanes.count / parts; }
  Index column(Index unit) const { return unit % tiles * kMaxColumns; }
  Index columns(Index unit) const { return std::min(kMaxColumns, lanes.inner - column(unit)); }
};

Tiling tiling_of(const Packed& packed, const Lanes& lanes, const LaneQuery& query, int threads) {
  Tiling t{packed, lanes, query, (lanes.inner + kMaxColumns - 1) / kMaxColumns, 1};
  const Index units = t.units(), busy = Index{4} * threads;
  if (threads > 1 && units < busy) t.parts = std::clamp<Index>(busy / std::max<Index>(units, 1), 1, lanes.count);
  return t;
}

void find_part(const Tiling& t, Index unit, Index part, TileBest& best) {
  const Index from = t.first_row(part), rows = t.first_row(part + 1) - from, columns = t.columns(unit);
  const auto* data = element(t.packed, (unit / t.tiles * t.lanes.count + from) * t.lanes.inner + t.column(unit));
  best.key.resize(static_cast<std::size_t>(columns)), best.position.resize(static_cast<std::size_t>(columns));
  best_in_columns({t.packed.view().dtype(), data, rows, t.lanes.inner, columns, t.query.rule}, t.query.tie,
                  {best.key.data(), best.position.data()});
  for (Index& p : best.position) p += from;
}

/// b stands behind a.
void merge(TileBest& a, const TileBest& b, Tie tie) {
  for (std::size_t j = 0; j < a.key.size(); ++j) {
    if (b.key[j] < a.key[j] || (b.key[j] == a.key[j] && tie == Tie::kFirst)) continue;
    a.key[j] = b.key[j], a.position[j] = b.position[j];
  }
}

/// A key of 0 is a NaN that was to be ignored.
void write(const Tiling& t, Index unit, const TileBest& best, Index* out) {
  const bool skips = has_nan(t.packed.view().dtype());
  Index* to = out + unit / t.tiles * t.lanes.inner + t.column(unit);
  for (std::size_t j = 0; j < best.key.size(); ++j)
    to[j] = skips && best.key[j] == 0 ? t.query.nothing : best.position[j];
}

void whole_tiles(const Tiling& t, int threads, Index* out) {
  parallel_ranges(threads, t.units(), lanes_per_thread(t.packed, t.units()), [&](Index begin, Index end) {
    TileBest best;
    for (Index u = begin; u < end; ++u) find_part(t, u, 0, best), write(t, u, best, out);
  });
}

void parts_of_tiles(const Tiling& t, int threads, Index* out) {
  std::vector<TileBest> best(static_cast<std::size_t>(t.units() * t.parts));
  parallel_ranges(threads, static_cast<Index>(best.size()), 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) find_part(t, i / t.parts, i % t.parts, best[static_cast<std::size_t>(i)]);
  });
  for (Index u = 0; u < t.units(); ++u) {
    TileBest& all = best[static_cast<std::size_t>(u * t.parts)];
    for (Index p = 1; p < t.parts; ++p) merge(all, best[static_cast<std::size_t>(u * t.parts + p)], t.query.tie);
    write(t, u, all, out);
  }
}

}  // namespace

void columns_best(const Packed& packed, const Lanes& lanes, const LaneQuery& query, const RunOptions& run, Index* out) {
  const int threads = threads_for(packed, run);
  const Tiling t = tiling_of(packed, lanes, query, threads);
  if (t.parts == 1) whole_tiles(t, threads, out);
  else parts_of_tiles(t, threads, out);
}

}  // namespace garner::index
