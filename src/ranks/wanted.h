// Which rows a rank wants of which rank, from the ids it was asked for.
#pragma once
#include <span>

#include "garner/run.h"
#include "garner/sharding.h"

namespace garner {

/// Groups of positions that get one row. Those whose rows lie on rank k are [ranks[k], ranks[k + 1]).
struct Wanted {
  Axes order;   // positions, group by group, in each as they came; those without a row are left out
  Axes begins;  // group g is order[begins[g]] … order[begins[g + 1] - 1]
  Axes rows;    // of its rank's memory, one per group
  Axes ranks;   // one entry per rank, and the end

  Index groups() const { return static_cast<Index>(rows.size()); }
  Index first(Index group) const { return begins[static_cast<std::size_t>(group)]; }
  /// The groups, and the positions, whose rows lie on a rank.
  Index group_of(int rank) const { return ranks[static_cast<std::size_t>(rank)]; }
  Index groups_of(int rank) const { return group_of(rank + 1) - group_of(rank); }
  Index position_of(int rank) const { return first(group_of(rank)); }
  Index positions_of(int rank) const { return position_of(rank + 1) - position_of(rank); }
};

/// `unique`: a row is one group; otherwise each position is. ids as TableBackend::read has them.
Result<Wanted> wanted(const Sharding& sharding, std::span<const Index> ids, bool unique, const RunOptions& run);

}  // namespace garner
