#include "tensor/pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "garner/tensor.h"

namespace garner {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kPlenty = 1024 * kMiB;

std::uintptr_t address(const std::shared_ptr<void>& block) { return reinterpret_cast<std::uintptr_t>(block.get()); }

/// Every test begins and ends with nothing idle, under a limit it cannot reach.
class Pool : public testing::Test {
 protected:
  void SetUp() override {
    set_pool_limit(kPlenty);
    release_pool();
    before_ = pool_stats();
  }
  void TearDown() override {
    release_pool();
    set_pool_limit(kPlenty);
    EXPECT_EQ(pool_stats().used_bytes, before_.used_bytes);
  }
  PoolStats before_{};
};

TEST_F(Pool, AlignsSmallTo64AndLargeTo2MiB) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{65}, kMiB - 1})
    EXPECT_EQ(address(pool_allocate(bytes)) % 64, 0U) << bytes;
  for (const std::size_t bytes : {kMiB, kMiB + 1, 3 * kMiB, 9 * kMiB + 5})
    EXPECT_EQ(address(pool_allocate(bytes)) % (2 * kMiB), 0U) << bytes;
}

TEST_F(Pool, NothingAskedStillGivesAPlace) { EXPECT_NE(pool_allocate(0), nullptr); }

TEST_F(Pool, WholeBlockIsUsable) {
  for (const std::size_t bytes : {std::size_t{1000}, 5 * kMiB + 3}) {
    const auto block = pool_allocate(bytes);
    std::memset(block.get(), 0x5a, bytes);
    EXPECT_EQ(static_cast<unsigned char*>(block.get())[bytes - 1], 0x5a);
  }
}

TEST_F(Pool, SecondOfASizeClassReuses) {
  const void* first = pool_allocate(5 * kMiB).get();
  const auto second = pool_allocate(6 * kMiB - 7);  // rounds to the same class
  EXPECT_EQ(second.get(), first);
  EXPECT_EQ(pool_stats().hits, before_.hits + 1);
  EXPECT_EQ(pool_stats().misses, before_.misses + 1);
}

TEST_F(Pool, AnotherSizeClassDoesNot) {
  (void)pool_allocate(4 * kMiB);
  const auto other = pool_allocate(16 * kMiB);
  EXPECT_EQ(pool_stats().hits, before_.hits);
  EXPECT_EQ(pool_stats().idle_bytes, 4 * kMiB);
}

TEST_F(Pool, SmallBlocksAreNotItsBusiness) {
  const auto block = pool_allocate(kMiB - 1);
  EXPECT_EQ(pool_stats().misses, before_.misses);
  EXPECT_EQ(pool_stats().used_bytes, before_.used_bytes);
}

TEST_F(Pool, CountsUsedAndIdle) {
  auto block = pool_allocate(2 * kMiB);
  EXPECT_EQ(pool_stats().used_bytes, before_.used_bytes + 2 * kMiB);
  EXPECT_EQ(pool_stats().idle_bytes, 0U);
  block.reset();
  EXPECT_EQ(pool_stats().used_bytes, before_.used_bytes);
  EXPECT_EQ(pool_stats().idle_bytes, 2 * kMiB);
}

TEST_F(Pool, WastesAQuarterAtMost) {
  for (const std::size_t bytes : {9 * kMiB, 33 * kMiB, 65 * kMiB + 1, 100 * kMiB}) {
    const auto block = pool_allocate(bytes);
    const std::size_t used = pool_stats().used_bytes - before_.used_bytes;
    EXPECT_GE(used, bytes);
    EXPECT_LE(used, bytes + std::max(bytes / 4, 2 * kMiB)) << bytes;
  }
}

TEST_F(Pool, BeyondTheLimitGoesBack) {
  set_pool_limit(5 * kMiB);
  auto a = pool_allocate(4 * kMiB), b = pool_allocate(4 * kMiB);
  a.reset();
  b.reset();
  EXPECT_EQ(pool_stats().idle_bytes, 4 * kMiB);  // the second did not fit beside the first
}

TEST_F(Pool, LoweringTheLimitGivesBack) {
  (void)pool_allocate(4 * kMiB);
  set_pool_limit(0);
  EXPECT_EQ(pool_stats().idle_bytes, 0U);
  (void)pool_allocate(4 * kMiB);
  EXPECT_EQ(pool_stats().idle_bytes, 0U);
}

TEST_F(Pool, ReleaseKeepsWhatIsInUse) {
  const auto held = pool_allocate(2 * kMiB);
  (void)pool_allocate(4 * kMiB);
  release_pool();
  EXPECT_EQ(pool_stats().idle_bytes, 0U);
  EXPECT_EQ(pool_stats().used_bytes, before_.used_bytes + 2 * kMiB);
  std::memset(held.get(), 1, 2 * kMiB);
}

TEST_F(Pool, TooLargeIsNullAndCountsNothing) {
  for (const std::size_t bytes : {std::size_t{1} << 50, std::size_t{1} << 62, ~std::size_t{0}})
    EXPECT_EQ(pool_allocate(bytes), nullptr) << bytes;
  EXPECT_EQ(pool_stats().used_bytes, before_.used_bytes);
}

TEST_F(Pool, TensorsOfOneSizeShareABlock) {
  const void* first = Tensor::empty(DType::kF32, {1 << 20})->data();
  const auto again = Tensor::empty(DType::kU8, {4 << 20});
  EXPECT_EQ(again->data(), first);
}

/// Writes its own number everywhere, then looks whether all of it is still there.
bool use_block(std::size_t bytes, int number) {
  const auto block = pool_allocate(bytes);
  std::memset(block.get(), number, bytes);
  const auto* begin = static_cast<const unsigned char*>(block.get());
  return std::all_of(begin, begin + bytes, [&](unsigned char c) { return c == number; });
}

TEST_F(Pool, ManyThreadsNeverShareABlock) {
  constexpr int kThreads = 8, kRounds = 20;
  std::vector<int> good(kThreads, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&good, t] {
      for (int r = 0; r < kRounds; ++r)
        good[static_cast<std::size_t>(t)] += use_block((1 + r % 2) * kMiB, t + 1) ? 1 : 0;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good, std::vector<int>(kThreads, kRounds));
  EXPECT_GT(pool_stats().hits, before_.hits);
}

}  // namespace
}  // namespace garner
