// print and parse_plan, which are each other's inverse.
#include <gtest/gtest.h>

#include <limits>

#include "garner/plan.h"
#include "plan/names.h"

namespace garner {
namespace {

constexpr Index kMin = std::numeric_limits<Index>::min();

constexpr const char* kRows =
    "gather f32 (i:10, j:64)\n"
    "  indexed [1000,64] = (%0, j) stride (64,1)\n"
    "  dense [10,64] = (i, j) stride (64,1)\n"
    "  %0 i64 [10] = (i) stride (1) in [0,1000) trap\n";

constexpr const char* kEverything =
    "scatter i32 compare_exchange (i:4, j:3)\n"
    "  indexed [9,8] = (%0 + 2*i - 1, %1 - 2*j + 4) stride (-8,1) base 64\n"
    "  dense [4,3] = (i, j) stride (3,1)\n"
    "  %0 u8 [4,3] = (i, j) stride (3,-1) in [0,3) wrap 3 clamp\n"
    "  %1 i32 [3] = (j) stride (1) in [0,8) drop at position\n"
    "  mask [4] = (i) stride (1)\n"
    "  fill [] = () stride ()\n"
    "  fetch [4,3] = (i, j) stride (3,1)\n";

constexpr const char* kRankZero =
    "gather bool ()\n"
    "  indexed [] = () stride ()\n"
    "  dense [] = () stride ()\n";

TEST(PlanText, GoldensComeBackLetterForLetter) {
  for (const char* text : {kRows, kEverything, kRankZero}) {
    const auto plan = parse_plan(text);
    ASSERT_TRUE(plan.ok()) << plan.status().message;
    EXPECT_EQ(print(*plan), text);
  }
}

TEST(PlanText, ReadsWhatItSays) {
  const IndexPlan plan = *parse_plan(kEverything);
  EXPECT_EQ(plan.direction, Direction::kScatter);
  EXPECT_EQ(plan.combine, Combine::kCompareExchange);
  EXPECT_EQ(plan.dtype, DType::kI32);
  EXPECT_EQ(plan.indexed_base, 64);
  EXPECT_EQ(plan.indexed[1], (AxisMap{.extent = 8, .stride = 1, .offset = 4, .step = {0, -2}, .term = 1}));
  EXPECT_EQ(plan.terms[0], (IndexTerm{DType::kU8, {3, -1}, {0, 3, 3, OutOfRange::kClamp, Scope::kTerm}}));
  EXPECT_EQ(plan.terms[1].bounds.scope, Scope::kPosition);
  EXPECT_EQ(plan.mask_stride, (Axes{1, 0}));
  EXPECT_EQ(plan.fill_stride, (Axes{0, 0}));
}

TEST(PlanText, SpaceIsFree) {
  const auto loose = parse_plan(
      "\n gather   f32 ( i:10 , j:64 )indexed[1000 ,64]=( %0,j )stride( 64,1 )\n\n"
      "dense [10,64] = (i,j) stride (64,1) %0 i64 [10] = (i) stride (1) in [ 0 , 1000 ) trap  ");
  ASSERT_TRUE(loose.ok()) << loose.status().message;
  EXPECT_EQ(*loose, *parse_plan(kRows));
}

/// A plan of one axis that walks one axis, for changing one field.
IndexPlan line() {
  return {.domain = {1},
          .indexed = {{.extent = 1, .stride = 1, .offset = 0, .step = {1}, .term = -1}},
          .dense_stride = {1},
          .terms = {},
          .mask_stride = std::nullopt,
          .fill_stride = std::nullopt,
          .fetch_stride = std::nullopt};
}

void expect_round_trip(const IndexPlan& plan) {
  const auto back = parse_plan(print(plan));
  ASSERT_TRUE(back.ok()) << back.status().message << '\n' << print(plan);
  EXPECT_EQ(*back, plan) << print(plan);
}

TEST(PlanText, EveryNameComesBack) {
  for (std::size_t c = 0; c < kCombineNames.size(); ++c) {
    IndexPlan plan = line();
    plan.direction = Direction::kScatter;
    plan.combine = static_cast<Combine>(c);
    expect_round_trip(plan);
  }
  for (std::size_t p = 0; p < kPolicyNames.size(); ++p) {
    IndexPlan plan = line();
    plan.terms = {{DType::kI8, {0}, {-3, 9, 0, static_cast<OutOfRange>(p), Scope::kTerm}}};
    plan.indexed[0].term = 0;
    expect_round_trip(plan);
  }
}

TEST(PlanText, EveryDtypeComesBack) {
  for (const DTypeInfo& d : kDTypes) {
    IndexPlan plan = line();
    plan.dtype = d.dtype;
    expect_round_trip(plan);
  }
}

TEST(PlanText, MoreAxesThanLetters) {
  IndexPlan plan = line();
  plan.domain = plan.dense_stride = plan.indexed[0].step = Axes(20, 1);
  expect_round_trip(plan);
  EXPECT_EQ(axis_name(13), "w");
  EXPECT_EQ(axis_name(14), "d14");
}

TEST(PlanText, LargestNumbersComeBack) {
  constexpr Index kMax = std::numeric_limits<Index>::max();
  for (const Index v : {kMax, kMin, Index{-1}}) {
    IndexPlan plan = line();
    plan.indexed_base = plan.indexed[0].stride = plan.dense_stride[0] = v;
    expect_round_trip(plan);
  }
}

TEST(PlanText, SmallestOffsetAndStepComeBack) {
  IndexPlan offset = line(), step = line();
  offset.indexed[0].offset = kMin;
  step.indexed[0].step[0] = kMin;
  expect_round_trip(offset);
  expect_round_trip(step);
}

/// The k-th line of kRows replaced.
std::string with_line(int k, const std::string& text) {
  std::string out;
  std::string_view rest = kRows;
  for (int n = 0; !rest.empty(); ++n) {
    const std::size_t end = rest.find('\n') + 1;
    out += n == k ? text : std::string(rest.substr(0, end));
    if (n == k) out += "\n";
    rest.remove_prefix(end);
  }
  return out;
}

struct Bad {
  const char* what;
  int line;
  const char* text;
  const char* where;
};

TEST(ParsePlan, P21_NamesThePlace) {
  const Bad cases[] = {
      {"direction", 0, "shuffle f32 (i:10, j:64)", "line 1, column 1: 'shuffle' is no direction"},
      {"dtype", 0, "gather f33 (i:10, j:64)", "line 1, column 8: 'f33' is no dtype"},
      {"combine", 0, "scatter f32 sum (i:10, j:64)", "line 1, column 13: 'sum' is no combine"},
      {"gather with combine", 0, "gather f32 add (i:10, j:64)", "line 1, column 1: 'gather f32 add' is no"},
      {"scatter without", 0, "scatter f32 (i:10, j:64)", "line 1, column 1: 'scatter f32' is no"},
      {"axis order", 0, "gather f32 (j:10, i:64)", "line 1, column 13: 'j' is no name for this axis"},
      {"head cut short", 0, "gather", "cannot read line 2, column 11"},
      {"number", 0, "gather f32 (i:9223372036854775808, j:64)",
       "line 1, column 15: '9223372036854775808' is no 64-bit"},
      {"axis name", 1, "  indexed [1000,64] = (%0, k) stride (64,1)", "line 2, column 28: 'k' is no domain axis"},
      {"two terms", 1, "  indexed [1000,64] = (%0 + %0, j) stride (64,1)", "line 2, column 29: '%0' is no term"},
      {"negative term", 1, "  indexed [1000,64] = (-%0, j) stride (64,1)", "line 2, column 25: '%0' is no term"},
      {"factor", 1, "  indexed [1000,64] = (%0, 99999999999999999999*j) stride (64,1)", "line 2, column 28"},
      {"lengths", 1, "  indexed [1000] = (%0, j) stride (64,1)", "one entry per axis"},
      {"extents", 2, "  dense [10,63] = (i, j) stride (64,1)", "is no side with the domain's extents"},
      {"strides", 2, "  dense [10,64] = (i, j) stride (64)", "one entry per axis"},
      {"term order", 3, "  %1 i64 [10] = (i) stride (1) in [0,1000) trap", "line 4, column 3: '%1' is no next term"},
      {"policy", 3, "  %0 i64 [10] = (i) stride (1) in [0,1000) panic", "line 4, column 44: 'panic' is no policy"},
      {"bounds", 3, "  %0 i64 [10] = (i) stride (1) in [0,1e3) trap", "cannot read line 4"},
      {"trailing text", 3, "  %0 i64 [10] = (i) stride (1) in [0,1000) trap\nmore", "cannot read line 5, column 1"},
  };
  for (const Bad& c : cases) {
    const auto plan = parse_plan(with_line(c.line, c.text));
    ASSERT_FALSE(plan.ok()) << c.what;
    EXPECT_EQ(plan.status().rule, "P21") << c.what;
    EXPECT_NE(plan.status().message.find(c.where), std::string::npos) << c.what << ": " << plan.status().message;
  }
}

TEST(ParsePlan, P21_EmptyText) {
  for (const char* text : {"", " \n", "gather", "(", "%0"}) EXPECT_EQ(parse_plan(text).status().rule, "P21") << text;
}

/// A part that would overwrite another is refused, or added; it never disappears.
TEST(ParsePlan, NothingIsLost) {
  const auto twice = parse_plan(with_line(1, "  indexed [1000,640] = (%0, j + 2*j) stride (64,1)"));
  EXPECT_TRUE(!twice.ok() || twice->indexed[1].step == (Axes{0, 3})) << print(*twice);
  const auto offsets = parse_plan(with_line(1, "  indexed [1000,640] = (%0, j + 3 + 4) stride (64,1)"));
  EXPECT_TRUE(!offsets.ok() || offsets->indexed[1].offset == 7) << print(*offsets);
  const auto side = parse_plan(with_line(2, "  dense [10,10] = (i, i) stride (64,1)"));
  EXPECT_TRUE(!side.ok() || side->dense_stride == (Axes{65, 0})) << print(*side);
}

}  // namespace
}  // namespace garner
