// Rows that are updated several times are sorted first (kernel/common/sorted_rows.h): the same bits as the reference,
// on any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "device/cpu/tuning.h"
#include "garner/error.h"
#include "garner/torch.h"
#include "run/job_builder.h"

namespace garner {
namespace {

enum class Order { kNone, kSorted, kNearlySorted };

struct Rows {
  Index rows, width, count;
  double hot;       // share of the updates that go to row 3
  Index skip = 1;   // rows of the destination lie so many apart
  Order order = Order::kNone;
};

/// Floats whose sums depend on the order.
std::vector<float> uneven(std::mt19937& random, Index count) {
  std::vector<float> out(static_cast<std::size_t>(count));
  std::uniform_real_distribution<float> exponent(-20, 20);
  for (float& x : out) x = std::exp2(exponent(random)) * (random() % 2 == 0 ? 1.F : -1.F);
  return out;
}

std::vector<Index> places(std::mt19937& random, const Rows& r) {
  std::vector<Index> out(static_cast<std::size_t>(r.count));
  std::bernoulli_distribution hot(r.hot);
  for (Index& place : out) place = hot(random) ? 3 : static_cast<Index>(random() % static_cast<unsigned>(r.rows));
  if (r.order != Order::kNone) std::ranges::sort(out);
  if (r.order == Order::kNearlySorted) std::swap(out[out.size() / 2 - 1], out[out.size() / 2 + 40]);
  return out;
}

void expect_as_reference(const Rows& r, unsigned seed) {
  SCOPED_TRACE(testing::Message() << r.rows << " rows of " << r.width << ", " << r.count << " updates, seed " << seed);
  std::mt19937 random(seed);
  std::vector<float> memory = uneven(random, r.rows * r.skip * r.width);
  const std::vector<float> updates = uneven(random, r.count * r.width);
  const std::vector<Index> index = places(random, r);
  const Axes shape{r.rows, r.width}, stride{r.skip * r.width, 1};
  const auto added = [&](int threads, const std::string& kernel) {
    std::vector<float> out = memory;
    const MutableView self(DType::kF32, out.data(), shape, stride);
    const Job job = value_or_throw(torch::lower_index_add(self, 0, index, View(updates.data(), {r.count, r.width})));
    value_or_throw(run_into(job, self, {.threads = threads, .kernel = kernel}));
    return out;
  };
  const std::vector<float> wanted = added(1, "reference");
  for (const int threads : {1, 2, 7}) {
    const std::vector<float> found = added(threads, "scatter_combine");
    EXPECT_EQ(std::memcmp(found.data(), wanted.data(), wanted.size() * sizeof(float)), 0) << threads << " threads";
  }
}

TEST(SortedRows, AreSummedAsTheReferenceDoes) {
  const EagerTuning sorts_small_ones;
  for (const unsigned seed : {1U, 2U}) {
    expect_as_reference({.rows = 50, .width = 64, .count = 700, .hot = 0}, seed);
    expect_as_reference({.rows = 50, .width = 33, .count = 5000, .hot = 0.5}, seed);
    expect_as_reference({.rows = 7, .width = 200, .count = 9000, .hot = 0.9, .skip = 3}, seed);
    expect_as_reference({.rows = 1, .width = 40, .count = 100, .hot = 0}, seed);
    expect_as_reference({.rows = 300, .width = 32, .count = 600, .hot = 0}, seed);
  }
}

/// Then they are left where they are; halves that are in order by themselves need not be so together.
TEST(SortedRows, MayComeInOrder) {
  const EagerTuning sorts_small_ones;
  for (const Order order : {Order::kSorted, Order::kNearlySorted}) {
    expect_as_reference({.rows = 50, .width = 64, .count = 700, .hot = 0, .order = order}, 4);
    expect_as_reference({.rows = 50, .width = 33, .count = 9000, .hot = 0.2, .skip = 2, .order = order}, 5);
    expect_as_reference({.rows = 7, .width = 200, .count = 9000, .hot = 0.9, .order = order}, 6);
    expect_as_reference({.rows = 5, .width = 32, .count = 60000, .hot = 0.7, .order = order}, 7);
  }
}

/// More updates of a row than a block of a sum has.
TEST(SortedRows, HaveSumsInBlocks) {
  const EagerTuning sorts_small_ones;
  expect_as_reference({.rows = 5, .width = 32, .count = 60000, .hot = 0.7}, 3);
}

/// Updates under an index of two axes that lie the other way round: positions are not equally far apart.
TEST(SortedRows, MayHaveUpdatesAnywhere) {
  const EagerTuning sorts_small_ones;
  std::mt19937 random(8);
  constexpr Index kRows = 20, kWidth = 40, kA = 30, kB = 50;
  const std::vector<float> before = uneven(random, kRows * kWidth), updates = uneven(random, kA * kB * kWidth);
  std::vector<Index> index(kA * kB);
  for (Index& value : index) value = static_cast<Index>(random() % kRows);
  const View self(before.data(), {kRows, kWidth});
  auto b = JobBuilder::scatter("rows", self, View(updates.data(), {kA, kB, kWidth}, {kWidth, kA * kWidth, 1}),
                               Combine::kAdd);
  b.look_up(0, b.term(View(index.data(), {kA, kB}), {0, 1}, {.hi = kRows}, "index", "P16")).follow(1, 2);
  const Job job = std::move(b).build();
  const auto added = [&](int threads, const std::string& kernel) {
    std::vector<float> out(before.size());
    value_or_throw(run_into(job, MutableView(out.data(), {kRows, kWidth}), {.threads = threads, .kernel = kernel}));
    return out;
  };
  const std::vector<float> wanted = added(1, "reference");
  for (const int threads : {1, 2, 7}) EXPECT_EQ(added(threads, "scatter_combine"), wanted) << threads << " threads";
}

/// What is out of range is named, and nothing else is lost.
TEST(SortedRows, NameABadIndex) {
  const EagerTuning sorts_small_ones;
  std::vector<float> memory(10 * 64, 1.F), updates(100 * 64, 2.F);
  std::vector<Index> index(100, 4);
  index[70] = 10;
  const MutableView self(memory.data(), {10, 64});
  const Job job = value_or_throw(torch::lower_index_add(self, 0, index, View(updates.data(), {100, 64})));
  const Status status = run_into(job, self, {.threads = 2});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message.find("10"), std::string::npos) << status.message;
  EXPECT_EQ(memory[4 * 64], 1.F + 99 * 2.F);
  EXPECT_EQ(memory[5 * 64], 1.F);
}

}  // namespace
}  // namespace garner
