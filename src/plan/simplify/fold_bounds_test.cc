#include <gtest/gtest.h>

#include <ostream>

#include "plan/simplify/simplify.h"

namespace garner {
namespace {

struct Fold {
  DType dtype;
  Bounds before, after;
};
void PrintTo(const Fold& f, std::ostream* out) {
  *out << name(f.dtype) << " in [" << f.before.lo << ',' << f.before.hi << ')';
}

IndexPlan with(DType dtype, const Bounds& bounds) {
  IndexPlan plan = *parse_plan(
      "gather f32 (i:4)\n indexed [1] = (%0) stride (1)\n dense [4] = (i) stride (1)\n"
      " %0 i64 [4] = (i) stride (1) in [0,1) trap");
  plan.terms[0].dtype = dtype;
  plan.terms[0].bounds = bounds;
  return plan;
}

class FoldBounds : public testing::TestWithParam<Fold> {};

TEST_P(FoldBounds, N3) {
  const auto& [dtype, before, after] = GetParam();
  IndexPlan plan = with(dtype, before);
  EXPECT_EQ(fold_bounds(plan), before != after);
  EXPECT_EQ(plan.terms[0].bounds, after);
  EXPECT_FALSE(fold_bounds(plan));
}

constexpr OutOfRange kTrap = OutOfRange::kTrap, kPromise = OutOfRange::kPromise;

INSTANTIATE_TEST_SUITE_P(
    Table, FoldBounds,
    testing::Values(Fold{DType::kU8, {0, 256, 0, kTrap}, {0, 256, 0, kPromise}},
                    Fold{DType::kU8, {0, 255, 0, kTrap}, {0, 255, 0, kTrap}},
                    Fold{DType::kU8, {1, 300, 0, kTrap}, {1, 300, 0, kTrap}},
                    Fold{DType::kU16, {0, 65536, 0, OutOfRange::kClamp}, {0, 65536, 0, kPromise}},
                    Fold{DType::kU8, {0, 256, 0, OutOfRange::kModulo}, {0, 256, 0, kPromise}},
                    Fold{DType::kU32, {0, 9, 9, kTrap}, {0, 9, 0, kTrap}},  // an unsigned value never wraps
                    Fold{DType::kI8, {0, 128, 0, kTrap}, {0, 128, 0, kTrap}},
                    Fold{DType::kI8, {0, 128, 128, kTrap}, {0, 128, 128, kPromise}},  // -128 … -1 become 0 … 127
                    Fold{DType::kI8, {0, 128, 127, kTrap}, {0, 128, 127, kTrap}},
                    Fold{DType::kI8, {0, 128, 129, kTrap}, {0, 128, 129, kTrap}},  // -1 becomes 128
                    Fold{DType::kI8, {-128, 128, 0, kTrap}, {-128, 128, 0, kPromise}},
                    Fold{DType::kI16, {0, 32768, 32768, OutOfRange::kFill}, {0, 32768, 32768, kPromise}},
                    Fold{DType::kU64, {0, INT64_MAX, 0, kTrap}, {0, INT64_MAX, 0, kTrap}},
                    Fold{DType::kI64, {0, INT64_MAX, INT64_MAX, kTrap}, {0, INT64_MAX, INT64_MAX, kTrap}},
                    Fold{DType::kU8, {0, 256, 0, kTrap, Scope::kPosition}, {0, 256, 0, kTrap, Scope::kPosition}}));

}  // namespace
}  // namespace garner
