#include <gtest/gtest.h>

#include "garner/error.h"
#include "plan/facts.h"

namespace garner {
namespace {

IndexPlan plan(const char* text) { return value_or_throw(parse_plan(text)); }
PlanFacts facts(const char* text) { return analyze(plan(text)); }

constexpr const char* kRows =
    "gather f32 (i:10, j:64)\n indexed [1000,64] = (%0, j) stride (64,1)\n dense [10,64] = (i, j) stride (64,1)\n"
    " %0 i64 [10] = (i) stride (1) in [0,1000) trap";

TEST(Analyze, RowsOfAGather) {
  const PlanFacts f = facts(kRows);
  EXPECT_EQ(f.elements, 640);
  EXPECT_EQ(f.run, 64);
  EXPECT_EQ(f.rows, 10);
  EXPECT_EQ(f.terms, 1);
  EXPECT_EQ(f.bytes, 2 * 640 * 4 + 10 * 8);
  EXPECT_EQ(f.span.lo, 0);
  EXPECT_EQ(f.span.hi, 999 * 64 + 63);
  EXPECT_TRUE(f.can_skip);
  EXPECT_FALSE(f.at_position);
  EXPECT_TRUE(f.fits_32bit);
}

TEST(Analyze, PrintsOneLinePerFact) {
  EXPECT_EQ(print(facts(kRows)),
            "elements 640\nrun 64\nrows 10\nbytes 5200\nspan [0, 63999]\nterms 1\ncan skip true\nat position false\n"
            "unique targets false\napart 1\nany order false\nfits 32 bits true\n");
}

/// scatter f32 (i:4, j:8), one index per position.
IndexPlan scattered(Axes step_of_other_axis, Index other_stride, Index term_stride) {
  IndexPlan p;
  p.direction = Direction::kScatter;
  p.combine = Combine::kAdd;
  p.domain = {4, 8};
  p.dense_stride = {8, 1};
  p.terms = {{DType::kI64, {8, 1}, {.hi = 16}}};
  p.indexed = {{.extent = 16, .stride = term_stride, .offset = 0, .step = {0, 0}, .term = 0},
               {.extent = 8, .stride = other_stride, .offset = 0, .step = std::move(step_of_other_axis), .term = -1}};
  return p;
}

TEST(Analyze, AxesThatKeepTargetsApart) {
  EXPECT_EQ(analyze(scattered({1, 0}, 16, 1)).apart, 0);   // result[i, index[i, j]]
  EXPECT_EQ(analyze(scattered({0, 1}, 1, 8)).apart, 1);    // result[index[i, j], j]
  EXPECT_EQ(analyze(scattered({1, 0}, 15, 1)).apart, -1);  // rows that overlap by one
  EXPECT_EQ(analyze(scattered({0, 1}, 1, 7)).apart, -1);
  EXPECT_EQ(analyze(scattered({0, 1}, 2, 8)).apart, -1);
  EXPECT_EQ(analyze(scattered({0, 0}, 1, 1)).apart, -1);   // result[index[i, j]]
  IndexPlan at_position = scattered({1, 0}, 16, 1);
  at_position.terms[0].bounds.scope = Scope::kPosition;
  EXPECT_EQ(analyze(at_position).apart, -1);
}

struct Change {
  const char* what;
  void (*apply)(IndexPlan& plan);
};

TEST(Analyze, WhatBreaksARun) {
  const Change cases[] = {
      {"dense stride", [](IndexPlan& p) { p.dense_stride[1] = 2; }},
      {"indexed stride", [](IndexPlan& p) { p.indexed[1].stride = 2; }},
      {"reversed", [](IndexPlan& p) { p.indexed[1].step[1] = -1, p.indexed[1].offset = 63; }},
      {"a term that moves", [](IndexPlan& p) { p.terms[0].stride[1] = 1; }},
      {"a mask that moves", [](IndexPlan& p) { p.mask_stride = Axes{64, 1}; }},
      {"a fill that moves", [](IndexPlan& p) { p.fill_stride = Axes{64, 1}; }},
      {"a fetch", [](IndexPlan& p) { p.fetch_stride = Axes{64, 1}; }},
      {"a window on the term's axis", [](IndexPlan& p) { p.indexed[0].step[1] = 1; }},
  };
  for (const Change& c : cases) {
    IndexPlan p = plan(kRows);
    c.apply(p);
    EXPECT_EQ(analyze(p).run, 1) << c.what;
    EXPECT_EQ(analyze(p).rows, 640) << c.what;
  }
}

TEST(Analyze, StillExtrasKeepARun) {
  IndexPlan p = plan(kRows);
  p.mask_stride = Axes{1, 0};
  p.fill_stride = Axes{0, 0};
  EXPECT_EQ(analyze(p).run, 64);
}

TEST(Analyze, EmptyAndRankZero) {
  EXPECT_EQ(facts("gather f32 (i:0)\n indexed [] = () stride ()\n dense [0] = (i) stride (1)").elements, 0);
  const PlanFacts f = facts("gather f32 ()\n indexed [] = () stride () base 7\n dense [] = () stride ()");
  EXPECT_EQ(f.elements, 1);
  EXPECT_EQ(f.run, 1);
  EXPECT_EQ(f.rows, 1);
  EXPECT_EQ(f.span.lo, 7);
  EXPECT_EQ(f.span.hi, 7);
}

TEST(Analyze, SpanOfNegativeStrides) {
  const PlanFacts f =
      facts("gather f32 (i:4)\n indexed [5,3] = (i, 2) stride (-10,2) base 40\n dense [4] = (i) stride (1)");
  EXPECT_EQ(f.span.lo, 0);
  EXPECT_EQ(f.span.hi, 44);
}

struct Unique {
  const char* what;
  const char* text;
  bool unique;
};

TEST(Analyze, UniqueTargets) {
  const Unique cases[] = {
      {"identity",
       "scatter f32 add (i:3, j:4)\n indexed [3,4] = (i, j) stride (4,1)\n dense [3,4] = (i, j) stride (4,1)", true},
      {"transposed",
       "scatter f32 add (i:3, j:4)\n indexed [4,3] = (j, i) stride (3,1)\n dense [3,4] = (i, j) stride (4,1)", true},
      {"reversed", "scatter f32 add (i:3)\n indexed [3] = (-i + 2) stride (1)\n dense [3] = (i) stride (1)", true},
      {"an axis that does not move",
       "scatter f32 add (i:3, j:2)\n indexed [3] = (i) stride (1)\n dense [3] = (i) stride (1)", false},
      {"a unit axis that does not move",
       "scatter f32 add (i:3, j:1)\n indexed [3] = (i) stride (1)\n dense [3] = (i) stride (1)", true},
      {"sliding window",
       "scatter f32 add (i:3, j:2)\n indexed [4] = (i + j) stride (1)\n dense [3,2] = (i, j) stride (2,1)", false},
      {"any term",
       "scatter f32 add (i:3)\n indexed [9] = (%0) stride (1)\n dense [3] = (i) stride (1)\n"
       " %0 i8 [3] = (i) stride (1) in [0,9) drop",
       false},
  };
  for (const Unique& c : cases) EXPECT_EQ(facts(c.text).unique_targets, c.unique) << c.what;
}

TEST(Analyze, WhoCanSkip) {
  for (const auto policy : {OutOfRange::kClamp, OutOfRange::kModulo, OutOfRange::kPromise}) {
    IndexPlan p = plan(kRows);
    p.terms[0].bounds.policy = policy;
    EXPECT_FALSE(analyze(p).can_skip) << name(policy);
    p.mask_stride = Axes{0, 0};
    EXPECT_TRUE(analyze(p).can_skip) << name(policy);
  }
}

TEST(Analyze, AtPositionAnd32Bits) {
  IndexPlan p = plan(kRows);
  p.terms[0].bounds.scope = Scope::kPosition;
  EXPECT_TRUE(analyze(p).at_position);
  p.indexed[0].stride = Index{1} << 30;
  EXPECT_FALSE(analyze(p).fits_32bit);
}

}  // namespace
}  // namespace garner
