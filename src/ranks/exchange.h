// The plan of who sends which rows to whom, and running it both ways.
#pragma once
#include "ranks/flow.h"
#include "ranks/wanted.h"

namespace garner {

struct RowExchange::State {
  Wanted wanted;
  Axes asked;    // rows of this rank's memory that are wanted, by the rank that wants them, in its order
  Axes askers;   // where each rank's begin in `asked`; one entry per rank, and the end
  Axes shape;    // of the indices
  double fill = 0;  // what a gather has at positions without a row

  Index asked_of(int rank) const { return askers[static_cast<std::size_t>(rank)]; }
  Index asks_of(int rank) const { return asked_of(rank + 1) - asked_of(rank); }
};

/// Where the rows lie on this rank.
struct Shard {
  Group& group;
  const Sharding& sharding;
  const FlowBuffers& buffers;
  std::byte* rows;
};

/// All ranks together. Rules V6, RK6: the same on all ranks.
Result<RowExchange::State> plan_exchange(const Shard& shard, std::span<const Index> ids, bool unique,
                                         const RunOptions& run);

/// Forwards: the rows of each position to out + position * row bytes.
Status gather_rows(const Shard& shard, const RowExchange::State& plan, std::byte* out, const RunOptions& run);

}  // namespace garner
