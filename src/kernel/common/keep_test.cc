#include "kernel/common/keep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace garner {
namespace {

using testing::ElementsAreArray;

struct Lists {
  std::vector<std::int32_t> offset = std::vector<std::int32_t>(256 + kKeepPast), source = offset;
  PositionList list() { return {offset.data(), source.data()}; }
  void cut(Index n) {
    offset.resize(static_cast<std::size_t>(n));
    source.resize(static_cast<std::size_t>(n));
  }
  void add(std::int32_t at, std::int32_t number) {
    offset.push_back(at);
    source.push_back(number);
  }
};

struct Block {
  std::vector<std::int32_t> offset;
  std::vector<std::uint8_t> valid;
  bool some_lost;
  std::uint32_t to;
  OffsetBlock view() const {
    return {offset.data(), some_lost ? valid.data() : nullptr, static_cast<Index>(offset.size()), to, 1000};
  }
};

Block random_block(std::mt19937& random, std::size_t count) {
  Block b{.offset = {},
          .valid = {},
          .some_lost = random() % 2 == 0,
          .to = random() % 3 == 0 ? static_cast<std::uint32_t>(random()) : 0U};
  for (std::size_t j = 0; j < count; ++j) {
    b.offset.push_back(static_cast<std::int32_t>(random() % 4 == 0 ? 17U : random()));
    b.valid.push_back(random() % 3 == 0 ? 0 : 1);
  }
  return b;
}

/// Every size, so that there are whole vectors, parts of one, and nothing.
TEST(Keep, VectorsKeepWhatTheFormulaKeeps) {
  std::mt19937 random(20261116);
  std::vector<std::uint32_t> bits(256 / 32);
  for (std::uint32_t& word : bits) word = static_cast<std::uint32_t>(random());
  const HotSlots slots{bits.data(), 24};
  for (std::size_t count = 0; count <= 256; ++count) {
    const Block b = random_block(random, count);
    const auto owners = static_cast<std::uint32_t>(1 + random() % 7);
    const LineOwner owner{static_cast<std::uint32_t>(random() % owners), owners, static_cast<int>(2 + random() % 5)};
    Lists all, cold, hot, all_right, cold_right, hot_right;
    std::vector<std::uint32_t> slot(count), slot_right;
    all_right.cut(0), cold_right.cut(0), hot_right.cut(0);
    for (std::size_t j = 0; j < count; ++j) {
      const std::uint32_t place = static_cast<std::uint32_t>(b.offset[j]) + b.to;
      const auto number = static_cast<std::int32_t>(1000 + j);
      slot_right.push_back(slots.slot(place));
      if (!owner.has(place) || (b.some_lost && b.valid[j] == 0)) continue;
      all_right.add(b.offset[j], number);
      (slots.may_be(place) ? hot_right : cold_right).add(b.offset[j], number);
    }
    all.cut(keep_owned(owner, b.view(), all.list()));
    const KeptApart apart = keep_apart(owner, slots, b.view(), cold.list(), hot.list());
    cold.cut(apart.cold), hot.cut(apart.hot);
    hot_slots(slots, b.view(), slot.data());
    EXPECT_THAT(all.offset, ElementsAreArray(all_right.offset));
    EXPECT_THAT(all.source, ElementsAreArray(all_right.source));
    EXPECT_THAT(cold.source, ElementsAreArray(cold_right.source));
    EXPECT_THAT(cold.offset, ElementsAreArray(cold_right.offset));
    EXPECT_THAT(hot.source, ElementsAreArray(hot_right.source));
    EXPECT_THAT(hot.offset, ElementsAreArray(hot_right.offset));
    EXPECT_THAT(slot, ElementsAreArray(slot_right));
  }
}

TEST(Keep, EveryPlaceHasOneOwner) {
  for (const std::uint32_t owners : {1U, 2U, 3U, 16U, 65536U})
    for (const std::uint32_t place : {0U, 1U, 15U, 16U, 0x7fffffffU, 0x80000000U, 0xffffffffU}) {
      std::uint32_t found = 0;
      for (std::uint32_t owner = 0; owner < owners; ++owner) found += LineOwner{owner, owners, 4}.has(place) ? 1 : 0;
      EXPECT_EQ(found, 1U) << place << " of " << owners;
    }
}

}  // namespace
}  // namespace garner
