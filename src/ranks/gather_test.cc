// Tables on ranks: every rank's gather is one process's.
#include <gmock/gmock.h>

#include "device/cpu/tuning.h"
#include "format/test_files.h"
#include "ranks/rank_test.h"
#include "tensor/cast.h"

namespace garner {
namespace {

using testing::HasSubstr;

struct Setting {
  ShareOptions share;
  int ranks;
};

template <class Body>
void for_each_setting(const Body& body) {
  for (const Shards shards : kAllShards)
    for (const bool unique : {true, false})
      for (int ranks = 1; ranks <= 5; ++ranks) {
        SCOPED_TRACE(testing::Message() << ranks << " ranks, shards " << int(shards) << ", unique " << unique);
        body(Setting{{shards, unique}, ranks});
      }
}

/// Other ids on every rank, in number, too.
Tensor ids_for(int rank, Index rows) {
  index::Random random(static_cast<unsigned>(rank) + 7);
  Tensor out = value_or_throw(Tensor::empty(DType::kI64, {rank % 4 == 3 ? 0 : 20 + 30 * rank}));
  for (Index i = 0; i < out.elements(); ++i) out.as<Index>()[i] = random.below(random.one_in(3) ? 3 : rows);
  return out;
}

/// gather(table on ranks, ids(rank)) against gather(the same rows in memory, the same ids).
void expect_gathers(const Setting& s, const Tensor& whole, const std::function<Tensor(int)>& ids,
                    const LookupOptions& lookup = {}) {
  EXPECT_TRUE(on_ranks(s.ranks, [&](const std::shared_ptr<Ranks>& ranks) {
    const Table table = shared(ranks, whole, s.share);
    const Tensor mine = ids(ranks->rank()), wanted = gather(table_of(whole), mine, lookup);
    EXPECT_EQ(table.shape(), whole.shape());
    EXPECT_TRUE(same_bits(gather(table, mine, lookup), wanted)) << "rank " << ranks->rank();
    EXPECT_TRUE(same_bits(gather(table, row_exchange(table, mine, lookup)), wanted)) << "rank " << ranks->rank();
  }));
}

TEST(RankTables, EverySharding) {
  const Tensor whole = format::random_tensor(DType::kF32, {101, 5}, 3);
  for_each_setting([&](const Setting& s) { expect_gathers(s, whole, [](int k) { return ids_for(k, 101); }); });
}

/// Rows of whole lines, as large results are written.
TEST(RankTables, PastTheCaches) {
  const EagerTuning eager;
  const Tensor whole = format::random_tensor(DType::kF32, {101, 32}, 3);
  for_each_setting([&](const Setting& s) { expect_gathers(s, whole, [](int k) { return ids_for(k, 101); }); });
}

TEST(RankTables, EveryDtype) {
  for (const DTypeInfo& d : kDTypes) {
    SCOPED_TRACE(d.name);
    const Tensor whole = format::random_tensor(d.dtype, {20, 3, 5}, 7);
    expect_gathers({{Shards::kCyclic}, 3}, whole, [](int k) { return ids_for(k, 20); });
  }
}

TEST(RankTables, EveryIndexDtype) {
  const Tensor whole = format::random_tensor(DType::kF64, {100, 2}, 7);
  for (const DType t :
       {DType::kI8, DType::kI16, DType::kI32, DType::kI64, DType::kU8, DType::kU16, DType::kU32, DType::kU64}) {
    SCOPED_TRACE(name(t));
    expect_gathers({{Shards::kHashed}, 3}, whole, [&](int k) { return value_or_throw(cast(ids_for(k, 100), t)); });
  }
}

/// Rank 0 asks with one number, rank 1 with a matrix, rank 2 with none; and tables of rank 1, without rows, of one.
TEST(RankTables, AnyShape) {
  const auto ids = [](int k) {
    return k == 0   ? scalar(Index{0})
           : k == 1 ? tensor({{0L, 0L}, {0L, 0L}})
                    : Tensor::empty(DType::kI32, {0, 3}).operator*();
  };
  for (const Axes& shape : {Axes{1}, Axes{7}, Axes{7, 0}, Axes{1, 2, 3, 4}})
    expect_gathers({{}, 3}, format::random_tensor(DType::kF32, shape, 1), ids);
  const Tensor none = value_or_throw(Tensor::empty(DType::kI64, {0}));
  expect_gathers({{}, 3}, format::random_tensor(DType::kF32, {0, 4}, 1), [&](int) { return none; });
}

TEST(RankTables, EveryPolicy) {
  const Tensor whole = format::random_tensor(DType::kF32, {10, 3}, 1);
  const auto ids = [](int k) { return k == 1 ? tensor({3L, -1L, 25L, -12L}) : tensor({9L, 10L, 0L}); };
  for (const OutOfRange policy : {OutOfRange::kClamp, OutOfRange::kModulo, OutOfRange::kFill})
    for (const bool negative : {true, false})
      for (const bool unique : {true, false})
        expect_gathers({{Shards::kBlock, unique}, 3}, whole, ids, {policy, negative, -2.5});
}

TEST(RankTables, IntoMemoryAndPrefetch) {
  const Tensor whole = format::random_tensor(DType::kF32, {50, 3}, 1);
  EXPECT_TRUE(on_ranks(3, [&](const std::shared_ptr<Ranks>& ranks) {
    const Table table = shared(ranks, whole, {Shards::kCyclic});
    const Tensor ids = ids_for(ranks->rank(), 50), wanted = gather(table_of(whole), ids);
    index::expect_into(wanted, [&](const MutableView& out) { gather_into(table, ids, out); });
    const Ticket ticket = table.prefetch(ids);
    EXPECT_TRUE(ticket.ready());
    EXPECT_TRUE(same_bits(ticket.wait(), wanted));
  }));
}

// ---- sharing ----

TEST(RankTables, SharedOutOfAWholeTable) {
  const format::Folder folder;
  const Tensor whole = format::random_tensor(DType::kF16, {33, 4}, 5);
  value_or_throw(format::write_npy(folder / "t.npy", whole));
  for (const Place place : {Place::kMemory, Place::kMapped, Place::kDisk})
    for (const Shards shards : kAllShards)
      EXPECT_TRUE(on_ranks(4, [&](const std::shared_ptr<Ranks>& ranks) {
        const Table table = share(ranks, open_table(folder / "t.npy", {.place = place}), {shards});
        const Tensor ids = ids_for(ranks->rank(), 33);
        EXPECT_TRUE(same_bits(gather(table, ids), gather(table_of(whole), ids)));
        EXPECT_TRUE(same_bits(local(table), shard_of(whole, sharding(table), ranks->rank())));
        EXPECT_EQ(table.place(), Place::kRanks);
      }));
}

TEST(RankTables, BlocksOfAnyExtent) {
  const Tensor whole = format::random_tensor(DType::kF32, {9, 2}, 1);
  const Axes begins = {0, 6, 6, 9};
  EXPECT_TRUE(on_ranks(3, [&](const std::shared_ptr<Ranks>& ranks) {
    const auto k = static_cast<std::size_t>(ranks->rank());
    const Table table = share(ranks, value_or_throw(contiguous(rows_between(whole, begins[k], begins[k + 1]))));
    const Tensor ids = tensor({8L, 0L, 5L, 6L});
    EXPECT_TRUE(same_bits(gather(table, ids), gather(table_of(whole), ids)));
  }));
}

TEST(RankTables, CountsWhatTheyDo) {
  const Tensor whole = format::random_tensor(DType::kF32, {4, 16}, 1);
  EXPECT_TRUE(on_ranks(2, [&](const std::shared_ptr<Ranks>& ranks) {
    const Table table = shared(ranks, whole, {});
    const TableStats before = table.stats();
    (void)gather(table, tensor({0L, 0L, 3L, 2L, 2L, 2L}));
    const TableStats after = table.stats();
    EXPECT_EQ(after.lookups, 6);
    EXPECT_EQ(after.unique, 3);
    EXPECT_EQ(after.hits, ranks->rank() == 0 ? 1 : 2);
    const Index rows = ranks->rank() == 0 ? 1 : 2, numbers = 2 + 2 + 1;  // two agreements, a count
    EXPECT_EQ(after.bytes_sent - before.bytes_sent, rows * 64 + (3 - rows) * 8 + numbers * 8);
  }));
}

// ---- what is wrong on one rank is wrong on all ----

/// The same error on all ranks: call(table, rank) is made on three.
Status everywhere(const ShareOptions& options, const std::function<Status(const Table&, int)>& call) {
  const Tensor whole = format::random_tensor(DType::kF32, {16, 4}, 1);
  std::vector<Status> found(3);
  EXPECT_TRUE(on_ranks(3, [&](const std::shared_ptr<Ranks>& ranks) {
    const Table table = shared(ranks, whole, options);
    found[static_cast<std::size_t>(ranks->rank())] = call(table, ranks->rank());
    EXPECT_TRUE(same_bits(gather(table, tensor({15L})), gather(table_of(whole), tensor({15L}))));  // all goes on
  }));
  for (const Status& status : found) {
    EXPECT_EQ(status.message, found[0].message);
    EXPECT_EQ(status.code, found[0].code);
    EXPECT_EQ(status.rule, found[0].rule);
  }
  return found[0];
}

TEST(RankTables, Tb1BadIndexOnOneRank) {
  for (const bool unique : {true, false})
    for (int bad = 0; bad < 3; ++bad) {
      const Status status = everywhere({Shards::kBlock, unique}, [&](const Table& table, int rank) {
        return tables::gather(table, rank == bad ? tensor({3L, 16L}) : tensor({1L, 2L})).status();
      });
      EXPECT_EQ(status.code, Code::kIndex);
      EXPECT_EQ(status.rule, "TB1");
      EXPECT_EQ(status.message, "gather: index[1] is 16, allowed [0, 16) on axis 0 of operand [16,4], on rank " +
                                    std::to_string(bad) + " of 3");
    }
}

TEST(RankTables, Tb1TheFirstRankIsNamed) {
  const Status status = everywhere({}, [&](const Table& table, int rank) {
    return tables::row_exchange(table, tensor({Index{20 * rank}})).status();
  });
  EXPECT_EQ(status.message,
            "row_exchange: index[0] is 20, allowed [0, 16) on axis 0 of operand [16,4], on rank 1 of 3");
}

TEST(RankTables, Tb3DtypeOfOneRank) {
  const Status status = everywhere({}, [&](const Table& table, int rank) {
    return tables::gather(table, rank == 2 ? tensor({1.5}) : tensor({1L})).status();
  });
  EXPECT_EQ(status.rule, "TB3");
  EXPECT_THAT(status.message, HasSubstr("on rank 2 of 3"));
}

/// 2^46 indices by a stride of 0: no memory for their rows.
TEST(RankTables, V6NoMemoryOnOneRank) {
  const Index zero = 0;
  const View many(DType::kI64, &zero, {Index{1} << 46}, {0});
  const Status status = everywhere({}, [&](const Table& table, int rank) {
    return tables::gather(table, rank == 1 ? many : View(tensor({1L}))).status();
  });
  EXPECT_EQ(status.code, Code::kMemory);
  EXPECT_EQ(status.rule, "V6");
}

TEST(RankTables, Rk2RowsThatNoShardingHas) {
  EXPECT_TRUE(on_ranks(3, [&](const std::shared_ptr<Ranks>& ranks) {
    const Tensor rows = value_or_throw(Tensor::zeros(DType::kF32, {ranks->rank() == 1 ? 5 : 4, 2}));
    const Status cyclic = tables::share(ranks, rows, {Shards::kCyclic}).status();
    EXPECT_EQ(cyclic.rule, "RK2");
    EXPECT_EQ(cyclic.message, "share: rows of rank 0 are 4, allowed 5 of 13 (cyclic sharding)");
    EXPECT_EQ(tables::share(ranks, scalar(1.0)).status().rule, "RK2");
    EXPECT_TRUE(tables::share(ranks, rows).ok());
  }));
}

TEST(RankTables, Rk3TablesOfSeveralKinds) {
  EXPECT_TRUE(on_ranks(3, [&](const std::shared_ptr<Ranks>& ranks) {
    const int odd = ranks->rank() == 2 ? 1 : 0;
    const auto refused = [&](DType dtype, const Axes& shape, const ShareOptions& options) {
      const Status s = tables::share(ranks, value_or_throw(Tensor::zeros(dtype, shape)), options).status();
      EXPECT_EQ(s.rule, "RK3");
      EXPECT_THAT(s.message, HasSubstr("of rank 2 are not those of rank 0"));
    };
    refused(odd == 1 ? DType::kF16 : DType::kF32, {4, 2}, {});
    refused(DType::kF32, {4, 2 + odd}, {});
    refused(DType::kF32, odd == 1 ? Axes{4} : Axes{4, 2}, {});
    refused(DType::kF32, {4, 2}, {Shards::kBlock, odd == 0});
    const Table whole = table_of(value_or_throw(Tensor::zeros(DType::kF32, {4 + odd, 2})));
    EXPECT_EQ(tables::share(ranks, whole).status().rule, "RK3");
  }));
}

TEST(RankTables, Rk4TablesThatAreElsewhere) {
  const Tensor rows = tensor({{1.0F, 2.0F}});
  const Table table = table_of(rows);
  EXPECT_EQ(tables::local(table).status().rule, "RK4");
  EXPECT_EQ(tables::sharding(table).status().rule, "RK4");
  EXPECT_EQ(tables::row_exchange(table, tensor({0L})).status().rule, "RK4");
  EXPECT_EQ(tables::scatter_add(table, tensor({0L}), rows).rule, "RK4");
  EXPECT_EQ(tables::row_gradient(table, tensor({0L}), rows).status().rule, "RK4");
}

/// Rank 1 goes home: the others say so, in time, now and whenever they are asked again.
TEST(RankTables, Rk6ARankThatDoesNotAnswer) {
  const Tensor whole = format::random_tensor(DType::kF32, {16, 4}, 1);
  on_ranks(3, [&](const std::shared_ptr<Ranks>& ranks) {
    const Table table = shared(ranks, whole, {});
    if (ranks->rank() == 1) return;
    for (int turn = 0; turn < 2; ++turn) {
      const Status status = tables::gather(table, tensor({1L})).status();
      EXPECT_EQ(status.code, Code::kSystem);
      EXPECT_EQ(status.rule, "RK6");
      EXPECT_EQ(status.message, "ranks: rank 1 did not answer within 0.3 s, allowed less (timeout)");
    }
  }, 0.3);
}

}  // namespace
}  // namespace garner
