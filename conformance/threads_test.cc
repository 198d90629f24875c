// Show 4: combining scatters give the same bits on 1, 2 and 7 threads, at a size where threads really share the work.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "base/effort.h"
#include "dtype/convert.h"
#include "run/job_builder.h"

namespace garner::conformance {
namespace {

constexpr Index kRows = 300, kUpdates = effort(20000, 3000), kWidth = 17;

Tensor random_values(DType dtype, const Axes& shape, unsigned seed) {
  Tensor t = *Tensor::empty(dtype, shape);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-2.0, 2.0);
  dispatch(dtype, [&]<class T>() {
    for (Index i = 0; i < t.elements(); ++i) {
      const double v = is_integer(dtype) || dtype == DType::kBool ? std::abs(value(random)) * 50 : value(random);
      t.as<T>()[i] = convert<T>(v);
    }
  });
  return t;
}

/// Half of all updates go to row 7: contention where there is any.
Tensor skewed_rows(unsigned seed) {
  Tensor t = *Tensor::empty(DType::kI32, {kUpdates});
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> row(0, kRows - 1);
  for (Index i = 0; i < kUpdates; ++i) t.as<std::int32_t>()[i] = i % 2 == 0 ? 7 : row(random);
  return t;
}

struct Scatter {
  Combine combine;
  DType dtype;
  Index width;
};

Job scatter_job(const Scatter& s, const Tensor& base, const Tensor& rows, const Tensor& updates) {
  auto job = JobBuilder::scatter("threads", base, updates, s.combine);
  job.look_up(0, job.term(rows, {0}, {.hi = kRows}, "rows", "P16")).follow(1, 1);
  return std::move(job).build();
}

class SameBits : public testing::TestWithParam<Scatter> {};

TEST_P(SameBits, OnOneTwoAndSevenThreads) {
  const Scatter s = GetParam();
  const Tensor base = random_values(s.dtype, {kRows, s.width}, 1),
               updates = random_values(s.dtype, {kUpdates, s.width}, 2);
  const Tensor rows = skewed_rows(3);
  const Job job = scatter_job(s, base, rows, updates);
  const auto wanted = run_one(job, {.threads = 1, .kernel = "reference"});
  ASSERT_TRUE(wanted.ok()) << wanted.status().message;
  const auto kernels = accepting_kernels(job);
  ASSERT_TRUE(kernels.ok());
  for (const std::string& kernel : *kernels)
    for (const int threads : {1, 2, 7}) {
      const auto result = run_one(job, {.threads = threads, .kernel = kernel});
      ASSERT_TRUE(result.ok());
      EXPECT_TRUE(same_bits(*result, *wanted)) << kernel << " on " << threads << " threads";
    }
}

bool defined(Combine combine, DType dtype) {
  IndexPlan plan;
  plan.direction = Direction::kScatter;
  plan.combine = combine;
  plan.dtype = dtype;
  return verify(plan).ok();
}

std::vector<Scatter> all_scatters() {
  std::vector<Scatter> all;
  for (const Combine combine : {Combine::kAssign, Combine::kAdd, Combine::kMul, Combine::kMin, Combine::kMax,
                                Combine::kAnd, Combine::kOr, Combine::kXor})
    for (const DTypeInfo& d : kDTypes)
      for (const Index width : {Index{1}, kWidth})
        if (defined(combine, d.dtype)) all.push_back({combine, d.dtype, width});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Threads, SameBits, testing::ValuesIn(all_scatters()), [](const auto& info) {
  return fmt::format("{}_{}_{}", name(info.param.combine), name(info.param.dtype), info.param.width);
});

}  // namespace
}  // namespace garner::conformance
