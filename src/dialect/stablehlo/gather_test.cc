// What .case files cannot say: shapes alone, results into given memory, messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "garner/error.h"
#include "garner/stablehlo.h"

namespace garner::stablehlo {
namespace {

using testing::HasSubstr;

/// Rows of a matrix.
const GatherDims kRows{.offset_dims = {1}, .collapsed_slice_dims = {0}, .start_index_map = {0}, .index_vector_dim = 1};

TEST(Stablehlo, gather_C22_ShapeFromShapesAlone) {
  EXPECT_EQ(*infer_gather_shape({3, 4}, {5, 1}, kRows, {1, 2}), (Axes{5, 2}));
  GatherDims dims = kRows;
  dims.offset_dims = {0};
  EXPECT_EQ(*infer_gather_shape({3, 4}, {5, 1}, dims, {1, 2}), (Axes{2, 5}));
}

TEST(Stablehlo, gather_C22_ShapeIsRefusedByTheSameRules) {
  EXPECT_EQ(infer_gather_shape({3, 4}, {5, 1}, kRows, {1, 5}).status().rule, "gather_C21");
  EXPECT_EQ(infer_gather_shape({3, 4, 2}, {5, 1}, kRows, {1, 4, 2}).status().rule, "gather_C1");
}

TEST(Stablehlo, gather_C22_ResultOfAnotherShapeIsUntouched) {
  const Tensor operand = tensor({{1, 2}, {3, 4}}), starts = tensor({{1}, {0}});
  std::vector<int> out(6, -1);
  const Job job = *lower_gather(operand, starts, kRows, {1, 2});
  EXPECT_FALSE(run_into(job, MutableView(out.data(), {2, 3})).ok());
  EXPECT_THAT(out, testing::Each(-1));
}

TEST(Stablehlo, gather_C23_ResultOfAnotherDtypeIsRefused) {
  const Tensor operand = tensor({{1, 2}, {3, 4}}), starts = tensor({{1}, {0}});
  std::vector<float> out(4, -1);
  const Status status = run_into(*lower_gather(operand, starts, kRows, {1, 2}), MutableView(out.data(), {2, 2}));
  EXPECT_EQ(status.code, Code::kType);
  EXPECT_THAT(out, testing::Each(-1.0F));
  EXPECT_EQ(gather(operand, starts, kRows, {1, 2}).dtype(), DType::kI32);
}

TEST(Stablehlo, gather_C2_FrontThrowsWhatTheCoreReturns) {
  GatherDims dims = kRows;
  dims.index_vector_dim = 3;
  try {
    gather(tensor({{1, 2}}), tensor({{0}}), dims, {1, 2});
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_EQ(error.rule(), "gather_C2");
    EXPECT_STREQ(error.what(), "stablehlo.gather: index_vector_dim is 3, allowed [0, 2]");
  }
}

TEST(Stablehlo, gather_C21_MessageNamesTheAxis) {
  const auto job = lower_gather(tensor({{1, 2}}), tensor({{0}}), kRows, {1, 3});
  EXPECT_EQ(job.status().message, "stablehlo.gather: slice_sizes[1] is 3, allowed [0, 2] on axis 1");
}

TEST(Stablehlo, gather_C6_MessageNamesBothLists) {
  GatherDims dims{.collapsed_slice_dims = {0},
                  .operand_batching_dims = {0},
                  .start_indices_batching_dims = {0},
                  .start_index_map = {0},
                  .index_vector_dim = 1};
  const auto job = lower_gather(tensor({{1, 2}}), tensor({{0}}), dims, {1, 1});
  EXPECT_THAT(job.status().message, HasSubstr("collapsed_slice_dims with operand_batching_dims is [0,0]"));
}

TEST(Stablehlo, gather_I2_FloatIndicesAreATypeError) {
  EXPECT_THROW(gather(tensor({{1, 2}}), tensor({{0.5}}), kRows, {1, 2}), TypeError);
}

TEST(Stablehlo, gather_C19_HugeDimensionNumbers) {
  GatherDims dims = kRows;
  for (const Index far : {std::numeric_limits<Index>::max(), std::numeric_limits<Index>::min()}) {
    dims.start_index_map = {far};
    EXPECT_EQ(lower_gather(tensor({{1, 2}}), tensor({{0}}), dims, {1, 2}).status().rule, "gather_C19");
  }
}

TEST(Stablehlo, gather_C22_BroadcastOperandOfAnyExtent) {
  // A stride of 0 makes an extent that no memory could hold legal.
  const int value = 7;
  const Index extent = Index{1} << 58;
  const View operand(&value, {extent}, {0});
  const GatherDims dims{.collapsed_slice_dims = {0}, .start_index_map = {0}, .index_vector_dim = 1};
  EXPECT_TRUE(same_bits(gather(operand, tensor({extent - 1, extent}), dims, {1}), tensor({7, 7})));
}

TEST(Stablehlo, dynamic_gather_SizesAreReadThroughStrides) {
  const Index sizes[] = {1, 99, 2};
  const View strided(sizes, {2}, {2});
  EXPECT_TRUE(same_bits(dynamic_gather(tensor({{1, 2}, {3, 4}}), tensor({{1}}), strided, kRows), tensor({{3, 4}})));
}

TEST(Stablehlo, dynamic_slice_IsAGatherWithOneStartPerAxis) {
  const Tensor operand = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor row = scalar<std::int8_t>(1), column = scalar<std::int8_t>(100);
  EXPECT_TRUE(same_bits(dynamic_slice(operand, {row, column}, {1, 2}), tensor({{5, 6}})));
  EXPECT_THROW(dynamic_slice(operand, {row}, {1, 2}), ArgumentError);
}

TEST(Stablehlo, dynamic_update_slice_GivesAFreshTensor) {
  const Tensor operand = tensor({1, 2, 3});
  const Tensor result = dynamic_update_slice(operand, tensor({9}), {scalar(Index{1})});
  EXPECT_TRUE(same_bits(result, tensor({1, 9, 3})));
  EXPECT_TRUE(same_bits(operand, tensor({1, 2, 3})));
}

TEST(Stablehlo, dynamic_slice_UndoesDynamicUpdateSliceAlsoOutside) {
  const Tensor start = scalar(Index{50}), update = tensor({8, 9});
  const Tensor written = dynamic_update_slice(tensor({1, 2, 3, 4}), update, {start});
  EXPECT_TRUE(same_bits(dynamic_slice(written, {start}, {2}), update));
}

}  // namespace
}  // namespace garner::stablehlo
