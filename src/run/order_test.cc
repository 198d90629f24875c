// Sums into a destination beyond the caches, on any number of threads: what meets is added in the order of
// the indices, at level exact in blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "run/job_builder.h"
#include "run/test_floats.h"

namespace garner {
namespace {

constexpr Index kRows = 34000, kColumns = 64, kUpdates = 60000;  // 8.7 MB, updated by 15.4 MB

/// A third goes to one row, some beyond the end.
Tensor row_numbers() {
  Tensor t = value_or_throw(Tensor::empty(DType::kI64, {kUpdates}));
  std::mt19937 random(5);
  for (Index i = 0; i < kUpdates; ++i) t.as<Index>()[i] = i % 3 == 0 ? 777 : static_cast<Index>(random() % (kRows + 9));
  return t;
}

TEST(Order, SumsFollowTheIndices) {
  const Tensor start = random_floats({kRows, kColumns}, 1), updates = random_floats({kUpdates, kColumns}, 2);
  const Tensor rows = row_numbers();
  Tensor expected = value_or_throw(start.clone());
  for (Index i = 0; i < kUpdates; ++i) {
    const Index row = rows.as<Index>()[i];
    for (Index c = 0; row < kRows && c < kColumns; ++c)
      expected.as<float>()[row * kColumns + c] += updates.as<float>()[i * kColumns + c];
  }
  auto b = JobBuilder::scatter("test", start, updates, Combine::kAdd);
  b.look_up(0, b.term(rows, {0}, {.hi = kRows, .policy = OutOfRange::kDrop}, "rows", "P16")).follow(1, 1);
  const Job job = std::move(b).build();
  const Tensor in_blocks = value_or_throw(run_one(job, {.threads = 1, .kernel = "reference"}));
  EXPECT_FALSE(same(in_blocks, expected)) << "20000 for one place are more than a block";
  for (const int threads : {1, 2, 3, 7}) {
    const RunOptions repeatable{.threads = threads, .determinism = Determinism::kRepeatable};
    EXPECT_TRUE(same(value_or_throw(run_one(job, repeatable)), expected)) << threads;
    EXPECT_TRUE(same(value_or_throw(run_one(job, {.threads = threads})), in_blocks)) << threads;
  }
}

/// Rows that are stored past the caches: a store to a place does not overtake one before it.
TEST(Order, TheLastRowStays) {
  constexpr Index kPlaces = 5000, kWide = 160, kStores = 16000;  // 10 MB
  const Tensor start = random_floats({kPlaces, kWide}, 1), updates = random_floats({kStores, kWide}, 2);
  Tensor rows = value_or_throw(Tensor::empty(DType::kI64, {kStores}));
  std::mt19937 random(6);
  for (Index i = 0; i < kStores; ++i)
    rows.as<Index>()[i] = i % 4 == 0 ? 77 : i % 4 == 1 ? i / 8 : static_cast<Index>(random() % kPlaces);
  Tensor expected = value_or_throw(start.clone());
  for (Index i = 0; i < kStores; ++i)
    std::copy_n(updates.as<float>() + i * kWide, kWide, expected.as<float>() + rows.as<Index>()[i] * kWide);
  auto b = JobBuilder::scatter("test", start, updates, Combine::kAssign);
  b.look_up(0, b.term(rows, {0}, {.hi = kPlaces}, "rows", "P16")).follow(1, 1);
  const Job job = std::move(b).build();
  for (const int threads : {1, 2, 3, 7})
    EXPECT_TRUE(same(value_or_throw(run_one(job, {.threads = threads})), expected)) << threads;
}

}  // namespace
}  // namespace garner
