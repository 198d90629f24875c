#include "garner/sharding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "garner/error.h"

namespace garner {
namespace {

constexpr Shards kKinds[] = {Shards::kBlock, Shards::kCyclic, Shards::kHashed};

/// Every id has a place of its own, id() leads back, and rank_of() is where begin() says.
void expect_one_to_one(const Sharding& s) {
  std::vector<bool> taken(static_cast<std::size_t>(s.rows()));
  for (Index id = 0; id < s.rows(); ++id) {
    const Index place = s.place(id);
    ASSERT_TRUE(place >= 0 && place < s.rows()) << id;
    ASSERT_FALSE(taken[static_cast<std::size_t>(place)]) << id;
    taken[static_cast<std::size_t>(place)] = true;
    ASSERT_EQ(s.id(place), id);
    const int rank = s.rank_of(place);
    ASSERT_TRUE(place >= s.begin(rank) && place < s.begin(rank) + s.extent(rank)) << id;
  }
}

TEST(Sharding, EveryIdHasOnePlace) {
  for (const Shards kind : kKinds)
    for (const int ranks : {1, 2, 3, 5, 64})
      for (const Index rows : {0, 1, 2, 3, 7, 64, 65, 1000, 4097})
        expect_one_to_one(value_or_throw(Sharding::even(kind, rows, ranks)));
}

TEST(Sharding, EvenMeansOneRowMoreAtMost) {
  for (const Shards kind : kKinds) {
    const Sharding s = value_or_throw(Sharding::even(kind, 11, 4));
    EXPECT_EQ(s.extent(0), 3);
    EXPECT_EQ(s.extent(2), 3);
    EXPECT_EQ(s.extent(3), 2);
  }
}

TEST(Sharding, CyclicDealsOutOneByOne) {
  const Sharding s = value_or_throw(Sharding::even(Shards::kCyclic, 11, 4));
  for (Index id = 0; id < 11; ++id) {
    EXPECT_EQ(s.rank_of(s.place(id)), id % 4);
    EXPECT_EQ(s.place(id) - s.begin(static_cast<int>(id % 4)), id / 4);
  }
}

TEST(Sharding, BlocksOfAnyExtent) {
  const Sharding s = value_or_throw(Sharding::blocks({3, 0, 5, 0}));
  expect_one_to_one(s);
  EXPECT_EQ(s.ranks(), 4);
  EXPECT_EQ(s.rank_of(2), 0);
  EXPECT_EQ(s.rank_of(3), 2);
  EXPECT_EQ(s.rank_of(7), 2);
}

/// The first ids of a table sorted by how often they are asked for: hashed, no rank has many more than its share.
TEST(Sharding, HashedSpreadsNeighboursAndSteps) {
  const int ranks = 8;
  const Sharding s = value_or_throw(Sharding::even(Shards::kHashed, 1000003, ranks));
  for (const Index step : {1, 2, 8, 64, 125})
    for (const Index first : {0, 5000}) {
      std::vector<double> count(ranks);
      for (Index i = 0; i < 8000; ++i) ++count[static_cast<std::size_t>(s.rank_of(s.place(first + i * step)))];
      for (const double c : count) EXPECT_NEAR(c, 1000, 6 * std::sqrt(1000.0)) << "step " << step << " from " << first;
    }
}

/// The places are a part of what saved shards mean: they stay as they are from version to version.
TEST(Sharding, HashedPlacesAreFixed) {
  const Sharding s = value_or_throw(Sharding::even(Shards::kHashed, 1000, 4));
  Axes places;
  for (Index id = 0; id < 8; ++id) places.push_back(s.place(id));
  EXPECT_EQ(places, (Axes{0, 44, 515, 728, 39, 654, 847, 31}));
}

TEST(Sharding, PastTwoToTheThirtyTwo) {
  const Index rows = (Index{1} << 40) + 12345;
  for (const Shards kind : kKinds) {
    const Sharding s = value_or_throw(Sharding::even(kind, rows, 7));
    for (const Index id : {Index{0}, Index{1} << 33, rows - 1}) EXPECT_EQ(s.id(s.place(id)), id);
  }
}

TEST(Sharding, Rk1RefusesWhatIsNoSharding) {
  EXPECT_EQ(Sharding::even(Shards::kBlock, -1, 2).status().rule, "RK1");
  EXPECT_EQ(Sharding::even(Shards::kBlock, 3, 0).status().message, "sharding: ranks is 0, allowed [1, 2^63)");
  EXPECT_EQ(Sharding::blocks({}).status().rule, "RK1");
  EXPECT_EQ(Sharding::blocks({3, -2}).status().message, "sharding: extent of a block is -2, allowed [0, 2^63)");
  EXPECT_EQ(Sharding::blocks({Index{1} << 62, Index{1} << 62}).status().rule, "RK1");
}

}  // namespace
}  // namespace garner
