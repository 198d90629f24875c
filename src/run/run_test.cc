#include "garner/run.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "garner/error.h"
#include "run/job_builder.h"

namespace garner {
namespace {

Tensor zeros(DType dtype, const Axes& shape) { return value_or_throw(Tensor::zeros(dtype, shape)); }

/// 1, 2, 3, …: nothing is 0 by chance.
Tensor count(const Axes& shape) {
  Tensor t = zeros(DType::kI32, shape);
  std::iota(t.as<int>(), t.as<int>() + t.elements(), 1);
  return t;
}

template <class T>
std::vector<T> values(const View& v) {
  const Tensor t = value_or_throw(contiguous(v));
  return {t.as<T>(), t.as<T>() + t.elements()};
}
std::vector<int> ints(const View& v) { return values<int>(v); }

Job take(const View& operand, const View& index, Bounds bounds) {
  auto b = JobBuilder::gather("take", operand, index.shape());
  b.look_up(0, b.term(index, axes_from(0, index.rank()), bounds, "index", "P16"));
  return std::move(b).build();
}

Job put(const View& operand, const View& index, const View& updates, Combine combine, Bounds bounds) {
  auto b = JobBuilder::scatter("put", operand, updates, combine);
  b.look_up(0, b.term(index, axes_from(0, index.rank()), bounds, "index", "P16"));
  return std::move(b).build();
}

/// What a run leaves behind.
struct Outcome {
  Status status;
  std::vector<int> out;
  bool operator==(const Outcome& o) const {
    return status.rule == o.status.rule && status.message == o.status.message && out == o.out;
  }
};

std::ostream& operator<<(std::ostream& stream, const Outcome& o) {
  return stream << '"' << o.status.message << "\" " << testing::PrintToString(o.out);
}

/// Into memory full of -1.
Outcome run_with(const Job& job, const std::string& kernel, int threads) {
  Tensor out = zeros(job.plan.dtype, job.result_shape);
  std::fill_n(out.as<int>(), out.elements(), -1);
  const Status status = run_into(job, out.view(), {.threads = threads, .kernel = kernel});
  return {status, ints(out)};
}

/// Every kernel on 1, 2 and 7 threads does what the reference does, which is given back.
Outcome same_from_all(const Job& job) {
  const Outcome expected = run_with(job, "reference", 1);
  for (const std::string& kernel : value_or_throw(accepting_kernels(job)))
    for (const int threads : {1, 2, 7})
      EXPECT_EQ(run_with(job, kernel, threads), expected) << kernel << " on " << threads;
  return expected;
}

// ---- a bad index ----

TEST(Trap, ReadsZeroAndDoesTheRest) {
  const Tensor x = count({5}), index = tensor<Index>({4, 5, 0, -1, 2});
  const Outcome o = same_from_all(take(x, index, {.hi = 5}));
  EXPECT_EQ(o.out, (std::vector<int>{5, 0, 1, 0, 3}));
  EXPECT_EQ(o.status.message, "take: index[1] is 5, allowed [0, 5) on axis 0 of operand [5]");
}

TEST(Trap, ReadsZeroRows) {
  const Tensor x = count({3, 2}), index = tensor<Index>({2, 3, 0});
  auto b = JobBuilder::gather("rows", x, {3, 2});
  b.look_up(0, b.term(index, {0}, {.hi = 3}, "index", "P16")).follow(1, 1);
  EXPECT_EQ(same_from_all(std::move(b).build()).out, (std::vector<int>{5, 6, 0, 0, 1, 2}));
}

TEST(Trap, WritesNothingAndDoesTheRest) {
  const Tensor x = count({4}), index = tensor<Index>({3, 4, 0, -1}), u = tensor({10, 20, 30, 40});
  EXPECT_EQ(same_from_all(put(x, index, u, Combine::kAssign, {.hi = 4})).out, (std::vector<int>{30, 2, 3, 10}));
  EXPECT_EQ(same_from_all(put(x, index, u, Combine::kAdd, {.hi = 4})).out, (std::vector<int>{31, 2, 3, 14}));
}

/// run.h: a trapping read leaves the fill value, as a masked one does.
TEST(Trap, ReadsTheFillWhereThereIsOne) {
  const Tensor x = count({5}), index = tensor<Index>({4, 5, 0}), mask = tensor({true, true, false}), fill = scalar(77);
  auto b = JobBuilder::gather("take", x, {3});
  b.look_up(0, b.term(index, {0}, {.hi = 5}, "index", "P16")).mask(mask).fill(fill);
  EXPECT_EQ(same_from_all(std::move(b).build()).out, (std::vector<int>{5, 77, 77}));
}

/// One term fills, another traps, both out of range at one position: every kernel must say the same of it.
TEST(Trap, BesideAFilledTerm) {
  const Tensor x = count({3, 3}), rows = tensor<Index>({0, 9, 2}), columns = tensor<Index>({1, 9, 2});
  for (const bool fill_first : {true, false}) {
    auto b = JobBuilder::gather("take", x, {3});
    const auto policy = [&](bool first) { return first == fill_first ? OutOfRange::kFill : OutOfRange::kTrap; };
    b.look_up(0, b.term(rows, {0}, {.hi = 3, .policy = policy(true)}, "row", "P16"));
    b.look_up(1, b.term(columns, {0}, {.hi = 3, .policy = policy(false)}, "column", "P16"));
    EXPECT_EQ(same_from_all(std::move(b).build()).out, (std::vector<int>{2, 0, 9}));
  }
}

struct Policy {
  OutOfRange policy;
  std::vector<int> out;
};

TEST(Policies, Reads) {
  const Tensor x = count({5}), index = tensor<Index>({7, -1, 4, -6});
  for (const Policy& p : {Policy{OutOfRange::kClamp, {5, 1, 5, 1}}, Policy{OutOfRange::kModulo, {3, 5, 5, 5}},
                          Policy{OutOfRange::kFill, {0, 0, 5, 0}}})
    EXPECT_EQ(same_from_all(take(x, index, {.hi = 5, .policy = p.policy})).out, p.out) << name(p.policy);
  EXPECT_EQ(same_from_all(take(x, index, {.hi = 5, .wrap = 5, .policy = OutOfRange::kFill})).out,
            (std::vector<int>{0, 5, 5, 0}));
}

TEST(Policies, Writes) {
  const Tensor x = zeros(DType::kI32, {5}), index = tensor<Index>({7, -1, 4, -6}), u = tensor({1, 2, 4, 8});
  for (const Policy& p : {Policy{OutOfRange::kClamp, {10, 0, 0, 0, 5}}, Policy{OutOfRange::kModulo, {0, 0, 1, 0, 14}},
                          Policy{OutOfRange::kDrop, {0, 0, 0, 0, 4}}})
    EXPECT_EQ(same_from_all(put(x, index, u, Combine::kAdd, {.hi = 5, .policy = p.policy})).out, p.out)
        << name(p.policy);
}

/// Values below zero under an offset are positions inside the axis like any others.
TEST(Bounds, P7_BelowZero) {
  const Tensor x = count({5}), index = tensor<Index>({-5, -1, -3});
  auto read = JobBuilder::gather("take", x, {3});
  read.look_up(0, read.term(index, {0}, {.lo = -5, .hi = 0}, "index", "P16")).shift(0, 5);
  EXPECT_EQ(run(std::move(read).build()).status().rule, "P7");
}

/// Offsets at the end of 64 bits are refused, or the same in every kernel: a sum that wraps round is no position.
TEST(Bounds, AtPositionFarAway) {
  constexpr Index kMin = std::numeric_limits<Index>::min();
  const Tensor x = count({5}), index = tensor<Index>({kMin, kMin + 2, 0});
  auto b = JobBuilder::gather("take", x, {3});
  b.look_up(0, b.term(index, {0}, {.hi = 5, .policy = OutOfRange::kFill, .scope = Scope::kPosition}, "index", "P16"))
      .shift(0, kMin);
  const Job job = std::move(b).build();
  if (verify(job.plan).ok()) { EXPECT_EQ(same_from_all(job).out, (std::vector<int>{0, 0, 0})); }
}

// ---- results ----

TEST(Run, ScatterLeavesItsOperandAlone) {
  const Tensor x = count({3}), index = tensor<Index>({1}), u = tensor({50});
  EXPECT_EQ(ints(*run_one(put(x, index, u, Combine::kAssign, {.hi = 3}))), (std::vector<int>{1, 50, 3}));
  EXPECT_EQ(ints(x), (std::vector<int>{1, 2, 3}));
}

TEST(Run, ScatterOnZeros) {
  const Tensor u = tensor({7, 8}), index = tensor<Index>({2, 2});
  auto b = JobBuilder::scatter_zeros("put", {4}, u, Combine::kAdd);
  b.look_up(0, b.term(index, {0}, {.hi = 4}, "index", "P16"));
  EXPECT_EQ(same_from_all(std::move(b).build()).out, (std::vector<int>{0, 0, 15, 0}));
}

TEST(Run, LastWriteStays) {
  const Tensor x = zeros(DType::kI32, {2}), index = tensor<Index>({1, 0, 1, 0, 1}), u = tensor({1, 2, 3, 4, 5});
  EXPECT_EQ(same_from_all(put(x, index, u, Combine::kAssign, {.hi = 2})).out, (std::vector<int>{4, 5}));
}

TEST(Run, InPlaceEqualsACopy) {
  Tensor x = count({4});
  const Tensor index = tensor<Index>({3, 3, 0}), u = tensor({10, 20, 30});
  const Job job = put(x, index, u, Combine::kAdd, {.hi = 4});
  const std::vector<int> expected = ints(*run_one(job));
  ASSERT_TRUE(run_into(job, x.view()).ok());
  EXPECT_EQ(ints(x), expected);
}

TEST(Run, IntoStridedMemory) {
  std::vector<int> memory(12, -1);
  const Tensor x = count({4}), index = tensor<Index>({3, 0, 2});
  ASSERT_TRUE(run_into(take(x, index, {.hi = 4}), {memory.data() + 8, {3}, {-4}}).ok());
  EXPECT_EQ(memory, (std::vector<int>{3, -1, -1, -1, 1, -1, -1, -1, 4, -1, -1, -1}));
}

// ---- fetch, compare-exchange and user functions ----

Job fetching(const View& x, const View& index, const View& u) {
  auto b = JobBuilder::scatter("put", x, u, Combine::kAdd);
  b.look_up(0, b.term(index, {0}, {.hi = 3, .policy = OutOfRange::kDrop}, "index", "P16")).fetch();
  return std::move(b).build();
}

TEST(Fetch, GivesTheValuesBeforeAndThenTheResult) {
  const Tensor x = count({3}), index = tensor<Index>({1, 1, 9, 0}), u = tensor({10, 20, 30, 40});
  for (const int threads : {1, 2, 7})
    for (const char* kernel : {"reference", "generic", ""}) {
      const auto results = run(fetching(x, index, u), {.threads = threads, .kernel = kernel});
      ASSERT_TRUE(results.ok());
      ASSERT_EQ(results->size(), 2U);
      EXPECT_EQ(ints((*results)[0]), (std::vector<int>{2, 12, 0, 1})) << kernel;  // a dropped write fetches 0
      EXPECT_EQ(ints((*results)[1]), (std::vector<int>{41, 32, 3})) << kernel;
    }
}

TEST(RunInPlace, UpdatesTheTargetAndFetches) {
  const Tensor x = count({3}), index = tensor<Index>({1, 1, 9, 0}), u = tensor({10, 20, 30, 40});
  Tensor target = tensor({100, 200, 300}), before = zeros(DType::kI32, {4});
  ASSERT_TRUE(run_in_place(fetching(x, index, u), target.view(), &before.view()).ok());
  EXPECT_EQ(ints(target), (std::vector<int>{140, 230, 300}));
  EXPECT_EQ(ints(before), (std::vector<int>{200, 210, 0, 100}));
  EXPECT_EQ(ints(x), (std::vector<int>{1, 2, 3}));
}

TEST(RunInPlace, WithoutAPlaceToFetchTo) {
  const Tensor x = count({3}), index = tensor<Index>({1, 1, 9, 0}), u = tensor({10, 20, 30, 40});
  Tensor target = tensor({100, 200, 300});
  ASSERT_TRUE(run_in_place(fetching(x, index, u), target.view()).ok());
  EXPECT_EQ(ints(target), (std::vector<int>{140, 230, 300}));
}

TEST(RunInPlace, Refusals) {
  const Tensor x = count({3}), index = tensor<Index>({1, 1, 9, 0});
  Tensor u = tensor({10, 20, 30, 40}), target = tensor({100, 200, 300}), shape = zeros(DType::kI32, {3}),
         dtype = zeros(DType::kF32, {4});
  const Job job = fetching(x, index, u);
  EXPECT_EQ(run_in_place(job, target.view(), &shape.view()).rule, "P12");
  EXPECT_EQ(run_in_place(job, target.view(), &dtype.view()).rule, "P13");
  EXPECT_EQ(run_in_place(job, target.view(), &u.view()).rule, "P11");
  EXPECT_EQ(run_in_place(job, shape.view(), nullptr, {.threads = 1, .kernel = "nonsense"}).rule, "P18");
  std::vector<int> memory(8, 5);
  const MutableView low(memory.data(), {3}), high(memory.data() + 2, {4});
  EXPECT_EQ(run_in_place(job, low, &high).rule, "P11");
  EXPECT_EQ(memory, std::vector<int>(8, 5));
  EXPECT_EQ(ints(target), (std::vector<int>{100, 200, 300}));
}

TEST(RunInPlace, RefusesAGather) {
  Tensor x = count({3});
  const Tensor index = tensor<Index>({0, 1, 2});
  EXPECT_FALSE(run_in_place(take(x, index, {.hi = 3}), x.view()).ok());
}

TEST(CompareExchange, StoresWhereTheValueIsExpected) {
  const Tensor x = tensor({1, 2, 1}), index = tensor<Index>({0, 1, 2, 0}), u = tensor({10, 20, 30, 40}),
               expected = scalar(1);
  auto b = JobBuilder::scatter("cas", x, u, Combine::kCompareExchange);
  b.look_up(0, b.term(index, {0}, {.hi = 3}, "index", "P16")).fill(expected).fetch();
  for (const int threads : {1, 2, 7}) {
    const auto results = run(JobBuilder(b).build(), {.threads = threads, .kernel = ""});
    ASSERT_TRUE(results.ok());
    EXPECT_EQ(ints((*results)[0]), (std::vector<int>{1, 2, 1, 10}));
    EXPECT_EQ(ints((*results)[1]), (std::vector<int>{10, 2, 30}));
  }
}

/// a = 2a + b: neither commutative nor associative, so any other order of updates shows.
void doubled_plus(void* const* current, const void* const* update) {
  *static_cast<int*>(current[0]) = 2 * *static_cast<int*>(current[0]) + *static_cast<const int*>(update[0]);
}

TEST(UserCombine, RunsInIndexOrder) {
  const Tensor x = count({2}), index = tensor<Index>({0, 1, 0, 0}), u = tensor({1, 2, 3, 4});
  Job job = put(x, index, u, Combine::kUser, {.hi = 2});
  job.user = doubled_plus;
  EXPECT_EQ(same_from_all(job).out, (std::vector<int>{22, 6}));
}

/// The larger value wins, and its tag with it.
void arg_max(void* const* current, const void* const* update) {
  if (*static_cast<int*>(current[0]) >= *static_cast<const int*>(update[0])) return;
  *static_cast<int*>(current[0]) = *static_cast<const int*>(update[0]);
  *static_cast<double*>(current[1]) = *static_cast<const double*>(update[1]);
}

struct ArgMax {
  Tensor best = zeros(DType::kI32, {2}), tag = zeros(DType::kF64, {2}), index = tensor<Index>({0, 1, 0, 1});
  Tensor u = tensor({5, 9, 7, 3}), tags = tensor({0.5, 1.5, 2.5, 3.5});
  Job job() const {
    Job j = put(best, index, u, Combine::kUser, {.hi = 2});
    j.user = arg_max;
    j.more_operands = {tag};
    j.more_updates = {tags};
    return j;
  }
};

TEST(UserCombine, OverSeveralOperands) {
  const ArgMax a;
  for (const int threads : {1, 2, 7}) {
    const auto results = run(a.job(), {.threads = threads, .kernel = ""});
    ASSERT_TRUE(results.ok()) << results.status().message;
    EXPECT_EQ(ints((*results)[0]), (std::vector<int>{7, 9}));
    EXPECT_EQ(values<double>((*results)[1]), (std::vector<double>{2.5, 1.5}));
  }
}

TEST(UserCombine, P15_OperandsThatDoNotMatch) {
  const ArgMax a;
  Job shape = a.job(), dtype = a.job();
  shape.more_operands = {zeros(DType::kF64, {3})};
  dtype.more_updates = {View(DType::kI64, a.tags.data(), {4})};
  EXPECT_EQ(run(shape).status().rule, "P15");
  EXPECT_EQ(run(dtype).status().rule, "P15");
}

/// There is one `out`, but the function writes to two operands.
TEST(UserCombine, SeveralOperandsNeedRun) {
  const ArgMax a;
  Job job = a.job();
  job.user = doubled_plus;  // touches the first operand only, in case it is called
  Tensor out = zeros(DType::kI32, {2});
  EXPECT_FALSE(run_into(job, out.view()).ok());
  EXPECT_FALSE(run_in_place(job, out.view()).ok());
}

/// Without a function of all of them the other operands would come back without their updates.
TEST(UserCombine, SeveralOperandsNeedAFunction) {
  const ArgMax a;
  Job job = a.job();
  job.plan.combine = Combine::kAdd;
  EXPECT_FALSE(run(job).ok());
}

// ---- edges ----

TEST(Edges, RankZero) {
  const Tensor x = scalar(42);
  const Job copy = std::move(JobBuilder::gather("copy", x, {})).build();
  EXPECT_EQ(same_from_all(copy).out, (std::vector<int>{42}));
  const Tensor one = scalar(1);
  const Job add = std::move(JobBuilder::scatter("add", x, one, Combine::kAdd)).build();
  EXPECT_EQ(same_from_all(add).out, (std::vector<int>{43}));
}

TEST(Edges, EmptyDomain) {
  const Tensor x = count({3}), index = zeros(DType::kI64, {0}), u = zeros(DType::kI32, {0});
  EXPECT_EQ(run_one(take(x, index, {.hi = 3}))->shape(), Axes{0});
  EXPECT_EQ(same_from_all(put(x, index, u, Combine::kAdd, {.hi = 3})).out, (std::vector<int>{1, 2, 3}));
}

TEST(Edges, EmptyOperand) {
  const Tensor x = zeros(DType::kI32, {0}), index = tensor<Index>({0, -1});
  EXPECT_EQ(same_from_all(take(x, index, {.hi = 0, .policy = OutOfRange::kFill})).out, (std::vector<int>{0, 0}));
  EXPECT_EQ(run_one(take(x, index, {.hi = 0})).status().message,
            "take: index[0] is 0, allowed [0, 0) on axis 0 of operand [0]");
  EXPECT_EQ(run_one(take(x, index, {.hi = 0, .policy = OutOfRange::kClamp})).status().rule, "P7");
}

TEST(Edges, P18_EvenWhereNothingRuns) {
  const Tensor x = count({3}), index = zeros(DType::kI64, {0});
  EXPECT_EQ(run_one(take(x, index, {.hi = 3}), {.threads = 1, .kernel = "nonsense"}).status().rule, "P18");
}

TEST(AcceptingKernels, CheapestFirstReferenceLast) {
  const Tensor x = count({9}), index = tensor<Index>({1, 2});
  EXPECT_EQ(value_or_throw(accepting_kernels(take(x, index, {.hi = 9}))),
            (std::vector<std::string>{"element_gather", "generic", "reference"}));
  EXPECT_EQ(accepting_kernels(take(x, index, {.hi = 10})).status().rule, "P4");
}

TEST(SimplifiedPlan, IsTheNormalFormOnARowMajorResult) {
  const Tensor x = count({3, 4});
  const View reversed(x.as<int>() + 11, {3, 4}, {-4, -1});
  const Job job = std::move(JobBuilder::gather("copy", reversed, {3, 4}).follow(0, 0).follow(1, 1)).build();
  EXPECT_EQ(print(value_or_throw(simplified_plan(job))),
            "gather i32 (i:12)\n  indexed [12] = (-i + 11) stride (1) base -11\n  dense [12] = (i) stride (1)\n");
}

TEST(RunOne, PassesALoweringsErrorOn) {
  EXPECT_EQ(run_one(Result<Job>(Status{Code::kType, "LU7", "x"})).status().rule, "LU7");
}

}  // namespace
}  // namespace garner
