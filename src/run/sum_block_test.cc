// Sums longer than a block, with blocks so short that small inputs have them: the formula, on every kernel.
#include <gtest/gtest.h>

#include <random>

#include "device/cpu/tuning.h"
#include "run/job_builder.h"
#include "run/test_floats.h"
#include "tensor/cast.h"

namespace garner {
namespace {

constexpr Index kBlock = 5;

struct ShortBlocks {
  ShortBlocks() { tuning_for_tests().sum_block = kBlock; }
  ~ShortBlocks() { tuning_for_tests() = {}; }
};

/// Half of them 1, some beyond the end.
Tensor random_places(const Axes& shape, Index extent, unsigned seed) {
  Tensor t = value_or_throw(Tensor::empty(DType::kI64, shape));
  std::mt19937 random(seed);
  for (Index i = 0; i < t.elements(); ++i)
    t.as<Index>()[i] = random() % 2 == 0 ? 1 : static_cast<Index>(random() % static_cast<unsigned>(extent + 1));
  return t;
}

/// What the formula says of one place.
float sum_in_blocks(float start, const std::vector<float>& contributions) {
  float sum = start, block = 0;
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    if (i < kBlock) sum += contributions[i];
    else block += contributions[i];
    const bool ends = (i + 1) % kBlock == 0 || i + 1 == contributions.size();
    if (i >= kBlock && ends) sum += std::exchange(block, 0.0F);
  }
  return sum;
}

void expect_all_kernels_agree(const Job& job) {
  const Tensor expected = value_or_throw(run_one(job, {.threads = 1, .kernel = "reference"}));
  for (const std::string& kernel : value_or_throw(accepting_kernels(job)))
    for (const int threads : {1, 2, 3, 7})
      EXPECT_TRUE(same(value_or_throw(run_one(job, {.threads = threads, .kernel = kernel})), expected))
          << kernel << " on " << threads << " threads";
}

Job sum_of(const View& start, const Tensor& updates, const Tensor& places, const Axes& axes, Index along) {
  auto b = JobBuilder::scatter("test", start, updates, Combine::kAdd);
  const Index extent = start.shape()[static_cast<std::size_t>(along)];
  b.look_up(along, b.term(places, axes, {.hi = extent, .policy = OutOfRange::kDrop}, "places", "P16"));
  for (Index a = 0; a < static_cast<Index>(start.shape().size()); ++a)
    if (a != along) b.follow(a, a);
  return std::move(b).build();
}

TEST(SumBlock, Formula) {
  const ShortBlocks blocks;
  constexpr Index kPlaces = 9, kUpdates = 300;
  const Tensor start = random_floats({kPlaces}, 1), updates = random_floats({kUpdates}, 2);
  const Tensor places = random_places({kUpdates}, kPlaces, 3);
  std::vector<std::vector<float>> contributions(kPlaces + 1);
  for (Index i = 0; i < kUpdates; ++i)
    contributions[static_cast<std::size_t>(places.as<Index>()[i])].push_back(updates.as<float>()[i]);
  const Tensor sum = value_or_throw(run_one(sum_of(start, updates, places, {0}, 0)));
  for (Index p = 0; p < kPlaces; ++p)
    EXPECT_EQ(sum.as<float>()[p], sum_in_blocks(start.as<float>()[p], contributions[static_cast<std::size_t>(p)])) << p;
}

TEST(SumBlock, Elements) {
  const ShortBlocks blocks;
  expect_all_kernels_agree(
      sum_of(random_floats({50}, 1), random_floats({3000}, 2), random_places({3000}, 50, 3), {0}, 0));
}

TEST(SumBlock, PlacesBeforeTheDataPointer) {
  const ShortBlocks blocks;
  const Tensor updates = random_floats({3000}, 2), places = random_places({3000}, 50, 3);
  const auto sums = [&](const std::string& kernel, int threads) {
    Tensor memory = random_floats({50}, 1);
    const MutableView reversed(DType::kF32, memory.as<float>() + 49, {50}, {-1});
    const Job job = sum_of(reversed, updates, places, {0}, 0);
    EXPECT_TRUE(run_in_place(job, reversed, nullptr, {.threads = threads, .kernel = kernel}).ok()) << kernel;
    return memory;
  };
  const Tensor expected = sums("reference", 1);
  for (const std::string kernel : {"generic", "scatter_combine"})
    for (const int threads : {1, 2, 7}) EXPECT_TRUE(same(sums(kernel, threads), expected)) << kernel << threads;
}

TEST(SumBlock, Rows) {
  const ShortBlocks blocks;
  for (const Index columns : {1, 3, 64, 500})
    expect_all_kernels_agree(
        sum_of(random_floats({20, columns}, 1), random_floats({700, columns}, 2), random_places({700}, 20, 3), {0}, 0));
}

TEST(SumBlock, AlongEachAxis) {
  const ShortBlocks blocks;
  for (const Index along : {0, 1})
    expect_all_kernels_agree(
        sum_of(random_floats({40, 40}, 1), random_floats({40, 40}, 2), random_places({40, 40}, 40, 3), {0, 1}, along));
}

// Rows that overlap and are not the same: every element has a count of its own.
TEST(SumBlock, Windows) {
  const ShortBlocks blocks;
  const Tensor start = random_floats({60}, 1), updates = random_floats({400, 8}, 2);
  const Tensor starts = random_places({400}, 40, 3);
  auto b = JobBuilder::scatter("test", start, updates, Combine::kAdd);
  b.look_up(0, b.term(starts, {0}, {.hi = 53, .policy = OutOfRange::kDrop}, "starts", "P16")).follow(0, 1);
  expect_all_kernels_agree(std::move(b).build());
}

TEST(SumBlock, EveryFloat) {
  const ShortBlocks blocks;
  for (const DType dtype : {DType::kF16, DType::kBF16, DType::kF64, DType::kC64, DType::kC128, DType::kF8E5M2}) {
    const Tensor start = value_or_throw(cast(random_floats({10, 20}, 1), dtype));
    const Tensor updates = value_or_throw(cast(random_floats({300, 20}, 2), dtype));
    expect_all_kernels_agree(sum_of(start, updates, random_places({300}, 10, 3), {0}, 0));
  }
}

TEST(SumBlock, OtherLevelsAndShortSumsAreInIndexOrder) {
  const Tensor start = random_floats({3}, 1), updates = random_floats({400}, 2), places = random_places({400}, 3, 3);
  const Job job = sum_of(start, updates, places, {0}, 0);
  const Tensor in_order = value_or_throw(run_one(job));  // 400 are less than a block
  const ShortBlocks blocks;
  EXPECT_TRUE(same(value_or_throw(run_one(job, {.determinism = Determinism::kFast})), in_order));
  EXPECT_TRUE(same(value_or_throw(run_one(job, {.determinism = Determinism::kRepeatable})), in_order));
  EXPECT_FALSE(same(value_or_throw(run_one(job)), in_order));
}

TEST(SumBlock, OnesInAnInteger) {
  const ShortBlocks blocks;
  const Tensor start = value_or_throw(Tensor::zeros(DType::kI32, {2}));
  const Tensor ones = value_or_throw(cast(random_floats({100}, 2), DType::kI32));
  expect_all_kernels_agree(sum_of(start, ones, random_places({100}, 2, 3), {0}, 0));
}

}  // namespace
}  // namespace garner
