#include "base/fail.h"

#include <gtest/gtest.h>

#include <memory>

namespace garner {
namespace {

TEST(Status, DefaultIsOk) {
  EXPECT_TRUE(Status{}.ok());
  EXPECT_FALSE((Status{Code::kType, "", ""}.ok()));
}

TEST(Fail, FormatsTheMessage) {
  const Status s = fail(Code::kIndex, "P16", "{}: {} is {}", "gather", "index", 17);
  EXPECT_EQ(s.code, Code::kIndex);
  EXPECT_EQ(s.rule, "P16");
  EXPECT_EQ(s.message, "gather: index is 17");
}

TEST(Fail, ListsShapes) {
  EXPECT_EQ(list(std::vector<int>{2, 3}), "[2,3]");
  EXPECT_EQ(list(std::vector<int>{}), "[]");
}

TEST(Result, HoldsAValueOrAStatus) {
  const Result<std::string> good("abc"), bad(Status{Code::kMemory, "V6", "none"});
  EXPECT_TRUE(good.ok());
  EXPECT_EQ(*good, "abc");
  EXPECT_EQ(good->size(), 3U);
  EXPECT_TRUE(good.status().ok());
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(bad.status().rule, "V6");
}

TEST(Result, GivesAwayWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

Status try_both(const Status& first, const Result<int>& second, bool& reached) {
  GARNER_TRY(first);
  GARNER_TRY(second);
  reached = true;
  return {};
}

TEST(Try, PassesTheFirstFailureOn) {
  bool reached = false;
  EXPECT_EQ(try_both({Code::kType, "T1", ""}, Status{Code::kIndex, "I1", ""}, reached).rule, "T1");
  EXPECT_EQ(try_both({}, Status{Code::kIndex, "I1", ""}, reached).rule, "I1");
  EXPECT_FALSE(reached);
  EXPECT_TRUE(try_both({}, 1, reached).ok());
  EXPECT_TRUE(reached);
}

int calls = 0;
Result<std::unique_ptr<int>> make(Status status) {
  ++calls;
  if (!status.ok()) return status;
  return std::make_unique<int>(3);
}

Result<int> twice(const Status& a, const Status& b) {
  GARNER_ASSIGN(const auto x, make(a));
  GARNER_ASSIGN(const auto y, make(b));  // two in one scope, and a type that only moves
  return *x + *y;
}

TEST(Assign, TakesTheValueOrReturns) {
  const auto sum = twice({}, {});
  ASSERT_TRUE(sum.ok());
  EXPECT_EQ(*sum, 6);
  EXPECT_EQ(twice({}, {Code::kType, "B", ""}).status().rule, "B");
}

TEST(Assign, EvaluatesOnceAndStopsThere) {
  calls = 0;
  EXPECT_EQ(twice({Code::kType, "A", ""}, {}).status().rule, "A");
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace garner
