// Every conformance case that is small enough, walked by src/draw/trace: the engine must agree with each step of it,
// and the case must give a picture.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>

#include "conformance/case_file.h"
#include "conformance/random_plan.h"
#include "draw/trace.h"
#include "garner/draw.h"
#include "garner/explain.h"
#include "tensor/walk.h"

namespace garner {

std::ostream& operator<<(std::ostream& os, const Job& job);  // property_test.cc has it, for rapidcheck

namespace conformance {
namespace {

constexpr Index kSmall = 4096;

bool is_small(const Job& job) {
  const auto small = [](const Axes& shape) { return View(DType::kU8, nullptr, shape).elements() <= kSmall; };
  return small(job.plan.domain) && small(job.result_shape);
}

bool traps(const std::vector<Step>& steps) {
  return std::ranges::any_of(steps, [](const Step& s) { return s.fate == Fate::kTrapped; });
}

/// What a gather must have put at a step: the element the walk found, the fill, or zero.
std::vector<std::byte> expected_at(const Job& job, const Step& step) {
  const auto bytes = static_cast<std::size_t>(width(job.plan.dtype));
  std::vector<std::byte> out(bytes);
  const void* from = nullptr;
  const auto at = [&](const View& view, Index element) {
    return static_cast<const std::byte*>(view.data()) + element * width(job.plan.dtype);
  };
  if (step.fate == Fate::kDone) from = at(*job.operand, step.indexed);
  else if (job.fill) from = at(*job.fill, dot(step.at, *job.plan.fill_stride));
  if (from != nullptr) std::memcpy(out.data(), from, bytes);
  return out;
}

void expect_gather(const Job& job, const std::vector<Step>& steps) {
  const Tensor out = value_or_throw(Tensor::zeros(job.plan.dtype, job.result_shape));
  const Status status = run_into(job, out.view());
  EXPECT_EQ(status.code == Code::kIndex, traps(steps)) << status.message;
  const auto* bytes = static_cast<const std::byte*>(out.data());
  const Index each = width(job.plan.dtype);
  for (const Step& step : steps) {
    const auto wanted = expected_at(job, step);
    const Index place = dot(step.at, row_major(job.result_shape));
    EXPECT_EQ(std::memcmp(bytes + place * each, wanted.data(), wanted.size()), 0) << "at place " << place;
  }
}

/// A scatter of numbers that tell by their sum which of them came: update n is (n + 1) squared, plus n in the high
/// bits.
Index tell(Index n) { return (n + 1) * (n + 1) + (n << 20); }

void expect_scatter(const Job& given, const std::vector<Step>& steps) {
  Job job = given;
  Tensor numbers = value_or_throw(Tensor::empty(DType::kI64, job.plan.domain));
  for (Index n = 0; n < numbers.elements(); ++n) numbers.as<Index>()[n] = tell(n);
  job.plan.combine = Combine::kAdd;
  job.plan.dtype = DType::kI64;
  job.plan.dense_stride = row_major(job.plan.domain);
  job.plan.fill_stride.reset();
  job.plan.fetch_stride.reset();
  job.operand.reset();
  job.fill.reset();
  job.more_operands.clear();
  job.more_updates.clear();
  job.updates = numbers;
  const Tensor out = value_or_throw(Tensor::zeros(DType::kI64, job.result_shape));
  const Status status = run_into(job, out.view());
  EXPECT_EQ(status.code == Code::kIndex, traps(steps)) << status.message;
  std::vector<Index> wanted(static_cast<std::size_t>(out.elements()), 0);
  for (std::size_t n = 0; n < steps.size(); ++n)
    if (steps[n].fate == Fate::kDone)
      wanted[static_cast<std::size_t>(dot(steps[n].position, row_major(job.result_shape)))] +=
          tell(static_cast<Index>(n));
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(out.as<Index>()[i], wanted[i]) << "at place " << i;
}

/// What a scatter stores is the last update that the walk sends there, and the operand where it sends none.
void expect_stored(const Job& job, const std::vector<Step>& steps) {
  if (job.plan.combine != Combine::kAssign || job.plan.fetch_stride || !job.more_operands.empty()) return;
  const Tensor out = value_or_throw(Tensor::zeros(job.plan.dtype, job.result_shape));
  if (out.bytes() == 0) return;
  (void)run_into(job, out.view());
  const Index each = width(job.plan.dtype);
  std::vector<std::byte> wanted(static_cast<std::size_t>(out.bytes()));
  if (job.operand) std::memcpy(wanted.data(), value_or_throw(contiguous(*job.operand)).data(), wanted.size());
  for (const Step& step : steps)
    if (step.fate == Fate::kDone)
      std::memcpy(wanted.data() + dot(step.position, row_major(job.result_shape)) * each,
                  static_cast<const std::byte*>(job.updates->data()) + step.dense * each,
                  static_cast<std::size_t>(each));
  EXPECT_EQ(std::memcmp(wanted.data(), out.data(), wanted.size()), 0);
}

void expect_traced(const Job& job) {
  const auto steps = trace(job);
  if (!steps.ok()) {  // only what run() refuses, too, or what it would have to be promised
    EXPECT_TRUE(steps.status().rule == "DR4" || !run(job).ok()) << steps.status().message;
    return;
  }
  if (job.plan.direction == Direction::kGather) return expect_gather(job, *steps);
  expect_scatter(job, *steps);
  expect_stored(job, *steps);
}

bool is_refusal(const Status& status) {
  const auto drawn = {"DR1", "DR2", "DR3", "DR4", "A5"};
  return std::ranges::find(drawn, status.rule) != drawn.end();
}

TEST(Draw, EveryCaseIsWalkedAsItRuns) {
  int walked = 0;
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(fmt::format("{}:{}: case {}", c.file, c.line, c.name));
    const auto call = parse_call(c.call, c.names);
    const auto jobs = call.ok() ? lower(*call) : Result<Jobs>(call.status());
    if (!jobs.ok()) continue;
    for (const Job& job : *jobs) {
      if (!is_small(job)) continue;
      expect_traced(job);
      ++walked;
    }
  }
  EXPECT_GT(walked, 300);
}

TEST(Draw, EveryCaseIsDrawnOrRefused) {
  int drawn = 0;
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(fmt::format("{}:{}: case {}", c.file, c.line, c.name));
    const auto call = parse_call(c.call, c.names);
    if (!call.ok()) continue;
    const auto svg = draw_svg(*call);
    const auto result = evaluate(*call);
    if (!svg.ok()) {
      EXPECT_TRUE(is_refusal(svg.status()) || svg.status().rule == result.status().rule) << svg.status().message;
      continue;
    }
    ++drawn;
    EXPECT_EQ(*svg, *draw_svg(*call)) << "not the same twice";
    EXPECT_TRUE(draw_text(*call, true).ok());
    EXPECT_TRUE(draw_json(*call).ok());
  }
  EXPECT_GT(drawn, 300);
}

TEST(Explain, EveryCaseIsExplainedOrRefusedAsItRuns) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(fmt::format("{}:{}: case {}", c.file, c.line, c.name));
    const auto call = parse_call(c.call, c.names);
    if (!call.ok()) continue;
    const auto explanation = explain(*call, {.bytes_per_second = 1e10});
    const auto result = evaluate(*call);
    if (!explanation.ok()) {
      EXPECT_EQ(explanation.status().rule, result.status().rule) << explanation.status().message;
      continue;
    }
    for (const JobExplanation& job : explanation->jobs) {
      EXPECT_FALSE(job.equation.empty());
      EXPECT_EQ(job.equation.find('%'), std::string::npos) << job.equation;
      EXPECT_TRUE(job.kernels.front().chosen);
    }
    EXPECT_EQ(explanation->jobs.empty(), !lower(*call).ok());
  }
}

/// RapidCheck prints the seed of a failure; RC_PARAMS="seed=…" replays it.
RC_GTEST_PROP(Draw, RandomPlansAreWalkedAsTheyRun, ()) {
  for (int i = 0; i < 10; ++i) {
    const Job job = *random_job();
    expect_traced(job);
    if (testing::Test::HasFailure()) RC_FAIL("the walk differs from the engine:\n" + print(job.plan));
  }
}

}  // namespace
}  // namespace conformance
}  // namespace garner
