// Backwards over ranks: at level exact the bits of one process, however many ranks there are.
#include <gmock/gmock.h>

#include "garner/torch.h"
#include "ranks/rank_test.h"

namespace garner {
namespace {

using testing::HasSubstr;

constexpr DType kTableTypes[] = {DType::kF16, DType::kBF16, DType::kF32, DType::kF64};

/// Half of all to row 3: more than the 16384 that are summed one after another.
Tensor hot_ids(index::Random& random, Index count, Index rows) {
  Tensor out = value_or_throw(Tensor::empty(DType::kI64, {count}));
  for (Index i = 0; i < count; ++i) out.as<Index>()[i] = random.one_in(2) ? 3 : random.below(rows);
  return out;
}

Batch batch_for(DType dtype, Index count, Index rows, const Axes& row) {
  index::Random random(static_cast<unsigned>(count));
  Axes shape = row;
  shape.insert(shape.begin(), count);
  return {hot_ids(random, count, rows), rough_tensor(random, dtype, shape), {}};
}

struct Setting {
  Shards shards;
  bool unique;
  int ranks;
};
constexpr Setting kSettings[] = {{Shards::kBlock, true, 1},   {Shards::kBlock, true, 2},  {Shards::kCyclic, true, 3},
                                 {Shards::kHashed, false, 4}, {Shards::kBlock, false, 3}, {Shards::kHashed, true, 5}};

/// body(table on ranks, this rank's part of the batch, rank) in several settings.
void on_settings(const Tensor& whole, Batch batch, const std::function<void(const Table&, const Batch&, int)>& body) {
  for (const Setting& s : kSettings) {
    SCOPED_TRACE(testing::Message() << s.ranks << " ranks, shards " << int(s.shards) << " unique " << s.unique);
    batch.begins = cut(batch.ids.elements(), s.ranks);
    EXPECT_TRUE(on_ranks(s.ranks, [&](const std::shared_ptr<Ranks>& ranks) {
      body(shared(ranks, whole, {s.shards, s.unique}), batch, ranks->rank());
    }));
  }
}

/// The rows of a whole gradient that one rank has, by their number there.
RowGradient part_of(const RowGradient& whole, const Sharding& s, int rank) {
  std::map<Index, Index> found;  // row here -> place in the gradient
  for (Index i = 0; i < whole.rows.elements(); ++i) {
    const Index place = s.place(whole.rows.as<Index>()[i]);
    if (s.rank_of(place) == rank) found[place - s.begin(rank)] = i;
  }
  Axes rows, places, shape = whole.shape;
  for (const auto& [row, place] : found) rows.push_back(row), places.push_back(place);
  shape[0] = s.extent(rank);
  return {value_or_throw(contiguous(rows)), gather(table_of(whole.values), places), shape};
}

TEST(RankTraining, ScatterAddHasTheBitsOfOneProcess) {
  for (const DType dtype : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64, DType::kI32, DType::kU8}) {
    SCOPED_TRACE(name(dtype));
    const Batch batch = batch_for(dtype, 50000, 37, {3});
    index::Random random(1);
    const Tensor whole = rough_tensor(random, dtype, {37, 3});
    const Tensor wanted = torch::index_add(whole, 0, batch.ids, batch.updates);
    on_settings(whole, batch, [&](const Table& table, const Batch& b, int rank) {
      scatter_add(table, b.ids_of(rank), b.updates_of(rank));
      EXPECT_TRUE(same_bits(local(table), shard_of(wanted, sharding(table), rank))) << "rank " << rank;
    });
  }
}

TEST(RankTraining, RowGradientHasTheBitsOfOneProcess) {
  for (const DType dtype : kTableTypes) {
    SCOPED_TRACE(name(dtype));
    const Batch batch = batch_for(dtype, 50000, 61, {2, 2});
    const Tensor whole = value_or_throw(Tensor::zeros(dtype, {61, 2, 2}));
    const RowGradient wanted = row_gradient(batch.ids, batch.updates, whole.shape());
    on_settings(whole, batch, [&](const Table& table, const Batch& b, int rank) {
      const RowGradient mine = row_gradient(table, b.ids_of(rank), b.updates_of(rank));
      const RowGradient part = part_of(wanted, sharding(table), rank);
      EXPECT_TRUE(same_bits(mine.rows, part.rows)) << "rank " << rank;
      EXPECT_TRUE(same_bits(mine.values, part.values)) << "rank " << rank;
      EXPECT_EQ(mine.shape, part.shape);
    });
  }
}

/// Three steps of each optimiser on the shards, against the same steps on the whole table.
TEST(RankTraining, StepsOnShardsAreStepsOnTheTable) {
  const std::function<std::unique_ptr<Optimiser>()> makes[] = {
      [] { return std::make_unique<Sgd>(SgdOptions{.lr = 0.1}); }, [] {
    return std::make_unique<Adagrad>(AdagradOptions{.lr = 0.1});
  }, [] { return std::make_unique<Adam>(AdamOptions{.lr = 0.1}); }};
  for (const DType dtype : kTableTypes)
    for (const auto& make : makes) {
      const Batch batch = batch_for(dtype, 120, 23, {5});
      index::Random random(2);
      const Tensor before = rough_tensor(random, dtype, {23, 5});
      const Tensor after = value_or_throw(before.clone());
      const auto whole = make();
      for (int step = 0; step < 3; ++step) whole->step(after.view(), row_gradient(batch.ids, batch.updates, {23, 5}));
      on_settings(before, batch, [&](const Table& table, const Batch& b, int rank) {
        const auto mine = make();
        for (int step = 0; step < 3; ++step)
          mine->step(local(table), row_gradient(table, b.ids_of(rank), b.updates_of(rank)));
        EXPECT_TRUE(same_bits(local(table), shard_of(after, sharding(table), rank))) << name(dtype);
      });
    }
}

/// <gather(x), y> == <x, scatter_add(0, y)> in whole numbers, which have no order.
TEST(RankTraining, DotTest) {
  index::Random random(3);
  const auto whole_numbers = [&](const Axes& shape) {
    Tensor t = value_or_throw(Tensor::empty(DType::kF64, shape));
    for (Index i = 0; i < t.elements(); ++i) t.as<double>()[i] = static_cast<double>(random.below(21) - 10);
    return t;
  };
  const auto dot = [](const View& a, const View& b) {
    const auto x = index::elements<double>(a), y = index::elements<double>(b);
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  const Tensor x = whole_numbers({19, 4});
  const Batch batch{hot_ids(random, 300, 19), whole_numbers({300, 4}), {}};
  const double wanted = dot(gather(table_of(x), batch.ids), batch.updates);
  for (const Determinism level : {Determinism::kFast, Determinism::kExact}) {
    std::mutex mutex;
    double forwards = 0, backwards = 0;
    const auto body = [&](const Table& table, const Batch& b, int rank) {
      const RowExchange plan = row_exchange(table, b.ids_of(rank));
      const double f = dot(gather(table, plan), b.updates_of(rank));
      const Tensor back = dense(row_gradient(table, plan, b.updates_of(rank), {.determinism = level}));
      const double g = dot(local(table), back);
      const std::scoped_lock lock(mutex);
      forwards += f, backwards += g;
    };
    on_settings(x, batch, body);
    EXPECT_EQ(forwards, wanted * std::size(kSettings));
    EXPECT_EQ(backwards, wanted * std::size(kSettings));
  }
}

/// Below exact each rank adds first: close to it, the same every time, and one row travels for each that is meant.
TEST(RankTraining, FastAddsBeforeItSends) {
  constexpr double kRounding = 50;  // magnitudes add up to some 7e7, of which an f32 has 2^-24
  const Batch batch = batch_for(DType::kF32, 20000, 8, {16});
  const Tensor whole = value_or_throw(Tensor::zeros(DType::kF32, {8, 16}));
  const Tensor exact = torch::index_add(whole, 0, batch.ids, batch.updates);
  for (const Determinism level : {Determinism::kFast, Determinism::kRepeatable}) {
    Batch b = batch;
    b.begins = cut(20000, 3);
    std::vector<Tensor> seen[2] = {std::vector<Tensor>(3), std::vector<Tensor>(3)};
    for (auto& turn : seen)
      EXPECT_TRUE(on_ranks(3, [&](const std::shared_ptr<Ranks>& ranks) {
        const int rank = ranks->rank();
        const Table table = shared(ranks, whole, {});
        const RowExchange plan = row_exchange(table, b.ids_of(rank));
        const Index before = table.stats().bytes_sent;
        scatter_add(table, plan, b.updates_of(rank), {.determinism = level});
        EXPECT_LT(table.stats().bytes_sent - before, 8 * 64 + 1000);
        const Tensor mine = value_or_throw(contiguous(local(table))), wanted = shard_of(exact, sharding(table), rank);
        for (Index i = 0; i < wanted.elements(); ++i)
          EXPECT_NEAR(mine.as<float>()[i], wanted.as<float>()[i], kRounding);
        turn[static_cast<std::size_t>(rank)] = mine;
      }));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(same_bits(seen[0][k], seen[1][k]));
  }
}

/// A filled read is a dropped write; a clamped one comes back to the row it was clamped to.
TEST(RankTraining, PoliciesComeBack) {
  const Tensor whole = value_or_throw(Tensor::zeros(DType::kF32, {6, 1}));
  const Tensor ids = tensor({-1L, 2L, 9L}), updates = tensor({{1.0F}, {10.0F}, {100.0F}});
  const auto sums = [&](const LookupOptions& lookup) {
    Axes out(6);
    EXPECT_TRUE(on_ranks(2, [&](const std::shared_ptr<Ranks>& ranks) {
      const Table table = shared(ranks, whole, {});
      if (ranks->rank() == 0) scatter_add(table, ids, updates, lookup);
      else scatter_add(table, rows_between(ids, 0, 0), rows_between(updates, 0, 0), lookup);
      const auto mine = index::elements<float>(local(table));
      for (std::size_t j = 0; j < 3; ++j) out[static_cast<std::size_t>(ranks->rank()) * 3 + j] = Index(mine[j]);
    }));
    return out;
  };
  EXPECT_EQ(sums({OutOfRange::kFill}), (Axes{0, 0, 10, 0, 0, 0}));
  EXPECT_EQ(sums({OutOfRange::kFill, true}), (Axes{0, 0, 10, 0, 0, 1}));
  EXPECT_EQ(sums({OutOfRange::kClamp}), (Axes{1, 0, 10, 0, 0, 100}));
  EXPECT_EQ(sums({OutOfRange::kModulo}), (Axes{0, 0, 10, 100, 0, 1}));
}

Status on_three(const std::function<Status(const Table&, int)>& call) {
  const Tensor whole = value_or_throw(Tensor::zeros(DType::kF32, {9, 2}));
  std::vector<Status> found(3);
  EXPECT_TRUE(on_ranks(3, [&](const std::shared_ptr<Ranks>& ranks) {
    const Table table = shared(ranks, whole, {});
    found[static_cast<std::size_t>(ranks->rank())] = call(table, ranks->rank());
    for (const float v : index::elements<float>(local(table))) EXPECT_EQ(v, 0);
  }));
  for (const Status& status : found) EXPECT_EQ(status.message, found[0].message);
  return found[0];
}

TEST(RankTraining, Rk5UpdatesThatDoNotFitOnOneRank) {
  const Tensor ids = tensor({1L}), good = tensor({{1.0F, 2.0F}});
  const Status shape = on_three([&](const Table& table, int rank) {
    return tables::scatter_add(table, ids, rank == 1 ? tensor({{1.0F}}) : good);
  });
  EXPECT_EQ(shape.message, "scatter_add: updates has shape [1,1], allowed [1,2], on rank 1 of 3");
  EXPECT_EQ(shape.rule, "RK5");
  const Status dtype = on_three([&](const Table& table, int rank) {
    return tables::row_gradient(table, ids, rank == 2 ? tensor({{1.0, 2.0}}) : good).status();
  });
  EXPECT_EQ(dtype.message, "row_gradient: updates is f64, allowed f32 as the table, on rank 2 of 3");
  EXPECT_EQ(dtype.code, Code::kType);
}

TEST(RankTraining, Tb1BadIndexOnOneRank) {
  const Tensor good = tensor({{1.0F, 2.0F}});
  const Status status = on_three([&](const Table& table, int rank) {
    return tables::row_gradient(table, tensor({Index{rank == 1 ? -1 : 1}}), good).status();
  });
  EXPECT_EQ(status.code, Code::kIndex);
  EXPECT_EQ(status.message, "row_gradient: index[0] is -1, allowed [0, 9) on axis 0 of operand [9,2], on rank 1 of 3");
}

/// Integers have no row gradient: the words are those of rows::row_gradient.
TEST(RankTraining, R3GradientOfIntegers) {
  const Tensor whole = value_or_throw(Tensor::zeros(DType::kI32, {9, 2}));
  EXPECT_TRUE(on_ranks(2, [&](const std::shared_ptr<Ranks>& ranks) {
    const Status s = tables::row_gradient(shared(ranks, whole, {}), tensor({1L}), tensor({{1, 2}})).status();
    EXPECT_EQ(s.rule, "R3");
  }));
}

}  // namespace
}  // namespace garner
