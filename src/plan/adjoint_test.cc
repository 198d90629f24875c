#include <gtest/gtest.h>

#include "garner/plan.h"

namespace garner {
namespace {

IndexPlan gather(OutOfRange policy) {
  IndexPlan plan = *parse_plan(
      "gather f32 (i:4)\n indexed [9] = (%0) stride (1)\n dense [4] = (i) stride (1)\n"
      " %0 i64 [4] = (i) stride (1) in [0,9) wrap 9 trap");
  plan.terms[0].bounds.policy = policy;
  return plan;
}

struct Policies {
  OutOfRange read, write;
};

TEST(Adjoint, TransposesPolicies) {
  for (const Policies& p :
       {Policies{OutOfRange::kTrap, OutOfRange::kTrap}, Policies{OutOfRange::kClamp, OutOfRange::kClamp},
        Policies{OutOfRange::kModulo, OutOfRange::kModulo}, Policies{OutOfRange::kFill, OutOfRange::kDrop},
        Policies{OutOfRange::kPromise, OutOfRange::kPromise}}) {
    const auto t = adjoint(gather(p.read));
    ASSERT_TRUE(t.ok());
    EXPECT_EQ(t->terms[0].bounds.policy, p.write);
    EXPECT_TRUE(verify(*t).ok());
  }
}

TEST(Adjoint, OfAGatherAdds) {
  const auto t = adjoint(gather(OutOfRange::kFill));
  EXPECT_EQ(t->direction, Direction::kScatter);
  EXPECT_EQ(t->combine, Combine::kAdd);
}

TEST(Adjoint, TwiceIsTheSame) {
  for (const auto policy : {OutOfRange::kTrap, OutOfRange::kClamp, OutOfRange::kModulo, OutOfRange::kFill})
    EXPECT_EQ(*adjoint(*adjoint(gather(policy))), gather(policy)) << name(policy);
}

TEST(Adjoint, KeepsTheMaskAndForgetsTheFill) {
  IndexPlan plan = gather(OutOfRange::kFill);
  plan.mask_stride = plan.fill_stride = Axes{1};
  const auto t = adjoint(plan);
  EXPECT_EQ(t->mask_stride, Axes{1});
  EXPECT_FALSE(t->fill_stride);
}

TEST(Adjoint, P22_NotLinear) {
  for (const auto combine :
       {Combine::kAssign, Combine::kMul, Combine::kMin, Combine::kMax, Combine::kCompareExchange, Combine::kUser}) {
    IndexPlan plan = gather(OutOfRange::kTrap);
    plan.direction = Direction::kScatter;
    plan.combine = combine;
    EXPECT_EQ(adjoint(plan).status().rule, "P22") << name(combine);
    EXPECT_EQ(adjoint(plan).status().code, Code::kUnsupported);
  }
}

TEST(Adjoint, P22_FetchedValues) {
  IndexPlan plan = *adjoint(gather(OutOfRange::kTrap));
  plan.fetch_stride = Axes{1};
  EXPECT_EQ(adjoint(plan).status().rule, "P22");
}

}  // namespace
}  // namespace garner
