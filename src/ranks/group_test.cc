#include "ranks/group.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/fail.h"
#include "ranks/back.h"
#include "ranks/thread_ranks.h"

namespace garner {
namespace {

TEST(RankGroup, NumbersOfAll) {
  for (int size = 1; size <= 5; ++size)
    EXPECT_TRUE(on_ranks(size, [&](const std::shared_ptr<Ranks>& ranks) {
      Group group(ranks);
      const Index mine[] = {group.rank() * 10, group.rank() * 10 + 1};
      const Axes all = value_or_throw(group.all_gather(mine));
      ASSERT_EQ(all.size(), static_cast<std::size_t>(2 * size));
      for (int k = 0; k < size; ++k) EXPECT_EQ(all[static_cast<std::size_t>(2 * k) + 1], 10 * k + 1);
      Axes to(static_cast<std::size_t>(size));
      for (int k = 0; k < size; ++k) to[static_cast<std::size_t>(k)] = 100 * group.rank() + k;
      const Axes from = value_or_throw(group.all_to_all(to));
      for (int k = 0; k < size; ++k) EXPECT_EQ(from[static_cast<std::size_t>(k)], 100 * k + group.rank());
    }));
}

TEST(RankGroup, NoNumbersOfAll) {
  EXPECT_TRUE(on_ranks(3, [](const std::shared_ptr<Ranks>& ranks) {
    EXPECT_TRUE(value_or_throw(Group(ranks).all_gather({})).empty());
  }));
}

TEST(RankGroup, OneWordForAll) {
  for (int size = 1; size <= 5; ++size)
    for (int bad = 0; bad < size; ++bad)
      EXPECT_TRUE(on_ranks(size, [&](const std::shared_ptr<Ranks>& ranks) {
        Group group(ranks);
        EXPECT_TRUE(group.agree({}).ok());
        const Status mine = group.rank() < bad ? Status{} : fail(Code::kUnsupported, "X1", "op: from {}", group.rank());
        const Status all = group.agree(mine);
        EXPECT_EQ(all.code, Code::kUnsupported);
        EXPECT_EQ(all.rule, "X1");
        const std::string where = size == 1 ? "" : fmt::format(", on rank {} of {}", bad, size);
        EXPECT_EQ(all.message, fmt::format("op: from {}", bad) + where);
      }));
}

TEST(RankGroup, CountsBytes) {
  EXPECT_TRUE(on_ranks(3, [](const std::shared_ptr<Ranks>& ranks) {
    Group group(ranks);
    const Index mine[] = {1};
    (void)value_or_throw(group.all_gather(mine));
    EXPECT_EQ(group.sent(), 16);
    EXPECT_EQ(group.received(), 16);
  }));
}

/// A rank that is slow, but answers, is not gone: each message that ends begins the time anew.
TEST(RankGroup, SlowIsNotGone) {
  EXPECT_TRUE(on_ranks(2, [](const std::shared_ptr<Ranks>& ranks) {
    Group group(ranks);
    for (int i = 0; i < 3; ++i) {
      if (ranks->rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(200));
      EXPECT_TRUE(group.agree({}).ok());
    }
  }, 10));
}

/// What the system says of a message is what all later calls say: nobody knows what has arrived.
class NoNetwork : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 2; }
  double timeout() const override { return 0; }
  Result<std::unique_ptr<Transfer>> start(Messages) override {
    ++starts;
    return fail(Code::kSystem, "RK6", "ranks: MPI_Isend failed: no route to host");
  }
  int starts = 0;
};

TEST(RankGroup, Rk6WhatTheSystemSaysStays) {
  const auto ranks = std::make_shared<NoNetwork>();
  Group group(ranks);
  for (int turn = 0; turn < 3; ++turn) {
    const Status status = group.agree({});
    EXPECT_EQ(status.code, Code::kSystem);
    EXPECT_EQ(status.message, "ranks: MPI_Isend failed: no route to host");
  }
  EXPECT_EQ(ranks->starts, 1);
}

TEST(RankGroup, V6MessagesThatNoMemoryHolds) {
  const Status status = FlowBuffers::make(Index{1} << 60, 5).status();
  EXPECT_EQ(status.code, Code::kMemory);
  EXPECT_EQ(status.rule, "V6");
}

/// Rank 1 gets more rows back than there is memory: all ranks say so, and go on.
TEST(RankGroup, V6NoRoomForWhatComesBack) {
  EXPECT_TRUE(on_ranks(2, [](const std::shared_ptr<Ranks>& ranks) {
    Group group(ranks);
    const Sharding sharding = value_or_throw(Sharding::even(Shards::kBlock, 2, 2));
    const FlowBuffers buffers = value_or_throw(FlowBuffers::make(8, 2));
    std::vector<std::byte> rows(8);
    const Shard shard{group, sharding, buffers, rows.data()};
    const Axes ids = {1};
    const auto plan = value_or_throw(plan_exchange(shard, ids, true, {}));
    const std::vector<float> update(2);
    const Axes row = {group.rank() == 1 ? Index{1} << 50 : 2};
    for (const Determinism level : {Determinism::kExact, Determinism::kFast}) {
      const Status status = send_back(shard, plan, View(update), row, {.determinism = level}).status();
      EXPECT_EQ(status.code, Code::kMemory);
      EXPECT_TRUE(status.message.ends_with("on rank 1 of 2")) << status.message;
    }
    EXPECT_TRUE(group.agree({}).ok());
  }));
}

}  // namespace
}  // namespace garner
