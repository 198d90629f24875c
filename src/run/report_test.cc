// One error, in the same words from every kernel and any number of threads.
#include "run/report.h"

#include <gtest/gtest.h>

#include "garner/error.h"
#include "run/job_builder.h"

namespace garner {
namespace {

Tensor zeros(DType dtype, const Axes& shape) { return value_or_throw(Tensor::zeros(dtype, shape)); }

/// operand[d with the last axis looked up], the index under its own dtype and bounds.
Job along_last(const View& operand, const View& index, Bounds bounds) {
  auto b = JobBuilder::gather("op", operand, index.shape());
  const int t = b.term(index, axes_from(0, index.rank()), bounds, "index", "XX6");
  for (Index a = 0; a + 1 < operand.rank(); ++a) b.follow(a, a);
  return std::move(b.look_up(operand.rank() - 1, t)).build();
}

Job job_8x16(const Tensor& operand, Tensor& index, Index wrap) {
  index.as<Index>()[3 * 2 + 1] = 17;
  return along_last(operand, index, {.hi = 16, .wrap = wrap});
}

TEST(Report, Words) {
  const Tensor operand = zeros(DType::kF32, {8, 16});
  Tensor index = zeros(DType::kI64, {4, 2});
  const Status s = run_one(job_8x16(operand, index, 0)).status();
  EXPECT_EQ(s.message, "op: index[3,1] is 17, allowed [0, 16) on axis 1 of operand [8,16]");
  EXPECT_EQ(s.rule, "XX6");
  EXPECT_EQ(s.code, Code::kIndex);
}

TEST(Report, WordsWhereNegativesWrap) {
  const Tensor operand = zeros(DType::kF32, {8, 16});
  Tensor index = zeros(DType::kI64, {4, 2});
  EXPECT_EQ(run_one(job_8x16(operand, index, 16)).status().message,
            "op: index[3,1] is 17, allowed [-16, 16) on axis 1 of operand [8,16]");
}

template <class T>
std::string message_for(T value) {
  const Tensor operand = zeros(DType::kF32, {16}), index = tensor({T{0}, value});
  return run_one(along_last(operand, index, {.hi = 16})).status().message;
}

TEST(Report, ValuesOfEveryIndexDtype) {
  EXPECT_EQ(message_for<std::int8_t>(-128), "op: index[1] is -128, allowed [0, 16) on axis 0 of operand [16]");
  EXPECT_EQ(message_for<std::uint8_t>(255), "op: index[1] is 255, allowed [0, 16) on axis 0 of operand [16]");
  EXPECT_EQ(message_for<std::int64_t>(INT64_MIN),
            "op: index[1] is -9223372036854775808, allowed [0, 16) on axis 0 of operand [16]");
  EXPECT_EQ(message_for<std::uint64_t>(UINT64_MAX),
            "op: index[1] is 18446744073709551615, allowed [0, 16) on axis 0 of operand [16]");
}

TEST(Report, RankZeroIndex) {
  const Tensor operand = zeros(DType::kF32, {4}), index = scalar(9);
  auto b = JobBuilder::gather("op", operand, {});
  b.look_up(0, b.term(index, {}, {.hi = 4}, "index", "P16"));
  EXPECT_EQ(run_one(std::move(b).build()).status().message,
            "op: index[] is 9, allowed [0, 4) on axis 0 of operand [4]");
}

TEST(Report, ComponentsNameTheirPlaceInTheVector) {
  const Tensor operand = zeros(DType::kF32, {5, 6}), vectors = tensor<Index>({{0, 0}, {4, 6}});
  auto b = JobBuilder::gather("op", operand, {2});
  for (const Index k : {0, 1})
    b.look_up(k,
              b.component(vectors, 1, k, {0}, {.hi = operand.shape()[static_cast<std::size_t>(k)]}, "indices", "P16"));
  EXPECT_EQ(run_one(std::move(b).build()).status().message,
            "op: indices[1,1] is 6, allowed [0, 6) on axis 1 of operand [5,6]");
}

TEST(Report, StretchedAxesStayAtZero) {
  const Tensor operand = zeros(DType::kF32, {5}), index = tensor<Index>({{0, 7}});
  auto b = JobBuilder::gather("op", operand, {3, 2});
  b.look_up(0, b.term(index, {0, 1}, {.hi = 5}, "index", "P16"));
  EXPECT_EQ(run_one(std::move(b).build()).status().message,
            "op: index[0,1] is 7, allowed [0, 5) on axis 0 of operand [5]");
}

TEST(Report, BoundsAtPositionLeaveTheWindowOut) {
  const Tensor operand = zeros(DType::kF32, {10}), index = tensor<Index>({2, 8});
  auto b = JobBuilder::gather("op", operand, {2, 3});
  const int t = b.term(index, {0}, {.hi = 10, .scope = Scope::kPosition}, "start", "P16");
  b.look_up(0, t).follow(0, 1);
  EXPECT_EQ(run_one(std::move(b).build()).status().message,
            "op: start[1] is 8, allowed [-2, 8) on axis 0 of operand [10]");
}

TEST(Report, WithoutLabelsThereAreDefaults) {
  const Tensor operand = zeros(DType::kF32, {4}), index = tensor<Index>({4});
  Job job = along_last(operand, index, {.hi = 4});
  job.labels.clear();
  const Status s = run_one(job).status();
  EXPECT_EQ(s.rule, "P16");
  EXPECT_EQ(s.message, "op: index[] is 4, allowed [0, 4) on axis 0 of operand [4]");
}

/// Thousands of bad indices, all different, so that naming another than the first cannot go unseen.
Tensor many_bad(Index count, Index first_bad) {
  Tensor index = zeros(DType::kI64, {count});
  for (Index i = first_bad; i < count; i += 3) index.as<Index>()[i] = 1000000 + i;
  return index;
}

void expect_first(const Job& job, const std::string& message) {
  const std::vector<std::string> names = value_or_throw(accepting_kernels(job));
  EXPECT_GE(names.size(), 3U);
  for (const std::string& kernel : names)
    for (const int threads : {1, 2, 7}) {
      const auto result = run(job, {.threads = threads, .kernel = kernel});
      ASSERT_FALSE(result.ok()) << kernel;
      EXPECT_EQ(result.status().message, message) << kernel << " on " << threads;
    }
}

constexpr Index kMany = 40000;

TEST(Report, FirstOffenderOfElements) {
  const Tensor operand = zeros(DType::kF32, {500}), index = many_bad(kMany, 12345);
  expect_first(along_last(operand, index, {.hi = 500}),
               "op: index[12345] is 1012345, allowed [0, 500) on axis 0 of operand [500]");
}

TEST(Report, FirstOffenderOfRows) {
  const Tensor operand = zeros(DType::kF32, {500, 4}), index = many_bad(kMany, 23456);
  auto b = JobBuilder::gather("op", operand, {kMany, 4});
  b.look_up(0, b.term(index, {0}, {.hi = 500}, "index", "P16")).follow(1, 1);
  expect_first(std::move(b).build(), "op: index[23456] is 1023456, allowed [0, 500) on axis 0 of operand [500,4]");
}

TEST(Report, FirstOffenderOfScatters) {
  const Tensor operand = zeros(DType::kF32, {500}), index = many_bad(kMany, 34567),
               updates = zeros(DType::kF32, {kMany});
  for (const Combine combine : {Combine::kAssign, Combine::kAdd}) {
    auto b = JobBuilder::scatter("op", operand, updates, combine);
    b.look_up(0, b.term(index, {0}, {.hi = 500}, "index", "P16"));
    expect_first(std::move(b).build(), "op: index[34567] is 1034567, allowed [0, 500) on axis 0 of operand [500]");
  }
}

/// Row-major over the user's domain, although the kernels walk a result with other strides in another order.
TEST(Report, FirstIsByPositionNotByMemory) {
  const Tensor operand = zeros(DType::kF32, {9});
  const Tensor index = tensor<Index>({{0, 0, 50}, {40, 0, 0}});
  auto b = JobBuilder::gather("op", operand, {2, 3});
  b.look_up(0, b.term(index, {0, 1}, {.hi = 9}, "index", "P16"));
  std::vector<float> out(6);
  const Status s = run_into(std::move(b).build(), {out.data(), {2, 3}, {1, 2}});
  EXPECT_EQ(s.message, "op: index[0,2] is 50, allowed [0, 9) on axis 0 of operand [9]");
}

TEST(Report, MaskedOffendersAreNone) {
  const Tensor operand = zeros(DType::kF32, {9}), index = tensor<Index>({70, 80, 90});
  for (const bool last : {false, true}) {
    auto b = JobBuilder::gather("op", operand, {3});
    b.look_up(0, b.term(index, {0}, {.hi = 9}, "index", "P16"));
    const Tensor mask = tensor({false, false, last});
    Job job = std::move(b.mask(mask)).build();
    const Status s = run_one(job).status();
    EXPECT_EQ(s.message, last ? "op: index[2] is 90, allowed [0, 9) on axis 0 of operand [9]" : "");
  }
}

/// A device's ledger holds a number and a value; the words are those of the CPU, which finds the index itself.
TEST(Report, FromANumberTheSameWords) {
  const Tensor operand = zeros(DType::kF32, {8, 16});
  Tensor index = zeros(DType::kI64, {4, 2});
  const Job job = job_8x16(operand, index, 16);
  const Status found = fault_at({job.op, job.labels, job.plan}, 3 * 2 + 1, 17);
  EXPECT_EQ(found.message, run_one(job).status().message);
  EXPECT_EQ(found.rule, "XX6");
}

TEST(Report, FromANumberTheSecondOfTwoIndices) {
  const Tensor operand = zeros(DType::kF32, {8, 16}), rows = zeros(DType::kI64, {5});
  Tensor columns = zeros(DType::kI32, {5});
  columns.as<std::int32_t>()[4] = -3;
  auto b = JobBuilder::gather("op", operand, {5});
  b.look_up(0, b.term(rows, {0}, {.hi = 8}, "rows", "XX1"));
  b.look_up(1, b.term(columns, {0}, {.hi = 16}, "columns", "XX2"));
  const Job job = std::move(b).build();
  const auto minus_three = static_cast<std::uint64_t>(std::int64_t{-3});
  EXPECT_EQ(fault_at({job.op, job.labels, job.plan}, 4 * 2 + 1, minus_three).message, run_one(job).status().message);
}

TEST(Report, P23_TensorsOnSeveralDevices) {
  const Tensor operand = zeros(DType::kF32, {8, 16}), index = zeros(DType::kI64, {4, 2});
  Job job = along_last(operand, index, {.hi = 16});
  job.operand = job.operand->on({DeviceKind::kCuda, 0});
  EXPECT_EQ(run_one(job).status().rule, "P23");
}

}  // namespace
}  // namespace garner
