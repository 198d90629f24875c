#include "run/job_builder.h"

#include <gtest/gtest.h>

#include "garner/error.h"

namespace garner {
namespace {

Tensor zeros(DType dtype, const Axes& shape) { return value_or_throw(Tensor::zeros(dtype, shape)); }

TEST(JobBuilder, AxesFrom) {
  EXPECT_EQ(axes_from(2, 3), (Axes{2, 3, 4}));
  EXPECT_EQ(axes_from(5, 0), Axes{});
}

TEST(JobBuilder, GatherTakesTheOperandsStrides) {
  const Tensor x = zeros(DType::kF32, {4, 6}), index = zeros(DType::kI32, {5});
  const View transposed(DType::kF32, x.data(), {6, 4}, {1, 6});
  auto b = JobBuilder::gather("op", transposed, {5, 4});
  const int t = b.term(index, {0}, {.hi = 6}, "index", "X1");
  const Job job = std::move(b.look_up(0, t).follow(1, 1)).build();
  EXPECT_EQ(print(job.plan),
            "gather f32 (i:5, j:4)\n  indexed [6,4] = (%0, j) stride (1,6)\n  dense [5,4] = (i, j) stride (4,1)\n"
            "  %0 i32 [5] = (i) stride (1) in [0,6) trap\n");
  EXPECT_EQ(job.op, "op");
  EXPECT_EQ(job.result_shape, (Axes{5, 4}));
  EXPECT_EQ(job.labels[0].rule, "X1");
}

TEST(JobBuilder, ScatterWalksTheUpdates) {
  const Tensor x = zeros(DType::kF32, {4, 6}), u = zeros(DType::kF32, {6, 5}), index = zeros(DType::kI64, {5});
  const View updates(DType::kF32, u.data(), {5, 6}, {1, 5});
  auto b = JobBuilder::scatter("op", x, updates, Combine::kMax);
  const int t = b.term(index, {0}, {.hi = 4, .policy = OutOfRange::kDrop}, "index", "X1");
  const Job job = std::move(b.look_up(0, t).follow(1, 1)).build();
  EXPECT_EQ(print(job.plan),
            "scatter f32 max (i:5, j:6)\n  indexed [4,6] = (%0, j) stride (6,1)\n  dense [5,6] = (i, j) stride (1,5)\n"
            "  %0 i64 [5] = (i) stride (1) in [0,4) drop\n");
  EXPECT_EQ(job.result_shape, (Axes{4, 6}));
  EXPECT_TRUE(job.operand.has_value());
}

TEST(JobBuilder, ScatterZerosHasNoOperand) {
  const Tensor u = zeros(DType::kF64, {3});
  const Job job = std::move(JobBuilder::scatter_zeros("op", {7}, u, Combine::kAdd).follow(0, 0, 2).shift(0, 1)).build();
  EXPECT_FALSE(job.operand.has_value());
  EXPECT_EQ(job.plan.dtype, DType::kF64);
  EXPECT_EQ(job.plan.indexed[0], (AxisMap{.extent = 7, .stride = 1, .offset = 1, .step = {2}, .term = -1}));
}

TEST(JobBuilder, FollowAndShiftAddUp) {
  const Tensor x = zeros(DType::kF32, {20});
  const Job job =
      std::move(JobBuilder::gather("op", x, {3, 4}).follow(0, 0, 2).follow(0, 1).follow(0, 0).shift(0, 3).shift(0, -1))
          .build();
  EXPECT_EQ(job.plan.indexed[0].step, (Axes{3, 1}));
  EXPECT_EQ(job.plan.indexed[0].offset, 2);
}

TEST(JobBuilder, ExtentOneStretches) {
  const Tensor x = zeros(DType::kF32, {9}), index = zeros(DType::kI64, {1, 4});
  auto b = JobBuilder::gather("op", x, {3, 4});
  const int t = b.term(index, {0, 1}, {.hi = 9}, "index", "X1");
  const Job job = std::move(b.look_up(0, t)).build();
  EXPECT_EQ(job.plan.terms[0].stride, (Axes{0, 1}));
  EXPECT_EQ(job.labels[0].domain_axis, (Axes{-1, 1}));
  EXPECT_EQ(job.labels[0].fixed, (Axes{0, 0}));
}

TEST(JobBuilder, ComponentsOfIndexVectors) {
  const Tensor x = zeros(DType::kF32, {5, 6}), vectors = zeros(DType::kI64, {4, 2});
  auto b = JobBuilder::gather("op", x, {4});
  b.look_up(0, b.component(vectors, 1, 0, {0}, {.hi = 5}, "indices", "X1"));
  b.look_up(1, b.component(vectors, 1, 1, {0}, {.hi = 6}, "indices", "X2"));
  const Job job = std::move(b).build();
  EXPECT_EQ(job.plan.terms[1].stride, Axes{2});
  EXPECT_EQ(job.indices[1].data(), vectors.as<Index>() + 1);
  EXPECT_EQ(job.labels[1].domain_axis, (Axes{0, -1}));
  EXPECT_EQ(job.labels[1].fixed, (Axes{0, 1}));
}

TEST(JobBuilder, MaskAndFillBroadcast) {
  const Tensor x = zeros(DType::kF32, {4}), mask = zeros(DType::kBool, {4}), fill = scalar(1.0F);
  auto b = JobBuilder::gather("op", x, {3, 4});
  const Job job = std::move(b.follow(0, 1).mask(mask).fill(fill)).build();
  EXPECT_EQ(job.plan.mask_stride, (Axes{0, 1}));
  EXPECT_EQ(job.plan.fill_stride, (Axes{0, 0}));
  EXPECT_EQ(job.mask.value().shape(), (Axes{3, 4}));
}

TEST(JobBuilder, WhatDoesNotBroadcastIsRefusedLater) {
  const Tensor x = zeros(DType::kF32, {4}), mask = zeros(DType::kBool, {5});
  const Job job = std::move(JobBuilder::gather("op", x, {4}).follow(0, 0).mask(mask)).build();
  const Job wrong_rank =
      std::move(JobBuilder::gather("op", x, {4}).follow(0, 0).mask(zeros(DType::kBool, {2, 4}))).build();
  EXPECT_TRUE(run_one(job).ok());  // it covers the domain, which is all that is needed to stay inside memory
  EXPECT_EQ(run_one(wrong_rank).status().rule, "P1");
}

TEST(JobBuilder, FetchIsRowMajorOverTheDomain) {
  const Tensor x = zeros(DType::kI32, {4, 5}), u = zeros(DType::kI32, {4, 5});
  const Job job = std::move(JobBuilder::scatter("op", x, u, Combine::kAdd).follow(0, 0).follow(1, 1).fetch()).build();
  EXPECT_EQ(job.plan.fetch_stride, (Axes{5, 1}));
}

}  // namespace
}  // namespace garner
