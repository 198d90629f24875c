// Which rank of a group has which rows of a table.
#pragma once
#include "garner/axes.h"
#include "garner/status.h"

namespace garner {

/// kBlock: neighbours together. kCyclic: row i on rank i % ranks. kHashed: anywhere, by a fixed function of i and the
/// number of rows, so that rows which are often read fall to different ranks wherever they stand.
enum class Shards { kBlock, kCyclic, kHashed };

/// Every id of a table has one place: the rows of rank 0, then those of rank 1, … A rank's own rows are so the places
/// [begin(rank), begin(rank + 1)), and the row of its memory is the place less begin(rank).
class Sharding {
 public:
  /// Nothing on no ranks.
  Sharding() = default;
  /// Ranks have as many rows as the others, or one more. Rule RK1.
  static Result<Sharding> even(Shards kind, Index rows, int ranks);
  /// Blocks of any extents, one per rank. Rule RK1.
  static Result<Sharding> blocks(const Axes& extents);

  Shards kind() const { return kind_; }
  int ranks() const { return static_cast<int>(begins_.size()) - 1; }
  Index rows() const { return begins_.back(); }
  Index begin(int rank) const { return begins_[static_cast<std::size_t>(rank)]; }
  Index extent(int rank) const { return begin(rank + 1) - begin(rank); }

  /// ids in [0, rows) to places and back.
  Index place(Index id) const;
  Index id(Index place) const;
  /// The rank of a place.
  int rank_of(Index place) const;

  bool operator==(const Sharding&) const = default;

 private:
  Sharding(Shards kind, Axes begins) : kind_(kind), begins_(std::move(begins)) {}

  Shards kind_ = Shards::kBlock;
  Axes begins_ = {0};
};

}  // namespace garner
