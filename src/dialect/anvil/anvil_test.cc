// What .case files cannot say: printed form, static lists, the StableHLO call behind a call, messages counted from 1.
#include <gtest/gtest.h>

#include "garner/anvil.h"
#include "garner/error.h"

namespace garner::anvil {
namespace {

const GatherParams kRows{.slice_sizes = {1, 3},
                         .offset_dims = {2},
                         .collapsed_slice_dims = {1},
                         .start_index_map = {1},
                         .index_vector_dim = 2};

TEST(Anvil, AN17_DocumentExample) {
  const Tensor result = jit_eval([] {
    const Tensor operand = nv_matrix({1, 2, 3, 4, 5, 6, 7, 8, 9}, 3);
    const Tensor indices = nv_matrix({1, 3}, 2);
    return nvl_gather(operand, indices, kRows);
  });
  EXPECT_EQ(anvil::to_string(result), "AnvilTensor\n 1 4 7\n 3 6 9\n[ CPUi32{2,3} ] ");
}

TEST(Anvil, AN19_BlockGivesItsLastValue) {
  EXPECT_EQ(jit_eval([] { return 1 + 1; }), 2);
  EXPECT_THROW(jit_eval([] { return nv_matrix({1, 2, 3}, 2); }), ArgumentError);
}

TEST(Anvil, AN16_MatrixFillsColumns) {
  EXPECT_TRUE(same_bits(nv_matrix({1, 2, 3, 4, 5, 6, 7, 8, 9}, 3), tensor({{1, 4, 7}, {2, 5, 8}, {3, 6, 9}})));
  EXPECT_TRUE(same_bits(nv_array(tensor({1, 2, 3, 4}), {2, 1, 2}), tensor({{{1, 3}}, {{2, 4}}})));
}

// ---- AN18: the printed form ----

TEST(Anvil, AN18_CommonWidthRightAligned) {
  EXPECT_EQ(anvil::to_string(tensor({{1000, 1, -10, 100}})), "AnvilTensor\n 1000    1  -10  100\n[ CPUi32{1,4} ] ");
}

TEST(Anvil, AN18_VectorIsAColumn) {
  EXPECT_EQ(anvil::to_string(tensor<Index>({1, 20, 3})), "AnvilTensor\n  1\n 20\n  3\n[ CPUi64{3} ] ");
}

TEST(Anvil, AN18_Scalar) { EXPECT_EQ(anvil::to_string(scalar(7.F)), "AnvilTensor\n 7\n[ CPUf32{} ] "); }

TEST(Anvil, AN18_MoreThanTwoAxesInBlocks) {
  EXPECT_EQ(anvil::to_string(tensor({{{1, 3}, {2, 4}}, {{100, 300}, {200, 400}}})),
            "AnvilTensor\n(1,.,.) =\n 1 3\n 2 4\n\n(2,.,.) =\n 100 300\n 200 400\n[ CPUi32{2,2,2} ] ");
}

TEST(Anvil, AN18_Floats) {
  EXPECT_EQ(anvil::to_string(tensor({1.F, 2.5F})), "AnvilTensor\n 1.0000\n 2.5000\n[ CPUf32{2} ] ");
  EXPECT_EQ(anvil::to_string(tensor({1e10, 1e-10})), "AnvilTensor\n 1.0000e+10\n 1.0000e-10\n[ CPUf64{2} ] ");
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(anvil::to_string(tensor({inf, -inf, 1.0})), "AnvilTensor\n  inf\n -inf\n    1\n[ CPUf64{3} ] ");
}

TEST(Anvil, AN18_OtherTypes) {
  const bool flags[] = {true, false};
  EXPECT_EQ(anvil::to_string(View(flags, {2})), "AnvilTensor\n 1\n 0\n[ CPUpred{2} ] ");
  EXPECT_EQ(anvil::to_string(tensor<std::uint8_t>({250})), "AnvilTensor\n 250\n[ CPUui8{1} ] ");
  EXPECT_EQ(anvil::to_string(tensor({std::complex<float>(1, -2)})), "AnvilTensor\n 1-2i\n[ CPUc64{1} ] ");
}

TEST(Anvil, AN18_NothingToShow) {
  EXPECT_EQ(anvil::to_string(*Tensor::zeros(DType::kF32, {0, 3})), "AnvilTensor\n[ CPUf32{0,3} ] ");
}

// ---- AN14: what a call becomes ----

/// The same call, 0-based, in StableHLO.
Job in_stablehlo(const View& operand, const View& starts) {
  const stablehlo::GatherDims dims{
      .offset_dims = {1}, .collapsed_slice_dims = {0}, .start_index_map = {0}, .index_vector_dim = 1};
  return *stablehlo::lower_gather(operand, starts, dims, {1, 3});
}

TEST(Anvil, AN14_LowersToStablehloMovedByOne) {
  const Tensor operand = tensor({{1, 4, 7}, {2, 5, 8}, {3, 6, 9}}), starts = tensor({{1}, {3}});
  IndexPlan wanted = in_stablehlo(operand, starts).plan;
  wanted.indexed[0].offset = -1;
  wanted.terms[0].bounds.lo += 1;
  wanted.terms[0].bounds.hi += 1;
  EXPECT_EQ(print(lower_nvl_gather(operand, starts, kRows)->plan), print(wanted));
}

TEST(Anvil, AN2_MessagesCountFromOne) {
  const Tensor operand = tensor({{1, 2, 3}}), starts = tensor({{1}});
  GatherParams params = kRows;
  params.start_index_map = {3};
  EXPECT_EQ(lower_nvl_gather(operand, starts, params).status().message,
            "anvil.nvl_gather: start_index_map[1] is 3, allowed [1, 3)");
  params = kRows;
  params.index_vector_dim = 0;
  EXPECT_EQ(lower_nvl_gather(operand, starts, params).status().message,
            "anvil.nvl_gather: index_vector_dim is 0, allowed [1, 3]");
}

TEST(Anvil, AN2_SmallestDimensionNumber) {
  GatherParams params = kRows;
  params.offset_dims = {std::numeric_limits<Index>::min()};
  EXPECT_EQ(lower_nvl_gather(tensor({{1, 2, 3}}), tensor({{1}}), params).status().rule, "AN5");
}

TEST(Anvil, AN13_PromisesChangeNothing) {
  GatherParams promised = kRows;
  promised.indices_are_sorted = promised.unique_indices = true;
  const Tensor operand = tensor({{1, 2, 3}, {4, 5, 6}}), starts = tensor({{2}, {1}, {2}});
  EXPECT_TRUE(same_bits(nvl_gather(operand, starts, promised), nvl_gather(operand, starts, kRows)));
}

// ---- AN15: scatter, subset, assignment ----

const ScatterParams kElements{.inserted_window_dims = {1}, .scatter_dims_to_operand_dims = {1}, .index_vector_dim = 2};

TEST(Anvil, AN15_ScatterWithAFunction) {
  const auto minus = stablehlo::computation<int>([](int old, int next) { return old - next; });
  const Tensor result = nvl_scatter(tensor({10, 20, 30}), tensor({{3}, {3}, {9}}), tensor({1, 2, 3}), kElements, minus);
  EXPECT_TRUE(same_bits(result, tensor({10, 20, 27})));
}

TEST(Anvil, AN15_GatherUndoesScatter) {
  const Tensor places = tensor({{4}, {1}}), values = tensor({40, 10});
  const Tensor written = nvl_scatter(tensor({0, 0, 0, 0}), places, values, kElements);
  const GatherParams elements{
      .slice_sizes = {1}, .collapsed_slice_dims = {1}, .start_index_map = {1}, .index_vector_dim = 2};
  EXPECT_TRUE(same_bits(nvl_gather(written, places, elements), values));
}

TEST(Anvil, AN15_ManyWritesToOnePlace) {
  Tensor places = *Tensor::zeros(DType::kI32, {100, 1}), values = *Tensor::zeros(DType::kI32, {100});
  for (int i = 0; i < 100; ++i) {
    places.as<int>()[i] = 1;
    values.as<int>()[i] = 1000 + i;
  }
  const Tensor result = nvl_scatter(tensor({1, 2, 3}), places, values, kElements);
  EXPECT_TRUE(same_bits(result, tensor({1099, 2, 3}))) << "the last one wins, which is one of those written";
}

TEST(Anvil, AN15_StaticListsSelectTheirProduct) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_TRUE(same_bits(nv_subset(x, {Each{{2, 1}}, Each{{3, 3, 1}}}), tensor({{6, 6, 4}, {3, 3, 1}})));
  EXPECT_TRUE(same_bits(nv_subset(x, {Each{{2}}}), tensor({{4, 5, 6}}))) << "a list of one keeps the dimension";
  EXPECT_TRUE(same_bits(nv_subset(x, {Each{{}}}), *Tensor::zeros(DType::kI32, {0, 3})));
}

TEST(Anvil, AN15_StaticAndDynamicListsMix) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}}), columns = tensor<std::uint8_t>({3, 0});
  EXPECT_TRUE(same_bits(nv_subset(x, {Each{{2, 1}}, View(columns)}), tensor({{6, 4}, {3, 1}})));
}

TEST(Anvil, AN15_AssignToStaticLists) {
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_TRUE(same_bits(nv_subset_assign(x, {Full{}, Each{{1, 3}}}, scalar(0)), tensor({{0, 2, 0}, {0, 5, 0}})));
  EXPECT_TRUE(same_bits(x, tensor({{1, 2, 3}, {4, 5, 6}}))) << "the result is a fresh array";
}

TEST(Anvil, AN15_StaticListOutside_AS4) {
  EXPECT_THROW(nv_subset(tensor({1, 2}), {Each{{1, 3}}}), IndexError);
  EXPECT_THROW(nv_subset(tensor({1, 2}), {Each{{-1}}}), IndexError);
  EXPECT_EQ(lower_nv_subset(tensor({1, 2}), {Index{3}}).status().message,
            "anvil.nv_subset: index is 3, allowed [1, 2] on axis 1");
}

TEST(Anvil, AN15_Promotion_AS9) {
  const auto fits = [](DType to, DType from) {
    const Tensor x = *Tensor::zeros(to, {2}), value = *Tensor::zeros(from, {});
    return lower_nv_subset_assign(x, {Index{1}}, value).ok();
  };
  for (const DTypeInfo& d : kDTypes) {
    EXPECT_TRUE(fits(d.dtype, d.dtype)) << d.name;
    EXPECT_TRUE(fits(d.dtype, DType::kBool)) << d.name;
    EXPECT_EQ(fits(d.dtype, DType::kU64), d.kind == Kind::kFloat || d.kind == Kind::kComplex || d.dtype == DType::kU64);
    EXPECT_EQ(fits(d.dtype, DType::kF32), d.dtype == DType::kF32 || d.dtype == DType::kF64 || d.kind == Kind::kComplex)
        << d.name;
  }
}

}  // namespace
}  // namespace garner::anvil
