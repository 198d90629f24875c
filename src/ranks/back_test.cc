// What comes back to each rank, in messages of two rows.
#include "ranks/back.h"

#include <gtest/gtest.h>

#include <numeric>

#include "ranks/thread_ranks.h"
#include "table/backend.h"

namespace garner {
namespace {

constexpr int kRanks = 3;
constexpr Index kRows = 11, kColumns = 2;

/// The ids of each rank; every seventh has no row.
Axes ids_of(int rank) {
  Axes out;
  for (Index i = 0; i < 40 * rank + 20; ++i) out.push_back(i % 7 == 6 ? kNoRow : i * i % kRows);
  return out;
}

/// Which rank and position a contribution is of.
float mark(int rank, Index position) { return static_cast<float>(rank * 1000 + position); }

Tensor marks_of(int rank) {
  const auto n = static_cast<Index>(ids_of(rank).size());
  Tensor out = value_or_throw(Tensor::empty(DType::kF32, {n, kColumns}));
  for (Index i = 0; i < n * kColumns; ++i) out.as<float>()[i] = mark(rank, i / kColumns);
  return out;
}

/// What each row gets, by rank and then by position; summed on each rank where `sums` says so.
std::vector<std::vector<float>> wanted(bool sums) {
  std::vector<std::vector<float>> out(kRows);
  for (int k = 0; k < kRanks; ++k) {
    std::vector<std::vector<float>> mine(kRows);
    const Axes ids = ids_of(k);
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (ids[i] != kNoRow) mine[static_cast<std::size_t>(ids[i])].push_back(mark(k, static_cast<Index>(i)));
    for (std::size_t row = 0; row < out.size(); ++row) {
      if (sums && !mine[row].empty()) mine[row] = {std::accumulate(mine[row].begin(), mine[row].end(), 0.0F)};
      out[row].insert(out[row].end(), mine[row].begin(), mine[row].end());
    }
  }
  return out;
}

void expect_marks(const Contributions& c, const Sharding& s, int rank, bool sums) {
  std::vector<std::vector<float>> got(kRows);
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    const float* row = c.values.as<float>() + static_cast<Index>(i) * kColumns;
    EXPECT_EQ(row[0], row[1]);
    got[static_cast<std::size_t>(s.id(s.begin(rank) + c.rows[i]))].push_back(row[0]);
  }
  const auto all = wanted(sums);
  for (Index place = s.begin(rank); place < s.begin(rank + 1); ++place)
    EXPECT_EQ(got[static_cast<std::size_t>(s.id(place))], all[static_cast<std::size_t>(s.id(place))]);
}

TEST(RankContributions, RankByRankAndPositionByPosition) {
  for (const bool unique : {true, false})
    for (const bool sums : {true, false}) {
      if (sums && !unique) continue;  // a sum of one
      EXPECT_TRUE(on_ranks(kRanks, [&](const std::shared_ptr<Ranks>& ranks) {
        Group group(ranks);
        const Sharding sharding = value_or_throw(Sharding::even(Shards::kCyclic, kRows, kRanks));
        const FlowBuffers buffers = value_or_throw(FlowBuffers::make(4 * kColumns, kRanks, 17));
        const Shard shard{group, sharding, buffers, nullptr};
        const RunOptions run{.determinism = sums ? Determinism::kFast : Determinism::kExact};
        const auto plan = value_or_throw(plan_exchange(shard, ids_of(group.rank()), unique, run));
        const Tensor marks = marks_of(group.rank());
        expect_marks(value_or_throw(send_back(shard, plan, marks, {kColumns}, run)), sharding, group.rank(), sums);
      }));
    }
}

}  // namespace
}  // namespace garner
