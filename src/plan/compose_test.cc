// outer(inner(x)) as one gather gives what the two give one after the other, or is refused.
#include <gtest/gtest.h>

#include <numeric>

#include "garner/error.h"
#include "garner/run.h"

namespace garner {
namespace {

IndexPlan plan_of(const char* text) { return value_or_throw(parse_plan(text)); }

/// The memory as the plan's own extents and strides describe it.
View operand_of(const IndexPlan& plan, const View& memory) {
  Axes shape, stride;
  for (const AxisMap& map : plan.indexed) {
    shape.push_back(map.extent);
    stride.push_back(map.stride);
  }
  return {memory.dtype(), memory.data(), shape, stride};
}

Job job_of(const IndexPlan& plan, const View& operand, const std::vector<const std::byte*>& indices) {
  Job job;
  job.op = "test";
  job.plan = plan;
  job.operand = operand_of(plan, operand);
  job.result_shape = plan.domain;
  for (std::size_t t = 0; t < indices.size(); ++t)
    job.indices.emplace_back(plan.terms[t].dtype, indices[t], plan.domain, plan.terms[t].stride);
  return job;
}

Tensor run_plan(const IndexPlan& plan, const View& operand, const std::vector<const std::byte*>& indices) {
  return value_or_throw(run_one(job_of(plan, operand, indices)));
}

struct Call {
  IndexPlan plan;
  std::vector<Tensor> indices;
};

std::vector<const std::byte*> data_of(const std::vector<Tensor>& tensors) {
  std::vector<const std::byte*> out;
  for (const Tensor& t : tensors) out.push_back(t.as<std::byte>());
  return out;
}

/// What a composed term reads; tensors made on the way are kept in `made`.
const std::byte* source_of(const ComposedTerm& term, const Call& outer, const Call& inner, std::vector<Tensor>& made) {
  const auto t = static_cast<std::size_t>(term.term);
  if (term.source == ComposedTerm::Source::kOuter) return outer.indices[t].as<std::byte>();
  const Tensor& index = inner.indices[t];
  if (term.source == ComposedTerm::Source::kInner) return index.as<std::byte>() + term.shift * width(index.dtype());
  if (!term.through) throw std::logic_error("a gathered term without its plan");
  made.push_back(run_plan(*term.through, index, data_of(outer.indices)));
  return made.back().as<std::byte>();
}

Tensor at_once(const Composition& c, const Call& outer, const Call& inner, const Tensor& x) {
  std::vector<Tensor> made;
  std::vector<const std::byte*> indices;
  for (const ComposedTerm& term : c.terms) indices.push_back(source_of(term, outer, inner, made));
  return run_plan(c.plan, x, indices);
}

Tensor one_by_one(const Call& outer, const Call& inner, const Tensor& x) {
  return run_plan(outer.plan, run_plan(inner.plan, x, data_of(inner.indices)), data_of(outer.indices));
}

Tensor iota(Index n) {
  Tensor t = value_or_throw(Tensor::empty(DType::kI64, {n}));
  std::iota(t.as<Index>(), t.as<Index>() + n, 0);
  return t;
}

void expect_same(const Call& outer, const Call& inner, Index elements) {
  const auto c = compose(outer.plan, inner.plan);
  ASSERT_TRUE(c.ok()) << c.status().message;
  ASSERT_TRUE(verify(c->plan).ok()) << verify(c->plan).message << '\n' << print(c->plan);
  const Tensor x = iota(elements), both = at_once(*c, outer, inner, x), expected = one_by_one(outer, inner, x);
  EXPECT_TRUE(same_bits(both, expected)) << to_string(both) << '\n' << to_string(expected) << '\n' << print(c->plan);
}

constexpr const char* kWindow =
    "gather i64 (i:8, j:3)\n indexed [9,6] = (i + 1, 2*j) stride (6,1)\n dense [8,3] = (i, j) stride (3,1)";
constexpr const char* kRowsOf83 =
    "gather i64 (i:5, j:3)\n indexed [8,3] = (%0, j) stride (3,1)\n dense [5,3] = (i, j) stride (3,1)\n"
    " %0 i32 [5] = (i) stride (1) in [0,8) wrap 8 trap";
constexpr const char* kRowsTo83 =
    "gather i64 (i:8, j:3)\n indexed [9,3] = (%0, j) stride (3,1)\n dense [8,3] = (i, j) stride (3,1)\n"
    " %0 i64 [8] = (i) stride (1) in [0,9) clamp";

Tensor wrapping() { return tensor({7, -8, 0, 3, 3}); }
Tensor clamping() { return tensor({Index{0}, Index{8}, Index{99}, Index{-4}, Index{5}, Index{1}, Index{2}, Index{6}}); }

TEST(Compose, AffineInner) { expect_same({plan_of(kRowsOf83), {wrapping()}}, {plan_of(kWindow), {}}, 54); }

TEST(Compose, AffineBoth) {
  const char* crop = "gather i64 (i:3)\n indexed [8,3] = (2*i + 1, -i + 2) stride (3,1)\n dense [3] = (i) stride (1)";
  expect_same({plan_of(crop), {}}, {plan_of(kWindow), {}}, 54);
}

TEST(Compose, ViewedTerm) {
  const char* outer =
      "gather i64 (i:3, j:4)\n indexed [8,3] = (2*i + 1, %0) stride (3,1)\n dense [3,4] = (i, j) stride (4,1)\n"
      " %0 u8 [4] = (j) stride (1) in [0,3) modulo";
  const Call lookup{plan_of(outer), {tensor<std::uint8_t>({2, 255, 1, 0})}};
  const Call rows{plan_of(kRowsTo83), {clamping()}};
  expect_same(lookup, rows, 27);
  const auto c = compose(lookup.plan, rows.plan);
  EXPECT_EQ(c->terms[0].source, ComposedTerm::Source::kInner);
  EXPECT_EQ(c->terms[0].shift, 1);
  EXPECT_EQ(c->plan.terms[0].stride, (Axes{2, 0}));
  EXPECT_EQ(c->terms[1].source, ComposedTerm::Source::kOuter);
}

TEST(Compose, GatheredTerm) {
  const Call outer{plan_of(kRowsOf83), {wrapping()}}, inner{plan_of(kRowsTo83), {clamping()}};
  expect_same(outer, inner, 27);
  EXPECT_EQ(compose(outer.plan, inner.plan)->terms[0].source, ComposedTerm::Source::kGathered);
}

TEST(Compose, GatheredTermUnderAnAxisNobodyReads) {
  const char* outer =
      "gather i64 (i:4)\n indexed [8,3] = (%0, %1) stride (3,1)\n dense [4] = (i) stride (1)\n"
      " %0 i32 [4] = (i) stride (1) in [0,8) trap\n %1 i32 [4] = (i) stride (1) in [0,3) clamp";
  const char* inner =
      "gather i64 (i:8, j:3)\n indexed [9] = (%0) stride (1)\n dense [8,3] = (i, j) stride (3,1)\n"
      " %0 i64 [8] = (i) stride (1) in [0,9) clamp";
  expect_same({plan_of(outer), {tensor({7, 0, 2, 2}), tensor({0, 9, -1, 1})}}, {plan_of(inner), {clamping()}}, 9);
}

TEST(Compose, InnerBoundsAtPosition) {
  const char* inner =
      "gather i64 (i:8, j:3)\n indexed [12] = (%0 + j) stride (1)\n dense [8,3] = (i, j) stride (3,1)\n"
      " %0 i64 [8] = (i) stride (1) in [0,12) trap at position";
  const Tensor starts = tensor<Index>({0, 9, 1, 8, 5, 4, 3, 2});
  expect_same({plan_of(kRowsOf83), {wrapping()}}, {plan_of(inner), {starts}}, 12);
}

TEST(Compose, RankZeroResult) {
  const char* outer =
      "gather i64 ()\n indexed [8,3] = (%0, 1) stride (3,1)\n dense [] = () stride ()\n"
      " %0 i32 [] = () stride () in [0,8) trap";
  expect_same({plan_of(outer), {scalar(5)}}, {plan_of(kRowsTo83), {clamping()}}, 27);
}

TEST(Compose, EmptyResult) {
  IndexPlan outer = plan_of(kRowsOf83);
  outer.domain[0] = 0;
  expect_same({outer, {wrapping()}}, {plan_of(kWindow), {}}, 54);
}

/// The outer bounds speak of a position on the inner result; on x that position lies two further on.
TEST(Compose, OuterBoundsAtPosition) {
  const char* outer =
      "gather i64 (i:3)\n indexed [8] = (%0 + i) stride (1)\n dense [3] = (i) stride (1)\n"
      " %0 i64 [] = () stride () in [0,8) trap at position";
  const char* inner = "gather i64 (i:8)\n indexed [10] = (i + 2) stride (1)\n dense [8] = (i) stride (1)";
  if (!compose(plan_of(outer), plan_of(inner)).ok()) return;  // refusing is right too
  expect_same({plan_of(outer), {scalar(Index{5})}}, {plan_of(inner), {}}, 10);
}

/// The base says where the inner result lies in memory; an index tensor gathered in its place lies elsewhere.
TEST(Compose, GatheredTermsHaveTheirOwnBase) {
  IndexPlan outer = plan_of(kRowsOf83);
  outer.indexed_base = 5;
  const auto c = compose(outer, plan_of(kRowsTo83));
  ASSERT_TRUE(c.ok());
  ASSERT_TRUE(c->terms[0].through.has_value());
  EXPECT_EQ(c->terms[0].through->indexed_base, 0);
}

struct Refused {
  const char* what;
  IndexPlan outer, inner;
  const char* reason;
};

IndexPlan changed(const char* text, void (*change)(IndexPlan&)) {
  IndexPlan plan = plan_of(text);
  change(plan);
  return plan;
}

constexpr const char* kBothLookedUp =
    "gather i64 (i:5)\n indexed [8,3] = (%0, %1) stride (3,1)\n dense [5] = (i) stride (1)\n"
    " %0 i32 [5] = (i) stride (1) in [0,8) trap\n %1 i32 [5] = (i) stride (1) in [0,3) trap";
constexpr const char* kDiagonal =
    "gather i64 (i:8, j:3)\n indexed [10] = (i + j) stride (1)\n dense [8,3] = (i, j) stride (3,1)";
constexpr const char* kEveryOther =
    "gather i64 (i:8, j:3)\n indexed [15,3] = (2*i, j) stride (3,1)\n dense [8,3] = (i, j) stride (3,1)";
constexpr const char* kIgnoresRows =
    "gather i64 (i:8, j:3)\n indexed [3] = (j) stride (1)\n dense [8,3] = (i, j) stride (3,1)";
constexpr const char* kWindowed =
    "gather i64 (i:8, j:3)\n indexed [9] = (%0 + i) stride (1)\n dense [8,3] = (i, j) stride (3,1)\n"
    " %0 i32 [3] = (j) stride (1) in [0,2) trap";

TEST(Compose, P20_Refusals) {
  const Refused cases[] = {
      {"outer scatter", changed(kRowsOf83, [](IndexPlan& p) { p.direction = Direction::kScatter; }), plan_of(kWindow),
       "both must be gathers"},
      {"inner scatter", plan_of(kRowsOf83), changed(kWindow, [](IndexPlan& p) { p.direction = Direction::kScatter; }),
       "both must be gathers"},
      {"mask", changed(kRowsOf83, [](IndexPlan& p) { p.mask_stride = Axes{1, 0}; }), plan_of(kWindow), "without mask"},
      {"fill tensor", plan_of(kRowsOf83), changed(kWindow, [](IndexPlan& p) { p.fill_stride = Axes{0, 0}; }),
       "without mask"},
      {"outer fills", changed(kRowsOf83, [](IndexPlan& p) { p.terms[0].bounds.policy = OutOfRange::kFill; }),
       plan_of(kWindow), "filled"},
      {"inner fills", plan_of(kRowsOf83),
       changed(kRowsTo83, [](IndexPlan& p) { p.terms[0].bounds.policy = OutOfRange::kFill; }), "filled"},
      {"shapes", plan_of(kRowsOf83), changed(kWindow, [](IndexPlan& p) { p.domain[0] = 7; }), "result shape"},
      {"factor", plan_of(kRowsOf83), plan_of(kEveryOther), "factor"},
      {"two outer values", plan_of(kBothLookedUp), plan_of(kDiagonal), "two index values"},
      {"an outer and an inner value", plan_of(kRowsOf83), plan_of(kWindowed), "two index values"},
      {"a check would be lost", plan_of(kRowsOf83), plan_of(kIgnoresRows), "does not depend"},
  };
  for (const Refused& c : cases) {
    const Status s = compose(c.outer, c.inner).status();
    EXPECT_EQ(s.rule, "P20") << c.what;
    EXPECT_EQ(s.code, Code::kUnsupported) << c.what;
    EXPECT_NE(s.message.find(c.reason), std::string::npos) << c.what << ": " << s.message;
  }
}

TEST(Compose, P20_DtypesDiffer) {
  const IndexPlan floats = changed(kWindow, [](IndexPlan& p) { p.dtype = DType::kF32; });
  EXPECT_EQ(compose(plan_of(kRowsOf83), floats).status().rule, "P20");
}

TEST(Compose, BothAreVerified) {
  const IndexPlan broken = changed(kWindow, [](IndexPlan& p) { p.indexed[0].extent = 2; });
  EXPECT_EQ(compose(plan_of(kRowsOf83), broken).status().rule, "P4");
  EXPECT_EQ(compose(broken, plan_of(kWindow)).status().rule, "P4");
}

}  // namespace
}  // namespace garner
