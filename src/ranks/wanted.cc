#include "ranks/wanted.h"

#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "device/cpu/threads.h"
#include "index/bags.h"
#include "table/backend.h"

namespace garner {
namespace {

Axes places_of(const Sharding& sharding, std::span<const Index> ids, int threads) {
  Axes out(ids.begin(), ids.end());
  const auto n = static_cast<Index>(out.size());
  parallel_ranges(thread_count(threads, 8 * n), n, 1 << 14, [&](Index begin, Index end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      if (out[i] != kNoRow) out[i] = sharding.place(out[i]);
  });
  return out;
}

/// Each position its own group, rank by rank: counted, then dealt out.
Wanted each_position(const Sharding& sharding, const Axes& places) {
  Wanted out;
  out.ranks.resize(static_cast<std::size_t>(sharding.ranks()) + 1);
  std::vector<int> rank(places.size(), -1);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] != kNoRow) ++out.ranks[static_cast<std::size_t>(rank[i] = sharding.rank_of(places[i])) + 1];
  std::partial_sum(out.ranks.begin(), out.ranks.end(), out.ranks.begin());
  out.order.resize(static_cast<std::size_t>(out.ranks.back()));
  out.rows.resize(out.order.size());
  Axes next = out.ranks;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (rank[i] < 0) continue;
    const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(rank[i])]++);
    out.order[to] = static_cast<Index>(i);
    out.rows[to] = places[i] - sharding.begin(rank[i]);
  }
  out.begins.resize(out.order.size() + 1);
  std::iota(out.begins.begin(), out.begins.end(), Index{0});
  return out;
}

/// Places rise, so the ranks' are cut where their first place is.
Wanted shared_out(const Sharding& sharding, index::Bags bags) {
  Wanted out{std::move(bags.positions), std::move(bags.begins), std::move(bags.rows), {0}};
  out.begins.push_back(static_cast<Index>(out.order.size()));
  for (int k = 0; k < sharding.ranks(); ++k) {
    const auto begin = out.rows.begin() + out.group_of(k);
    const auto end = std::lower_bound(begin, out.rows.end(), sharding.begin(k + 1));
    out.ranks.push_back(end - out.rows.begin());
    std::for_each(begin, end, [&](Index& row) { row -= sharding.begin(k); });
  }
  return out;
}

}  // namespace

Result<Wanted> wanted(const Sharding& sharding, std::span<const Index> ids, bool unique, const RunOptions& run) {
  const Axes places = places_of(sharding, ids, run.threads);
  if (!unique) return each_position(sharding, places);
  GARNER_ASSIGN(index::Bags bags, index::bags_of(places, sharding.rows(), kNoRow, run));
  return shared_out(sharding, std::move(bags));
}

}  // namespace garner
