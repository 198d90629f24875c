// Reads cover every wanted row, whole blocks only, no block twice, none longer than allowed.
#include "table/read_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace garner {
namespace {

/// What a plan must be, as a message: empty when it is so.
std::string wrong_with(const std::vector<RowsRead>& plan, const std::vector<Index>& rows, const RowPlaces& places,
                       Index longest) {
  std::vector<Index> covered(rows.size(), 0);
  Index end = 0;
  for (const RowsRead& read : plan) {
    const BlockRead& b = read.blocks;
    if (b.offset % kBlock != 0 || b.bytes % kBlock != 0) return "no whole blocks";
    if (b.bytes > longest || b.bytes <= 0) return "too long, or empty";
    if (b.needed > b.bytes || b.needed <= b.bytes - kBlock) return "needed is not in the last block";
    if (b.offset < end) return "a block twice";
    end = b.offset + b.bytes;
    for (std::size_t i = read.first; i < read.last; ++i)
      covered[i] += std::min(places.end(rows[i]), b.offset + b.needed) - std::max(places.begin(rows[i]), b.offset);
  }
  for (const Index bytes : covered)
    if (bytes != places.row_bytes) return "a row is not covered";
  return "";
}

TEST(ReadPlan, NeighboursBecomeOneRead) {
  const RowPlaces places{.offset = 128, .row_bytes = 256};
  const std::vector<Index> rows{0, 1, 15, 16, 40, 100};
  const auto plan = plan_reads(rows, places, 65536);
  // Bytes [128, 4480), [10368, 10624), [25728, 25984).
  ASSERT_EQ(plan.size(), 2U);  // block 2 follows block 1
  EXPECT_EQ(plan[0].blocks.offset, 0);
  EXPECT_EQ(plan[0].blocks.bytes, 3 * kBlock);
  EXPECT_EQ(plan[0].blocks.needed, 10624);
  EXPECT_EQ(plan[1].blocks.offset, 6 * kBlock);
  EXPECT_EQ(wrong_with(plan, rows, places, 65536), "");
}

TEST(ReadPlan, LongRowsGoOnInTheNextRead) {
  const RowPlaces places{.offset = 7, .row_bytes = 50000};
  const std::vector<Index> rows{0, 1, 5};
  EXPECT_EQ(wrong_with(plan_reads(rows, places, 16384), rows, places, 16384), "");
}

TEST(ReadPlan, NothingWanted) { EXPECT_TRUE(plan_reads({}, {.row_bytes = 8}, 16384).empty()); }

RC_GTEST_PROP(ReadPlanProperty, CoversEveryRowOnce, ()) {
  const RowPlaces places{.offset = *rc::gen::inRange<Index>(0, 20000), .row_bytes = *rc::gen::inRange<Index>(1, 40000)};
  const auto some = *rc::gen::container<std::set<Index>>(rc::gen::inRange<Index>(0, 300));
  const std::vector<Index> rows(some.begin(), some.end());
  const Index longest = *rc::gen::inRange<Index>(1, 9) * kBlock;
  RC_ASSERT(wrong_with(plan_reads(rows, places, longest), rows, places, longest) == "");
}

}  // namespace
}  // namespace garner
