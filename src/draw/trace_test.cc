#include "draw/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "call/call.h"
#include "garner/error.h"

namespace garner {
namespace {

using testing::ElementsAre;

std::vector<Step> traced(const std::string& text) {
  return value_or_throw(trace(value_or_throw(lower(value_or_throw(parse_call(text)))).front()));
}

std::vector<Fate> fates(const std::vector<Step>& steps) {
  std::vector<Fate> out;
  for (const Step& step : steps) out.push_back(step.fate);
  return out;
}

TEST(Trace, NamesTheSourceOfEachElement) {
  const auto steps = traced("lucid.gather(i64[[10, 20, 30], [40, 50, 60]], dim=1, index=i32[[2, 1], [0, 2]])");
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_THAT(steps[0].position, ElementsAre(0, 2));
  EXPECT_THAT(steps[3].position, ElementsAre(1, 2));
  EXPECT_EQ(steps[3].indexed, 5);
}

TEST(Trace, WrapsAndFills) {
  const auto steps = traced("tensorrt.gather(f32[1, 2, 3], i32[-1, 3, -4])");
  EXPECT_THAT(fates(steps), ElementsAre(Fate::kDone, Fate::kFilled, Fate::kFilled));
  EXPECT_TRUE(steps[0].reads[0].wrapped);
  EXPECT_EQ(steps[0].reads[0].used, 2);
  EXPECT_TRUE(steps[1].reads[0].outside);
}

TEST(Trace, Clamps) {
  const auto steps = traced("jax.take(f32[1, 2, 3], i32[7, 1], mode=clip)");
  EXPECT_TRUE(steps[0].reads[0].clamped);
  EXPECT_EQ(steps[0].reads[0].used, 2);
  EXPECT_FALSE(steps[1].reads[0].clamped);
}

TEST(Trace, TakesModulo) {
  const auto steps = traced("numpy.take(f32[1, 2, 3], [7, -1, 2], mode=wrap)");
  EXPECT_TRUE(steps[0].reads[0].folded);
  EXPECT_EQ(steps[0].reads[0].used, 1);
  EXPECT_EQ(steps[1].reads[0].used, 2);
  EXPECT_FALSE(steps[2].reads[0].folded);
}

TEST(Trace, DropsUpdates) {
  const auto steps = traced("jax.at_add(f32[1, 2, 3], i32[7, 1], f32[10, 20])");
  EXPECT_THAT(fates(steps), ElementsAre(Fate::kDropped, Fate::kDone));
}

TEST(Trace, AMaskComesBeforeAnyIndex) {
  const auto steps = traced("cutile.gather(f32[1, 2, 3], i32[9, 1], mask=bool[false, true])");
  EXPECT_THAT(fates(steps), ElementsAre(Fate::kMasked, Fate::kDone));
  EXPECT_TRUE(steps[0].reads.empty());
}

TEST(Trace, KeepsGoingAfterAnError) {
  const auto steps = traced("torch.take(f32[1, 2, 3], i64[9, 1])");
  EXPECT_THAT(fates(steps), ElementsAre(Fate::kTrapped, Fate::kDone));
}

TEST(Trace, RefusesABrokenPromise) {
  Job job = value_or_throw(lower(value_or_throw(parse_call("torch.take(f32[1, 2, 3], i64[9223372036854775807, 1])"))))
                .front();
  job.plan.terms[0].bounds.policy = OutOfRange::kPromise;
  job.plan.terms[0].bounds.wrap = 0;
  EXPECT_EQ(trace(job).status().rule, "DR4");
}

TEST(Trace, HasNoStepsWithoutElements) { EXPECT_TRUE(traced("torch.take(f32[1, 2, 3], i64{0})").empty()); }

TEST(Trace, ChecksTheJobFirst) {
  Job job = value_or_throw(lower(value_or_throw(parse_call("torch.take(f32[1, 2, 3], i64[0, 1])")))).front();
  job.indices.clear();
  EXPECT_EQ(trace(job).status().rule, "P15");
}

}  // namespace
}  // namespace garner
