// One test per rule: a plan that passes, broken in each way the rule forbids.
#include <gtest/gtest.h>

#include <limits>

#include "garner/plan.h"

namespace garner {
namespace {

constexpr Index kMax = std::numeric_limits<Index>::max();
constexpr Index kMin = std::numeric_limits<Index>::min();
constexpr Index kFar = Index{1} << 60;

/// A gather of rows, which keeps every rule.
IndexPlan rows() {
  return {.domain = {10, 64},
          .indexed = {{.extent = 1000, .stride = 64, .offset = 0, .step = {0, 0}, .term = 0},
                      {.extent = 64, .stride = 1, .offset = 0, .step = {0, 1}, .term = -1}},
          .dense_stride = {64, 1},
          .terms = {{.dtype = DType::kI64, .stride = {1, 0}, .bounds = {.lo = 0, .hi = 1000}}},
          .mask_stride = std::nullopt,
          .fill_stride = std::nullopt,
          .fetch_stride = std::nullopt};
}

IndexPlan adding_rows() {
  IndexPlan plan = rows();
  plan.direction = Direction::kScatter;
  plan.combine = Combine::kAdd;
  return plan;
}

struct Change {
  const char* what;
  void (*apply)(IndexPlan& plan);
};

void expect_rule(const char* rule, std::initializer_list<Change> changes, IndexPlan (*start)() = rows) {
  for (const Change& change : changes) {
    IndexPlan plan = start();
    change.apply(plan);
    EXPECT_EQ(verify(plan).rule, rule) << change.what;
  }
}

void expect_fine(std::initializer_list<Change> changes, IndexPlan (*start)() = rows) {
  expect_rule("", changes, start);
}

TEST(Verify, GoodPlansPass) {
  expect_fine({{"gather", [](IndexPlan&) {}},
               {"mask and fill", [](IndexPlan& p) { p.mask_stride = p.fill_stride = Axes{0, 1}; }},
               {"rank 0", [](IndexPlan& p) { p = IndexPlan{}; }}});
  expect_fine({{"scatter", [](IndexPlan&) {}}, {"fetch", [](IndexPlan& p) { p.fetch_stride = Axes{64, 1}; }}},
              adding_rows);
}

TEST(Verify, P1_EveryStrideHasOneEntryPerAxis) {
  expect_rule("P1", {{"dense", [](IndexPlan& p) { p.dense_stride.pop_back(); }},
                     {"step", [](IndexPlan& p) { p.indexed[1].step.push_back(0); }},
                     {"term", [](IndexPlan& p) { p.terms[0].stride.clear(); }},
                     {"mask", [](IndexPlan& p) { p.mask_stride = Axes{1}; }},
                     {"fill", [](IndexPlan& p) { p.fill_stride = Axes{}; }},
                     {"fetch", [](IndexPlan& p) { p.fetch_stride = Axes{1, 2, 3}; }}});
}

TEST(Verify, P2_NegativeExtent) {
  expect_rule("P2", {{"domain", [](IndexPlan& p) { p.domain[0] = -1; }},
                     {"indexed", [](IndexPlan& p) { p.indexed[1].extent = -64; }},
                     {"beside an empty axis", [](IndexPlan& p) { p.domain = {0, -1}; }}});
}

TEST(Verify, P3_Overflow) {
  expect_rule("P3", {{"positions", [](IndexPlan& p) { p.domain = {kMax, 2}; }},
                     {"dense", [](IndexPlan& p) { p.dense_stride[0] = kFar; }},
                     {"dense, downwards", [](IndexPlan& p) { p.dense_stride[0] = -kFar; }},
                     {"indexed", [](IndexPlan& p) { p.indexed[0].stride = kFar; }},
                     {"base", [](IndexPlan& p) { p.indexed_base = kFar; }},
                     {"the smallest base", [](IndexPlan& p) { p.indexed_base = kMin; }},
                     {"term", [](IndexPlan& p) { p.terms[0].stride[0] = kMin; }},
                     {"mask", [](IndexPlan& p) { p.mask_stride = Axes{0, kFar}; }},
                     {"fill", [](IndexPlan& p) { p.fill_stride = Axes{kFar, 0}; }},
                     {"position", [](IndexPlan& p) { p.indexed[1].step[1] = kMax; }},
                     {"position with its term", [](IndexPlan& p) { p.indexed[0].offset = kMax; }}});
}

TEST(Verify, P3_EmptyDomainsNeverOverflow) {
  expect_fine({{"strides", [](IndexPlan& p) { p.domain[1] = 0, p.dense_stride = {kMax, kMin}; }},
               {"positions", [](IndexPlan& p) { p.domain = {kMax, 0}; }}});
}

TEST(Verify, P4_PositionLeavesAxis) {
  expect_rule("P4",
              {{"past the end", [](IndexPlan& p) { p.indexed[1].extent = 63; }},
               {"before the start", [](IndexPlan& p) { p.indexed[1].offset = -1; }},
               {"downwards", [](IndexPlan& p) { p.indexed[1].step[1] = -1; }},
               {"bounds too wide", [](IndexPlan& p) { p.terms[0].bounds.hi = 1001; }},
               {"bounds and window", [](IndexPlan& p) { p.indexed[0].offset = 1; }},
               {"bounds at position",
                [](IndexPlan& p) { p.terms[0].bounds = {0, 1001, 0, OutOfRange::kTrap, Scope::kPosition}; }},
               {"promise", [](IndexPlan& p) { p.terms[0].bounds = {0, 1001, 0, OutOfRange::kPromise, Scope::kTerm}; }},
               {"an axis without positions", [](IndexPlan& p) { p.indexed[1].extent = 0; }}});
}

TEST(Verify, P4_KeepsToTheAxis) {
  expect_fine({{"reversed", [](IndexPlan& p) { p.indexed[1].offset = 63, p.indexed[1].step[1] = -1; }},
               {"a window that fits", [](IndexPlan& p) { p.indexed[0].step[1] = 1, p.terms[0].bounds.hi = 937; }},
               {"any window at position",
                [](IndexPlan& p) {
    p.indexed[0].offset = 5000;
    p.terms[0].bounds.scope = Scope::kPosition;
  }},
               {"bounds nothing can pass", [](IndexPlan& p) { p.indexed[0].extent = 0, p.terms[0].bounds = {0, 0}; }},
               {"empty domain", [](IndexPlan& p) { p.domain[0] = 0, p.indexed[1].extent = 1; }}});
}

/// Bounds without a value are no position, wherever they end.
TEST(Verify, P4_EmptyBoundsAtPosition) {
  expect_fine(
      {{"none", [](IndexPlan& p) { p.terms[0].bounds = {0, 0, 0, OutOfRange::kTrap, Scope::kPosition}; }},
       {"smallest end", [](IndexPlan& p) { p.terms[0].bounds = {0, kMin, 0, OutOfRange::kTrap, Scope::kPosition}; }}});
}

TEST(Verify, P5_TermsAndAxesMatch) {
  expect_rule("P5", {{"no such term", [](IndexPlan& p) { p.indexed[1].term = 1; }},
                     {"below -1", [](IndexPlan& p) { p.indexed[1].term = -2; }},
                     {"unread term", [](IndexPlan& p) { p.terms.push_back(p.terms[0]); }}});
}

TEST(Verify, P6_IndexDtypeIsAnInteger) {
  for (const DTypeInfo& d : kDTypes) {
    IndexPlan plan = rows();
    plan.terms[0].dtype = d.dtype;
    EXPECT_EQ(verify(plan).rule, is_integer(d.dtype) ? "" : "P6") << d.name;
  }
}

TEST(Verify, P7_BoundsMakeSense) {
  expect_rule("P7", {{"negative wrap", [](IndexPlan& p) { p.terms[0].bounds.wrap = -1; }},
                     {"bounds below 0", [](IndexPlan& p) { p.terms[0].bounds.lo = -1; }},
                     {"modulo from below 0", [](IndexPlan& p) { p.terms[0].bounds = {-1, 9, 0, OutOfRange::kModulo}; }},
                     {"clamp to nothing", [](IndexPlan& p) { p.terms[0].bounds = {0, 0, 0, OutOfRange::kClamp}; }},
                     {"modulo of nothing", [](IndexPlan& p) { p.terms[0].bounds = {5, 5, 0, OutOfRange::kModulo}; }},
                     {"clamp at position",
                      [](IndexPlan& p) { p.terms[0].bounds = {0, 9, 0, OutOfRange::kClamp, Scope::kPosition}; }},
                     {"modulo at position",
                      [](IndexPlan& p) { p.terms[0].bounds = {0, 9, 0, OutOfRange::kModulo, Scope::kPosition}; }}});
  expect_fine({{"clamp to nothing, nowhere",
                [](IndexPlan& p) { p.domain[0] = 0, p.terms[0].bounds = {0, 0, 0, OutOfRange::kClamp}; }}});
}

TEST(Verify, P8_PolicyOfTheOtherDirection) {
  expect_rule("P8", {{"drop", [](IndexPlan& p) { p.terms[0].bounds.policy = OutOfRange::kDrop; }}});
  expect_rule("P8", {{"fill", [](IndexPlan& p) { p.terms[0].bounds.policy = OutOfRange::kFill; }}}, adding_rows);
  expect_fine({{"fill", [](IndexPlan& p) { p.terms[0].bounds.policy = OutOfRange::kFill; }}});
  expect_fine({{"drop", [](IndexPlan& p) { p.terms[0].bounds.policy = OutOfRange::kDrop; }}}, adding_rows);
}

TEST(Verify, P9_CombineOfADirection) {
  expect_rule("P9", {{"gather that adds", [](IndexPlan& p) { p.combine = Combine::kAdd; }},
                     {"gather that fetches", [](IndexPlan& p) { p.fetch_stride = Axes{64, 1}; }}});
  expect_rule("P9", {{"nothing expected", [](IndexPlan& p) { p.combine = Combine::kCompareExchange; }}}, adding_rows);
  expect_fine({{"expected", [](IndexPlan& p) { p.combine = Combine::kCompareExchange, p.fill_stride = Axes{0, 0}; }}},
              adding_rows);
}

std::string_view combine_rule(Combine combine, DType dtype) {
  IndexPlan plan = adding_rows();
  plan.combine = combine;
  plan.dtype = dtype;
  return verify(plan).ok() ? "" : "P9";
}

TEST(Verify, P9_CombineOfADtype) {
  for (const DTypeInfo& d : kDTypes) {
    const bool bits = is_integer(d.dtype) || d.kind == Kind::kBool;
    for (const Combine c : {Combine::kAnd, Combine::kOr, Combine::kXor})
      EXPECT_EQ(combine_rule(c, d.dtype), bits ? "" : "P9") << d.name;
    for (const Combine c : {Combine::kMin, Combine::kMax})
      EXPECT_EQ(combine_rule(c, d.dtype), d.kind != Kind::kComplex ? "" : "P9") << d.name;
    for (const Combine c : {Combine::kAssign, Combine::kAdd, Combine::kMul, Combine::kUser})
      EXPECT_EQ(combine_rule(c, d.dtype), "") << d.name;
  }
}

TEST(Verify, CodesTellTypeFromValue) {
  IndexPlan dtype = rows(), value = rows();
  dtype.terms[0].dtype = DType::kF32;
  value.domain[0] = -1;
  EXPECT_EQ(verify(dtype).code, Code::kType);
  EXPECT_EQ(verify(value).code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace garner
