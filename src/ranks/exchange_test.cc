#include "ranks/exchange.h"

#include <gtest/gtest.h>

#include <random>

#include "ranks/thread_ranks.h"
#include "table/backend.h"

namespace garner {
namespace {

constexpr Shards kKinds[] = {Shards::kBlock, Shards::kCyclic, Shards::kHashed};

struct Case {
  Shards kind = Shards::kBlock;
  Index rows = 100, row_bytes = 12;
  int ranks = 3;
  bool unique = true;
  Index message_bytes = FlowBuffers::kMessageBytes;
};

/// Row `id` of a table in which every byte says where it belongs.
std::vector<std::byte> row_of(Index id, Index row_bytes) {
  std::vector<std::byte> out(static_cast<std::size_t>(row_bytes));
  for (std::size_t b = 0; b < out.size(); ++b) out[b] = static_cast<std::byte>(id * 31 + static_cast<Index>(b) * 7);
  return out;
}

std::vector<std::byte> shard_of(const Sharding& s, int rank, Index row_bytes) {
  std::vector<std::byte> out;
  for (Index row = 0; row < s.extent(rank); ++row) {
    const auto one = row_of(s.id(s.begin(rank) + row), row_bytes);
    out.insert(out.end(), one.begin(), one.end());
  }
  return out;
}

/// Another number of ids on every rank, none on some; most of them few different ones.
Axes random_ids(Index rows, int rank, unsigned seed) {
  std::mt19937 random(seed * 100 + static_cast<unsigned>(rank));
  Axes ids(rank % 4 == 2 ? 0 : random() % 300);
  for (Index& id : ids) {
    const auto n = static_cast<Index>(random());
    id = n % 11 == 0 ? kNoRow : (n % 3 == 0 ? n / 33 % std::min<Index>(rows, 5) : n / 33 % rows);
  }
  return ids;
}

void expect_rows(const Case& c, const Axes& ids, const std::vector<std::byte>& out) {
  const std::vector<std::byte> untouched(static_cast<std::size_t>(c.row_bytes), std::byte{0xAB});
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto wanted = ids[i] == kNoRow ? untouched : row_of(ids[i], c.row_bytes);
    const auto row = out.begin() + static_cast<std::ptrdiff_t>(i * wanted.size());
    ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), row)) << "position " << i;
  }
}

void gather_on(const Case& c, const std::shared_ptr<Ranks>& ranks, const Axes& ids) {
  Group group(ranks);
  const Sharding sharding = value_or_throw(Sharding::even(c.kind, c.rows, c.ranks));
  const FlowBuffers buffers = value_or_throw(FlowBuffers::make(c.row_bytes, c.ranks, c.message_bytes));
  std::vector<std::byte> rows = shard_of(sharding, group.rank(), c.row_bytes);
  const Shard shard{group, sharding, buffers, rows.data()};
  const auto plan = value_or_throw(plan_exchange(shard, ids, c.unique, {}));
  std::vector<std::byte> out(ids.size() * static_cast<std::size_t>(c.row_bytes), std::byte{0xAB});
  for (int turn = 0; turn < 2; ++turn) value_or_throw(gather_rows(shard, plan, out.data(), {}));
  expect_rows(c, ids, out);
}

TEST(RowExchange, EveryRankGetsItsRows) {
  for (const Shards kind : kKinds)
    for (const bool unique : {true, false})
      for (const Index rows : {1, 2, 7, 1000})
        for (int ranks = 1; ranks <= 5; ++ranks) {
          const Case c{kind, rows, 12, ranks, unique, FlowBuffers::kMessageBytes};
          SCOPED_TRACE(testing::Message() << rows << " rows on " << ranks << " ranks, kind " << static_cast<int>(kind));
          EXPECT_TRUE(on_ranks(ranks, [&](const std::shared_ptr<Ranks>& r) {
            gather_on(c, r, random_ids(rows, r->rank(), static_cast<unsigned>(rows)));
          }));
        }
}

/// Messages of two rows, and of one that is longer than they should be: many waves, of which ranks take part in
/// different numbers.
TEST(RowExchange, ManyWaves) {
  for (const bool unique : {true, false})
    for (const Index row_bytes : {100, 300}) {
      const Case c{Shards::kCyclic, 200, row_bytes, 3, unique, 250};
      EXPECT_TRUE(on_ranks(3, [&](const std::shared_ptr<Ranks>& r) {
        Axes ids;
        for (Index i = 0; i < 150 * r->rank(); ++i) ids.push_back(i * i % c.rows);
        gather_on(c, r, ids);
      }));
    }
}

TEST(RowExchange, RowsWithoutBytes) {
  const Case c{.rows = 10, .row_bytes = 0};
  EXPECT_TRUE(on_ranks(3, [&](const std::shared_ptr<Ranks>& r) { gather_on(c, r, {1, 9, 1}); }));
}

TEST(RowExchange, NobodyAsks) {
  const Case c{.kind = Shards::kHashed, .rows = 10, .row_bytes = 8, .ranks = 4};
  EXPECT_TRUE(on_ranks(4, [&](const std::shared_ptr<Ranks>& r) { gather_on(c, r, {}); }));
}

/// A row that is asked for a thousand times travels once.
TEST(RowExchange, UniqueRowsAreSentOnce) {
  for (const bool unique : {true, false}) {
    EXPECT_TRUE(on_ranks(2, [&](const std::shared_ptr<Ranks>& r) {
      Group group(r);
      const Sharding sharding = value_or_throw(Sharding::even(Shards::kBlock, 2, 2));
      const FlowBuffers buffers = value_or_throw(FlowBuffers::make(64, 2));
      std::vector<std::byte> rows(64), out(64 * 1000);
      const Shard shard{group, sharding, buffers, rows.data()};
      const Axes ids(1000, 1 - r->rank());  // the other's
      const auto plan = value_or_throw(plan_exchange(shard, ids, unique, {}));
      const Index before = group.sent();
      value_or_throw(gather_rows(shard, plan, out.data(), {}));
      EXPECT_EQ(group.sent() - before, unique ? 64 : 64 * 1000);
      EXPECT_EQ(group.received(), group.sent());
    }));
  }
}

}  // namespace
}  // namespace garner
