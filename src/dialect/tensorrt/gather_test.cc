// Build-time inference with dynamic extents, and what a conformance case cannot say.
#include <gtest/gtest.h>

#include "garner/error.h"
#include "garner/tensorrt.h"
#include "tensor/walk.h"

namespace garner::tensorrt {
namespace {

constexpr Index kAny = kDynamic;

GatherLayer along(Index axis, Index elementwise = 0) { return {GatherMode::kDefault, axis, elementwise}; }
GatherLayer element(Index axis) { return {GatherMode::kElement, axis, 0}; }
GatherLayer nd(Index elementwise = 0) { return {GatherMode::kNd, 0, elementwise}; }

TensorType data(Axes shape) { return {DType::kF32, std::move(shape)}; }
TensorType indices(Axes shape) { return {DType::kI32, std::move(shape)}; }

Axes inferred(const Axes& d, const Axes& a, const GatherLayer& layer) {
  return value_or_throw(infer_gather(data(d), indices(a), layer));
}
std::string refused(const Axes& d, const Axes& a, const GatherLayer& layer) {
  return infer_gather(data(d), indices(a), layer).status().rule;
}

TEST(Tensorrt, TR5_DynamicExtentsPassThroughDefault) {
  EXPECT_EQ(inferred({kAny, 3, 4}, {7, kAny}, along(1)), (Axes{kAny, 7, kAny, 4}));
  EXPECT_EQ(inferred({2, kAny, 4}, {}, along(1)), (Axes{2, 4}));
}

TEST(Tensorrt, TR7_ASharedDimensionTakesTheExtentThatIsKnown) {
  EXPECT_EQ(inferred({kAny, 3, 4}, {2, 5}, along(1, 1)), (Axes{2, 5, 4}));
  EXPECT_EQ(inferred({2, 3, 4}, {kAny, 5}, along(1, 1)), (Axes{2, 5, 4}));
  EXPECT_EQ(inferred({kAny, 3, 4}, {1, 5}, along(1, 1)), (Axes{kAny, 5, 4}));
  EXPECT_EQ(inferred({1, 3, 4}, {kAny, 5}, along(1, 1)), (Axes{kAny, 5, 4}));
  EXPECT_EQ(inferred({kAny, 3, 4}, {kAny, 5}, along(1, 1)), (Axes{kAny, 5, 4}));
  EXPECT_EQ(refused({2, 3, 4}, {3, 5}, along(1, 1)), "TR7");
}

TEST(Tensorrt, TR8_DynamicExtentsFitElementMode) {
  EXPECT_EQ(inferred({kAny, 3}, {9, 3}, element(1)), (Axes{9, 3}));
  EXPECT_EQ(inferred({2, 3}, {kAny, 8}, element(1)), (Axes{kAny, 8}));
  EXPECT_EQ(refused({kAny, 3}, {9, 4}, element(0)), "TR8");
}

TEST(Tensorrt, TR9_DynamicTupleLength) {
  EXPECT_EQ(refused({2, 3, 4}, {5, kAny}, nd()), "TR9");
  EXPECT_EQ(refused({kAny, kAny}, {kAny}, nd()), "TR9");
  EXPECT_EQ(inferred({2, 3, 4}, {kAny, 2}, nd()), (Axes{kAny, 4}));
}

TEST(Tensorrt, TR9_TheRankOfTheResult) {
  for (Index q = 1; q <= 3; ++q)
    for (Index r = 1; r <= 4; ++r)
      for (Index e = 0; e < std::min(r, q); ++e)
        for (Index k = 0; k <= r - e; ++k) {
          Axes index_shape(static_cast<std::size_t>(q), 1);
          index_shape.back() = k;
          const Axes shape = inferred(Axes(static_cast<std::size_t>(r), 1), index_shape, nd(e));
          EXPECT_EQ(static_cast<Index>(shape.size()), q + r - k - 1 - e);
        }
}

TEST(Tensorrt, TR10_DynamicLeadingExtents) {
  EXPECT_EQ(inferred({kAny, 3, 4}, {2, 5, 1}, nd(1)), (Axes{2, 5, 4}));
  EXPECT_EQ(inferred({2, 3, 4}, {kAny, 5, 1}, nd(1)), (Axes{2, 5, 4}));
  EXPECT_EQ(refused({2, 3, 4}, {1, 5, 1}, nd(1)), "TR10");
  EXPECT_EQ(refused({2, 3, 4}, {2, 5, 3}, nd(1)), "TR10");
  EXPECT_EQ(refused({2, 3, 4}, {2, 3, 4, 1}, nd(3)), "TR10");
}

TEST(Tensorrt, TR3_DTypesAreCheckedBeforeShapes) {
  EXPECT_EQ(infer_gather({DType::kU8, {}}, indices({2}), along(0)).status().rule, "TR3");
  EXPECT_EQ(infer_gather(data({2}), {DType::kU32, {2}}, along(0)).status().code, Code::kType);
  for (const DTypeInfo& dtype : kDTypes)
    EXPECT_EQ(infer_gather(data({2}), {dtype.dtype, {2}}).ok(), dtype.name == "i32" || dtype.name == "i64")
        << dtype.name;
}

TEST(Tensorrt, TR4_AnExtentBelowDynamicIsNone) { EXPECT_EQ(refused({-2}, {1}, along(0)), "V1"); }

// A dynamic extent never reaches a call with values: there every extent is known, and negative indices wrap by it.
TEST(Tensorrt, TR13_NegativeIndicesWrapByTheExtentOfTheRun) {
  const Tensor values = tensor({1.0F, 2.0F, 3.0F});
  EXPECT_TRUE(same_bits(gather(values, tensor({-1, -3, -4})), tensor({3.0F, 1.0F, 0.0F})));
}

TEST(Tensorrt, TR20_NonZerosThroughNd) {
  Tensor x = value_or_throw(Tensor::zeros(DType::kF32, {3, 4, 5}));
  std::vector<std::int32_t> places;  // what NonZero gives, transposed: one row per place
  std::vector<float> expected;
  walk_positions(x.shape(), [&](const Axes& at) {
    if ((at[0] + 2 * at[1] + 3 * at[2]) % 5 != 0) return;
    expected.push_back(static_cast<float>(expected.size() + 1));
    x.as<float>()[dot(at, row_major(x.shape()))] = expected.back();
    for (const Index i : at) places.push_back(static_cast<std::int32_t>(i));
  });
  ASSERT_EQ(expected.size(), 12U);
  EXPECT_TRUE(same_bits(gather(x, View(places.data(), {12, 3}), nd()), expected));
}

// The transposed matrix need not be copied: its strides are enough.
TEST(Tensorrt, TR20_NonZerosWithoutACopy) {
  const Tensor x = tensor({{0.0F, 5.0F}, {6.0F, 0.0F}});
  const std::vector<std::int32_t> places{0, 1, 1, 0};  // (rank, n)
  EXPECT_TRUE(same_bits(gather(x, View(places.data(), {2, 2}, {1, 2}), nd()), tensor({5.0F, 6.0F})));
}

}  // namespace
}  // namespace garner::tensorrt
