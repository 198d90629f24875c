// The cache: what is in it is right, it holds what it may and no more, and rows asked for again stay.
#include "table/row_cache.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <unordered_map>

#include "base/effort.h"
#include "garner/error.h"
#include "table/test_tables.h"

namespace garner {
namespace {

constexpr Index kRowBytes = 24;

struct Row {
  Index numbers[3];
  explicit Row(Index row) : numbers{row, row * 7, ~row} {}
  const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(numbers); }
  std::byte* bytes() { return reinterpret_cast<std::byte*>(numbers); }
  bool operator==(const Row&) const = default;
};

std::unique_ptr<RowCache> cache_of(Index rows) { return value_or_throw(RowCache::create(INT64_MAX, kRowBytes, rows)); }

/// Asks for it, and puts it there where it is not.
bool ask(RowCache& cache, Index row) {
  Row got(0);
  if (!cache.get(row, got.bytes())) {
    cache.put(row, Row(row).bytes());
    return false;
  }
  EXPECT_EQ(got, Row(row));
  return true;
}

TEST(IdMap, LikeAStandardMap) {
  std::mt19937 random(5);
  IdMap map(300);
  std::unordered_map<Index, std::uint32_t> like;
  for (std::uint32_t step = 0; step < effort(100000U, 20000U); ++step) {
    const Index id = random() % 600;
    const auto* found = map.find(id);
    ASSERT_EQ(found != nullptr, like.contains(id)) << step;
    if (found != nullptr) {
      ASSERT_EQ(*found, like[id]);
      map.erase(id);
      like.erase(id);
    } else if (like.size() < 300) {
      map.insert(id, step);
      like[id] = step;
    }
  }
}

TEST(RowCache, HoldsWhatItWasGiven) {
  const auto cache = cache_of(100);
  EXPECT_EQ(cache->capacity(), 100);
  for (Index row = 0; row < 100; ++row) EXPECT_FALSE(ask(*cache, row));
  for (Index row = 0; row < 100; ++row) EXPECT_TRUE(ask(*cache, row));
  EXPECT_EQ(cache->size(), 100);
}

TEST(RowCache, NeverMoreThanItMay) {
  for (const Index bytes : {Index{0}, Index{100}, Index{1000}, Index{1} << 20}) {
    const auto cache = value_or_throw(RowCache::create(bytes, kRowBytes, 1 << 30));
    EXPECT_LE(cache->capacity() * kRowBytes, bytes);
    for (Index row = 0; row < 20000; ++row) ask(*cache, row * 977);
    EXPECT_LE(cache->size(), cache->capacity());
  }
  EXPECT_EQ(value_or_throw(RowCache::create(1 << 20, 0, 5))->capacity(), 0);
}

TEST(RowCache, OneLongScanDoesNotDropWhatIsAskedForAgain) {
  const auto cache = cache_of(1000);
  for (int round = 0; round < 4; ++round)
    for (Index row = 0; row < 500; ++row) ask(*cache, row);
  for (Index row = 10000; row < 30000; ++row) ask(*cache, row);
  Index left = 0;
  for (Index row = 0; row < 500; ++row) left += ask(*cache, row);
  EXPECT_GE(left, 450) << "an LRU cache would have none of them left";
}

TEST(RowCache, SkewedRowsAreFound) {
  constexpr Index kRows = 1 << 20;
  const auto cache = cache_of(kRows / 100);
  std::mt19937_64 random(3);
  Index hits = 0, asked = effort(400000, 100000);
  for (Index i = 0; i < asked; ++i) hits += ask(*cache, zipf(random, kRows));
  // The hundredth that is asked for most is asked for ln(10486) / ln(1048576) = 67 % of the time.
  EXPECT_GT(static_cast<double>(hits) / static_cast<double>(asked), 0.55);
}

RC_GTEST_PROP(RowCacheProperty, AnyOrderOfCalls, (const std::vector<std::uint8_t>& rows)) {
  const auto cache = cache_of(7);
  for (const std::uint8_t row : rows) ask(*cache, row);
  RC_ASSERT(cache->size() <= 7);
}

TEST(RowCache, SeveralThreads) {
  const auto cache = cache_of(5000);
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&cache, t] {
      std::mt19937_64 random(t);
      for (Index i = 0; i < effort(50000, 10000); ++i) ask(*cache, static_cast<Index>(random() % 20000));
    });
  threads.clear();
  EXPECT_LE(cache->size(), 5000);
}

}  // namespace
}  // namespace garner
