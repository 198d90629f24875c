#include "ranks/wanted.h"

#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "device/cpu/threads.h"
#include "index/row_order.h"
#include "table/backend.h"

namespace garner {
namespace {

/// Positions whose id has a row, and its place.
struct Named {
  Axes positions, places;
};

Named named(const Sharding& sharding, std::span<const Index> ids, int threads) {
  Named out;
  out.positions.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] != kNoRow) out.positions.push_back(static_cast<Index>(i));
  out.places.resize(out.positions.size());
  const auto n = static_cast<Index>(out.places.size());
  parallel_ranges(thread_count(threads, 8 * n), n, 1 << 14, [&](Index begin, Index end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      out.places[i] = sharding.place(ids[static_cast<std::size_t>(out.positions[i])]);
  });
  return out;
}

/// Each position its own group, rank by rank: counted, then dealt out.
void take_each(const Sharding& sharding, const Named& named, Wanted& out) {
  const std::size_t n = named.places.size();
  std::vector<int> rank(n);
  for (std::size_t i = 0; i < n; ++i)
    ++out.ranks[static_cast<std::size_t>(rank[i] = sharding.rank_of(named.places[i])) + 1];
  std::partial_sum(out.ranks.begin(), out.ranks.end(), out.ranks.begin());
  out.order.resize(n);
  out.rows.resize(n);
  Axes next = out.ranks;
  for (std::size_t i = 0; i < n; ++i) {
    const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(rank[i])]++);
    out.order[to] = named.positions[i];
    out.rows[to] = named.places[i] - sharding.begin(rank[i]);
  }
  out.begins.resize(n + 1);
  std::iota(out.begins.begin(), out.begins.end(), Index{0});
}

/// Equal places behind each other become one group; `rows` are places at first.
void take_sorted(const Named& named, const Tensor& order, Wanted& out) {
  out.order.reserve(named.places.size());
  for (Index i = 0; i < order.elements(); ++i) {
    const auto at = static_cast<std::size_t>(order.as<Index>()[i]);
    if (out.rows.empty() || out.rows.back() != named.places[at]) {
      out.rows.push_back(named.places[at]);
      out.begins.push_back(i);
    }
    out.order.push_back(named.positions[at]);
  }
  out.begins.push_back(order.elements());
}

/// Places rise, so the ranks' are cut where their first place is.
void share_out(const Sharding& sharding, Wanted& out) {
  for (int k = 0; k < sharding.ranks(); ++k) {
    const auto end = std::lower_bound(out.rows.begin() + out.group_of(k), out.rows.end(), sharding.begin(k + 1));
    out.ranks[static_cast<std::size_t>(k) + 1] = end - out.rows.begin();
    std::for_each(out.rows.begin() + out.group_of(k), end, [&](Index& row) { row -= sharding.begin(k); });
  }
}

}  // namespace

Result<Wanted> wanted(const Sharding& sharding, std::span<const Index> ids, bool unique, const RunOptions& run) {
  const Named found = named(sharding, ids, run.threads);
  Wanted out;
  out.ranks.resize(static_cast<std::size_t>(sharding.ranks()) + 1);
  if (!unique) {
    take_each(sharding, found, out);
    return out;
  }
  GARNER_ASSIGN(const Tensor order, index::order_of_rows(found.places, sharding.rows(), run));
  take_sorted(found, order, out);
  share_out(sharding, out);
  return out;
}

}  // namespace garner
