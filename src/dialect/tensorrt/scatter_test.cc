// Build-time inference with dynamic extents.
#include <gtest/gtest.h>

#include "garner/error.h"
#include "garner/tensorrt.h"

namespace garner::tensorrt {
namespace {

constexpr Index kAny = kDynamic;
constexpr ScatterLayer kNd{ScatterMode::kNd, 0};

struct Shapes {
  Axes data, indices, updates;
};

Result<Axes> infer(const Shapes& s, const ScatterLayer& layer) {
  return infer_scatter({DType::kF32, s.data}, {DType::kI64, s.indices}, {DType::kF32, s.updates}, layer);
}

TEST(Tensorrt, TRS6_DynamicTupleLength) { EXPECT_EQ(infer({{2, 3}, {4, kAny}, {4}}, kNd).status().rule, "TRS6"); }

TEST(Tensorrt, TRS8_DynamicExtentsFit) {
  EXPECT_EQ(*infer({{kAny, 3}, {kAny, 1}, {4, 3}}, kNd), (Axes{kAny, 3}));
  EXPECT_EQ(*infer({{2, kAny}, {4, 1}, {kAny, 7}}, kNd), (Axes{2, kAny}));
  EXPECT_EQ(infer({{2, 3}, {kAny, 1}, {4, 2}}, kNd).status().rule, "TRS8");
}

TEST(Tensorrt, TRS5_DynamicExtentsFit) {
  EXPECT_EQ(*infer({{kAny, 3}, {2, kAny}, {kAny, 3}}, {ScatterMode::kElement, 0}), (Axes{kAny, 3}));
  EXPECT_EQ(infer({{kAny, 3}, {2, 3}, {1, 3}}, {ScatterMode::kElement, 0}).status().rule, "TRS5");
}

TEST(Tensorrt, TRS1_ThePermittedDTypes) {
  for (const DTypeInfo& d : kDTypes) {
    const std::string all = " i32 i64 bool f16 f32 bf16 ";
    const bool permitted = all.find(' ' + std::string(d.name) + ' ') != std::string::npos;
    EXPECT_EQ(infer_scatter({d.dtype, {2}}, {DType::kI32, {1}}, {d.dtype, {1}}).ok(), permitted) << d.name;
  }
}

TEST(Tensorrt, TRS12_TheLastOfManyWinsOnEveryThreadCount) {
  const Index count = 100'000;
  std::vector<std::int32_t> places(static_cast<std::size_t>(count)), values(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = static_cast<std::int32_t>(i % 7);
    values[i] = static_cast<std::int32_t>(i);
  }
  const Tensor zeros = value_or_throw(Tensor::zeros(DType::kI32, {7}));
  const Tensor expected = tensor({99995, 99996, 99997, 99998, 99999, 99993, 99994});
  for (const int threads : {1, 2, 7}) {
    const RunOptions options{.threads = threads, .kernel = {}};
    EXPECT_TRUE(same_bits(scatter(zeros, places, values, {}, options), expected)) << threads;
  }
}

}  // namespace
}  // namespace garner::tensorrt
