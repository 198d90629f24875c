// What the golden cases cannot say: strided arrays, in-place writes, messages, printing.
#include "garner/cutile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "dialect/cutile/access.h"
#include "garner/error.h"

namespace garner::cutile {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<float> counting(Index count, float first = 0) {
  std::vector<float> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), first);
  return out;
}

Status status_of(const Result<Job>& job) { return job.status(); }

TEST(Cutile, CT2_RankZero) {
  const Tensor x = scalar(7.0f);
  EXPECT_EQ(cutile::to_string(gather(x, {})), "7.0");
  EXPECT_EQ(status_of(lower_gather(x, scalar(0))).rule, "CT3");
}

TEST(Cutile, CT3_MessageNamesRankAndSingleTile) {
  const auto x = counting(6);
  const Tensor i = tensor({0, 1});
  EXPECT_EQ(status_of(lower_gather(View(x.data(), {2, 3}), i)).message,
            "cutile.gather: length of indices is 1, allowed 2 (the rank of array)");
  EXPECT_THAT(status_of(lower_gather(x, {i, i})).message, HasSubstr("allowed 1 (the rank of array), or a single tile"));
}

TEST(Cutile, CT4_TileAndTupleLowerToTheSamePlan) {
  const auto x = counting(6);
  const Tensor i = tensor({4, 1});
  EXPECT_EQ(lower_gather(x, i)->plan, lower_gather(x, {i})->plan);
  EXPECT_EQ(lower_gather(x, i)->plan, lower_gather(x, std::vector<View>{i})->plan);
}

TEST(Cutile, CT5_MessageNamesTheItem) {
  const auto x = counting(6);
  const Status status = status_of(lower_gather(View(x.data(), {2, 3}), {tensor({0}), tensor({0.5f})}));
  EXPECT_EQ(status.message, "cutile.gather: indices[1] is f32, allowed an integer dtype");
  EXPECT_EQ(status.code, Code::kType);
}

TEST(Cutile, CT6_MessageListsAllShapes) {
  const auto x = counting(8);
  const Tensor a = tensor({0, 1}), b = tensor({{0}, {1}}), c = tensor({0, 1, 0});
  const Status status = status_of(lower_gather(View(x.data(), {2, 2, 2}), {a, b, c}));
  EXPECT_EQ(status.message, "cutile.gather: index shapes are [2] [2,1] [3], not broadcastable to a common shape");
}

TEST(Cutile, CT10_Messages) {
  const auto x = counting(6);
  const Tensor i = tensor({4, 1});
  EXPECT_THAT(status_of(lower_gather(x, i, {.mask = tensor({1, 0})})).message, HasSubstr("boolean"));
  EXPECT_THAT(status_of(lower_gather(x, i, {.mask = tensor({true, true, true})})).message,
              HasSubstr("mask shape is [3], not broadcastable to the index shape [2]"));
}

TEST(Cutile, CT13_MessageOfConstantOutOfRange) {
  const std::vector<std::int8_t> x{1, 2};
  const Status status = status_of(lower_gather(x, tensor({0, 2}), {.padding_value = 128}));
  EXPECT_EQ(status.message, "cutile.gather: padding_value 128 is out of range of i8, allowed [-128, 127]");
  EXPECT_EQ(status.code, Code::kInvalidArgument);
}

TEST(Cutile, CT13_MessageOfRefusedCasts) {
  const std::vector<std::int8_t> x{1, 2};
  EXPECT_EQ(status_of(lower_gather(x, tensor({0}), {.padding_value = 7.0})).message,
            "cutile.gather: padding_value is 7.0, cannot implicitly cast to i8");
  EXPECT_EQ(status_of(lower_gather(x, tensor({0}), {.padding_value = tensor({7})})).message,
            "cutile.gather: padding_value is i32, cannot implicitly cast to i8");
}

TEST(Cutile, CT13_ConstantsOfEveryKind) {
  const auto x = counting(2);
  const Tensor i = tensor({1, 2});
  EXPECT_EQ(cutile::to_string(gather(x, i, {.padding_value = 7})), "[1.0, 7.0]");
  EXPECT_EQ(cutile::to_string(gather(x, i, {.padding_value = true})), "[1.0, 1.0]");
  EXPECT_EQ(cutile::to_string(gather(x, i, {.padding_value = -0.5f})), "[1.0, -0.5]");
  EXPECT_EQ(cutile::to_string(gather(x, i, {.padding_value = std::numeric_limits<double>::infinity()})), "[1.0, inf]");
}

TEST(Cutile, CT13_CastTileOutlivesTheCall) {
  const auto x = counting(2);
  const Tensor i = tensor({1, 2});
  const Job job = *lower_gather(x, i, {.padding_value = tensor({3, 4})});
  ASSERT_EQ(job.kept.size(), 1u);
  EXPECT_EQ(cutile::to_string(value_or_throw(run_one(job))), "[1.0, 4.0]");
}

TEST(Cutile, CT13_MalformedTileIsReported) {
  const auto x = counting(2);
  const View no_memory(DType::kI32, nullptr, {2});
  EXPECT_EQ(status_of(lower_gather(x, tensor({1, 2}), {.padding_value = no_memory})).rule, "V4");
}

TEST(Cutile, MissingStridesAreReported) {
  const auto x = counting(4);
  const Tensor i = tensor({1, 0});
  const View bad(x.data(), {4}, {}), bad_index(i.as<int>(), {2}, {}), bad_mask(DType::kBool, x.data(), {2}, {});
  EXPECT_EQ(status_of(lower_gather(bad, i)).rule, "V3");
  EXPECT_EQ(status_of(lower_gather(x, bad_index)).rule, "V3");
  EXPECT_EQ(status_of(lower_gather(x, i, {.mask = bad_mask})).rule, "V3");
  EXPECT_EQ(status_of(lower_scatter(x, i, bad)).rule, "V3");
}

TEST(Cutile, CT14_DefaultPaddingNeedsNoFill) {
  const auto x = counting(2);
  EXPECT_FALSE(lower_gather(x, tensor({1, 2}))->fill.has_value());
  EXPECT_TRUE(lower_gather(x, tensor({1, 2}), {.padding_value = -0.0})->fill.has_value());
}

TEST(Cutile, CT17_UncheckedHasNoMaskAndPromises) {
  const auto x = counting(2);
  const Job job = *lower_gather(x, tensor({1, 0}), {.check_bounds = false});
  EXPECT_FALSE(job.plan.mask_stride.has_value());
  EXPECT_EQ(job.plan.terms.at(0).bounds.policy, OutOfRange::kPromise);
}

TEST(Cutile, CT18_CheckBoundsChoosesThePolicy) {
  std::vector<float> x = counting(2);
  const Tensor i = tensor({1, 0});
  EXPECT_EQ(lower_gather(x, i)->plan.terms.at(0).bounds.policy, OutOfRange::kFill);
  EXPECT_EQ(lower_scatter(x, i, 1)->plan.terms.at(0).bounds.policy, OutOfRange::kDrop);
  EXPECT_EQ(lower_scatter(x, i, 1, {.check_bounds = false})->plan.terms.at(0).bounds.policy, OutOfRange::kPromise);
  EXPECT_EQ(lower_atomic(Atomic::kAdd, x, i, 1)->plan.terms.at(0).bounds.policy, OutOfRange::kDrop);
}

TEST(Cutile, CT19_LatencyChangesNothing) {
  const auto x = counting(2);
  const Tensor i = tensor({1, 0});
  EXPECT_EQ(lower_gather(x, i)->plan, lower_gather(x, i, {.latency = 10})->plan);
  EXPECT_EQ(status_of(lower_gather(x, i, {.latency = 11})).message,
            "cutile.gather: latency is 11, allowed None or [1, 10]");
}

TEST(Cutile, CT20_StridedView) {
  const auto x = counting(24);
  const View every_other(x.data(), {3, 2}, {8, 3});  // rows 0 2 4 of [6,4], columns 0 and 3
  const Tensor r = gather(every_other, {tensor({{0}, {1}, {2}}), tensor({0, 1})});
  EXPECT_EQ(cutile::to_string(r), "[[0.0, 3.0], [8.0, 11.0], [16.0, 19.0]]");
}

TEST(Cutile, CT20_BoundsAreTheViews) {
  const auto x = counting(8, 100);
  const View first_five(x.data(), {5});
  EXPECT_EQ(cutile::to_string(gather(first_five, tensor({4, 5, 7}), {.padding_value = -1})), "[104.0, -1.0, -1.0]");
}

TEST(Cutile, CT20_ReversedView) {
  const auto x = counting(4);
  const View reversed(x.data() + 3, {4}, {-1});
  EXPECT_EQ(cutile::to_string(gather(reversed, tensor({0, 3, -1, 4}))), "[3.0, 0.0, 0.0, 0.0]");
}

TEST(Cutile, CT20_ScatterThroughShorterView) {
  std::vector<float> y = counting(8, 100);
  scatter(MutableView(y.data(), {5}), tensor({0, 1, 2, 3, 4, 5, 6, 7}), View(counting(8, 10)));
  EXPECT_EQ(y, (std::vector<float>{10, 11, 12, 13, 14, 105, 106, 107}));
}

TEST(Cutile, CT20_ScatterThroughStridedView) {
  std::vector<std::int32_t> y(6, 0);
  scatter(MutableView(y.data() + 4, {3}, {-2}), tensor({0, 2}), 7);
  EXPECT_EQ(y, (std::vector<std::int32_t>{7, 0, 0, 0, 7, 0}));
}

TEST(Cutile, CT21_CastTable) {
  EXPECT_TRUE(casts_implicitly(DType::kBool, DType::kU8));
  EXPECT_TRUE(casts_implicitly(DType::kBool, DType::kF64));
  EXPECT_TRUE(casts_implicitly(DType::kI8, DType::kI64));
  EXPECT_TRUE(casts_implicitly(DType::kU64, DType::kBF16));
  EXPECT_TRUE(casts_implicitly(DType::kF16, DType::kF64));
  EXPECT_TRUE(casts_implicitly(DType::kF8E4M3, DType::kF8E4M3));
  EXPECT_FALSE(casts_implicitly(DType::kI8, DType::kBool));
  EXPECT_FALSE(casts_implicitly(DType::kI8, DType::kU16));
  EXPECT_FALSE(casts_implicitly(DType::kU8, DType::kI16));
  EXPECT_FALSE(casts_implicitly(DType::kF16, DType::kBF16));
  EXPECT_FALSE(casts_implicitly(DType::kBF16, DType::kF16));
  EXPECT_FALSE(casts_implicitly(DType::kF32, DType::kF16));
  EXPECT_FALSE(casts_implicitly(DType::kF32, DType::kI64));
  EXPECT_FALSE(casts_implicitly(DType::kBool, DType::kF8E5M2));
  EXPECT_FALSE(casts_implicitly(DType::kF8E5M2, DType::kF32));
}

TEST(Cutile, CT22_Print) {
  EXPECT_EQ(cutile::to_string(tensor({{0, 1}, {4, 5}})), "[[0, 1], [4, 5]]");
  EXPECT_EQ(cutile::to_string(tensor({{{1, 2}}, {{3, 4}}})), "[[[1, 2]], [[3, 4]]]");
  EXPECT_EQ(cutile::to_string(scalar(42)), "42");
  EXPECT_EQ(cutile::to_string(*Tensor::zeros(DType::kI32, {2, 0})), "[[], []]");
}

TEST(Cutile, CT22_PrintOfMalformedViewGivesTheReason) {
  EXPECT_THAT(cutile::to_string(View(DType::kI32, nullptr, {2})), HasSubstr("data is null"));
}

TEST(Cutile, CTS2_RefusedStoreLeavesTheArrayAlone) {
  std::vector<std::int8_t> y{1, 2};
  EXPECT_THROW(scatter(y, tensor({0}), tensor({1.5f})), TypeError);
  EXPECT_THROW(scatter(y, tensor({0}), 128), ArgumentError);
  EXPECT_EQ(y, (std::vector<std::int8_t>{1, 2}));
}

TEST(Cutile, CTA7_AtomicsUpdateInPlace) {
  std::vector<std::int32_t> y{10, 20, 30};
  EXPECT_EQ(cutile::to_string(atomic_add(y, tensor({2, 0, 2}), tensor({1, 2, 3}))), "[30, 10, 31]");
  EXPECT_EQ(cutile::to_string(atomic_max(y, tensor({1}), 21)), "[20]");
  EXPECT_EQ(cutile::to_string(atomic_min(y, tensor({1}), 5)), "[21]");
  EXPECT_EQ(y, (std::vector<std::int32_t>{12, 5, 34}));
  EXPECT_EQ(cutile::to_string(atomic_and(y, tensor({1}), 4)), "[5]");
  EXPECT_EQ(cutile::to_string(atomic_or(y, tensor({1}), 3)), "[4]");
  EXPECT_EQ(cutile::to_string(atomic_xor(y, tensor({1}), 1)), "[7]");
  EXPECT_EQ(cutile::to_string(atomic_xchg(y, tensor({1}), -1)), "[6]");
  EXPECT_EQ(cutile::to_string(atomic_cas(y, tensor({1, 1}), -1, tensor({8, 9}))), "[-1, 8]");
  EXPECT_EQ(y, (std::vector<std::int32_t>{12, 8, 34}));
}

TEST(Cutile, CTA8_OutOfRangeThroughShorterView) {
  std::vector<std::int32_t> y{1, 2, 3, 4};
  const MutableView two(y.data(), {2});
  EXPECT_EQ(cutile::to_string(atomic_add(two, tensor({0, 2, -1}), 10)), "[1, 0, 0]");
  EXPECT_EQ(cutile::to_string(atomic_cas(two, tensor({1, 2}), tensor({2, 3}), 0)), "[2, 3]");
  EXPECT_EQ(y, (std::vector<std::int32_t>{11, 0, 3, 4}));
}

TEST(Cutile, CTA1_MessageListsTheDtypes) {
  std::vector<float> y{1};
  EXPECT_EQ(status_of(lower_atomic(Atomic::kMax, y, tensor({0}), 1)).message,
            "cutile.atomic_max: array is f32, allowed i32 i64 u32 u64");
}

TEST(Cutile, CTA5_WeakAndCTA6_None) {
  std::vector<float> y{1};
  const Tensor i = tensor({0});
  EXPECT_EQ(status_of(lower_atomic(Atomic::kAdd, y, i, 1, {.memory_order = MemoryOrder::kWeak})).rule, "CTA5");
  EXPECT_EQ(status_of(lower_atomic_cas(y, i, 1, 1, {.memory_scope = MemoryScope::kNone})).rule, "CTA6");
}

TEST(Cutile, CT16_SameResultOnEveryThreadCount) {
  const Index count = 10'000;
  const auto x = counting(count);
  std::vector<std::int64_t> i(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k) i[static_cast<std::size_t>(k)] = (k * 7919) % (count + 50) - 25;
  const auto on_threads = [&](int threads) {
    RunOptions run;
    run.threads = threads;
    return gather(x, i, {.padding_value = -1}, run);
  };
  EXPECT_TRUE(same_bits(on_threads(1), on_threads(7)));
}

}  // namespace
}  // namespace garner::cutile
