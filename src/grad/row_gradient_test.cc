#include "garner/row_gradient.h"

#include <map>

#include "grad/row_test.h"

namespace garner {
namespace {

using index::elements;
using index::Random;
using index::rule_of;
using index::Sample;

template <class I>
Tensor indices(Random& random, Index count, Index rows) {
  Tensor t = value_or_throw(Tensor::empty(dtype_of<I>, {count}));
  for (Index i = 0; i < count; ++i) t.as<I>()[i] = static_cast<I>(random.below(rows));
  return t;
}

template <class T>
using Sums = std::map<Index, std::vector<Compute<T>>>;

/// By the definition: one index after another, in the type arithmetic is done in.
template <class T>
Sums<T> plain_sums(const std::vector<Index>& at, const std::vector<T>& back, Index row, std::optional<Index> padding) {
  Sums<T> sums;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] == padding) continue;
    auto& sum = sums[at[i]];
    sum.resize(static_cast<std::size_t>(row));
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += to_compute(back[i * sum.size() + j]);
  }
  return sums;
}

template <class T>
void expect_sums(const RowGradient& got, const Sums<T>& wanted) {
  std::vector<Index> rows;
  std::vector<T> values;
  for (const auto& [row, sum] : wanted) {
    rows.push_back(row);
    for (const auto v : sum) values.push_back(static_cast<T>(v));
  }
  EXPECT_EQ(elements<Index>(got.rows), rows);
  EXPECT_TRUE(index::plain_equal(elements<T>(got.values), values)) << to_string(got.values);
}

Axes joined(Axes a, const Axes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(RowGradient, EqualsPlainSumsForAnyShapeAndStride) {
  for_each_table_dtype(60, [&]<class T>(Random& random) {
    constexpr DType dtype = dtype_of<T>;
    const Axes shape = random.shape(random.below(3), 20), row = random.shape(random.below(3), 9);
    const Index table = 1 + random.below(12), n = View(dtype, nullptr, shape).elements();
    const Tensor at = indices<std::int16_t>(random, n, table);
    const View ids(DType::kI16, at.data(), shape);
    const Sample back = random.view(dtype, joined(shape, row));
    const std::optional<Index> padding = random.one_in(2) ? std::optional(random.below(table)) : std::nullopt;
    const RowGradient got = row_gradient(ids, back.view, joined({table}, row), {.padding = padding});
    const auto small = elements<std::int16_t>(at);
    const Index length = View(dtype, nullptr, row).elements();
    expect_sums<T>(got, plain_sums({small.begin(), small.end()}, elements<T>(back.view), length, padding));
    EXPECT_EQ(got.values.shape(), joined({got.rows.elements()}, row));
    EXPECT_EQ(got.shape, joined({table}, row));
  });
}

TEST(RowGradient, TakesEveryIntegerDtypeAndStridedIndices) {
  const Tensor back = tensor({{1.F, 2.F}, {4.F, 8.F}, {16.F, 32.F}});
  for (const DTypeInfo& d : kDTypes)
    dispatch(d.dtype, [&]<class I>() {
      if constexpr (is_index_v<I>) {
        const I memory[] = {3, 99, 1, 99, 3};
        const RowGradient g = row_gradient(View(memory, Axes{3}, Axes{2}), back, {5, 2});
        EXPECT_EQ(to_string(g.rows), "[1 3]") << d.name;
        EXPECT_EQ(to_string(g.values), "[[ 4.  8.]\n [17. 34.]]") << d.name;
      }
    });
}

TEST(RowGradient, AddsInTheOrderOfTheIndicesAndRoundsSixteenBitsOnce) {
  const Tensor at = tensor({0, 0, 0});
  // 1e8 + 1 is 1e8 in f32, so the order shows.
  EXPECT_EQ(*row_gradient(at, tensor({1e8F, 1.F, -1e8F}), {1}).values.as<float>(), 0.F);
  EXPECT_EQ(*row_gradient(at, tensor({1e8F, -1e8F, 1.F}), {1}).values.as<float>(), 1.F);
  // 2048 + 1 is a tie that goes back to 2048 in f16; 2048 + 1 + 1 is not.
  const std::vector<Eigen::half> back{Eigen::half(2048.F), Eigen::half(1.F), Eigen::half(1.F)};
  EXPECT_EQ(static_cast<float>(*row_gradient(at, back, {1}).values.as<Eigen::half>()), 2050.F);
}

TEST(RowGradient, PaddingGetsNothingAndMayLieOutsideTheTable) {
  const Tensor back = tensor({1.0, 2.0, 4.0});
  for (const Index padding : {Index{-1}, Index{7}, Index{1} << 33}) {
    const std::vector<Index> at{1, padding, 1};
    const RowGradient g = row_gradient(at, back, {3}, {.padding = padding});
    EXPECT_EQ(to_string(g.rows) + to_string(g.values), "[1][5.]");
  }
  const RowGradient nothing = row_gradient(tensor({2, 2, 2}), back, {3}, {.padding = 2});
  EXPECT_EQ(nothing.rows.elements(), 0);
  EXPECT_EQ(nothing.values.shape(), Axes{0});
  // 2^32 has the low bits of row 0, by which 32-bit keys sort.
  const std::vector<Index> at{0, Index{1} << 32, 0};
  EXPECT_EQ(to_string(row_gradient(at, back, {3}, {.padding = Index{1} << 32}).values), "[5.]");
}

TEST(RowGradient, EmptyEverything) {
  const Tensor none = value_or_throw(Tensor::empty(DType::kI32, {0, 4}));
  const Tensor back = value_or_throw(Tensor::empty(DType::kF32, {0, 4, 3}));
  EXPECT_EQ(row_gradient(none, back, {0, 3}).values.shape(), (Axes{0, 3}));
  const Tensor thin = value_or_throw(Tensor::empty(DType::kF32, {2, 0}));
  EXPECT_EQ(row_gradient(tensor({1, 0}), thin, {4, 0}).values.shape(), (Axes{2, 0}));
  EXPECT_EQ(to_string(row_gradient(scalar(3), tensor({1.F, 2.F}), {4, 2}).values), "[[1. 2.]]");
  EXPECT_EQ(dense(row_gradient(none, back, {2, 3})).shape(), (Axes{2, 3}));
}

TEST(RowGradient, RowsPast32Bits) {
  const Index far = Index{1} << 40, row = far / 2 + 1;  // whose low bits are 1
  const std::vector<Index> at{row, 5, row};
  const RowGradient g = row_gradient(at, tensor({1.0, 2.0, 4.0}), {far});
  EXPECT_EQ(elements<Index>(g.rows), (std::vector<Index>{5, row}));
  EXPECT_EQ(to_string(g.values), "[2. 5.]");
}

TEST(RowGradient, AnyNumberOfThreadsGivesTheSameBits) {
  Random random(5);
  const Tensor at = indices<std::int32_t>(random, 20000, 3000);
  Tensor back = value_or_throw(Tensor::empty(DType::kF32, {20000, 24}));
  for (Index i = 0; i < back.elements(); ++i) back.as<float>()[i] = 1.F / static_cast<float>(1 + random.below(1000));
  const RowGradient one = row_gradient(at, back, {3000, 24}, {}, {.threads = 1});
  for (const int threads : {2, 7}) {
    const RowGradient more = row_gradient(at, back, {3000, 24}, {}, {.threads = threads});
    EXPECT_TRUE(same_bits(one.rows, more.rows) && same_bits(one.values, more.values)) << threads;
    EXPECT_TRUE(same_bits(dense(one, {.threads = threads}), dense(one, {.threads = 1}))) << threads;
  }
}

TEST(RowGradient, DenseHasTheRowsAndZeros) {
  for_each_table_dtype(20, [&]<class T>(Random& random) {
    constexpr DType dtype = dtype_of<T>;
    const Index rows = 1 + random.below(9), row = random.below(4);
    const Tensor at = indices<Index>(random, random.below(12), rows);
    const Sample back = random.view(dtype, {at.elements(), row});
    const RowGradient g = row_gradient(at, back.view, {rows, row});
    std::vector<T> wanted(static_cast<std::size_t>(rows * row), T(0.F));
    for (Index i = 0; i < g.rows.elements(); ++i)
      std::copy_n(g.values.as<T>() + i * row, row, wanted.begin() + g.rows.as<Index>()[i] * row);
    EXPECT_TRUE(index::plain_equal(elements<T>(dense(g)), wanted));
  });
}

TEST(RowGradient, MergeEqualsOneGradientOfBoth) {
  for_each_table_dtype(20, [&]<class T>(Random& random) {
    constexpr DType dtype = dtype_of<T>;
    const Index n = random.below(9), m = random.below(9);
    const Tensor at = indices<Index>(random, n + m, 6);
    Tensor back = value_or_throw(Tensor::empty(dtype, {n + m, 2}));
    for (Index i = 0; i < back.elements(); ++i) back.as<T>()[i] = T(static_cast<float>(random.below(64)));
    const View first(dtype, back.data(), {n, 2}), second(dtype, back.as<T>() + n * 2, {m, 2});
    const RowGradient a = row_gradient(View(at.as<Index>(), Axes{n}), first, {6, 2}),
                      b = row_gradient(View(at.as<Index>() + n, Axes{m}), second, {6, 2}), both = merge(a, b),
                      wanted = row_gradient(at, back, {6, 2});
    EXPECT_TRUE(same_bits(both.rows, wanted.rows) && same_bits(both.values, wanted.values)) << to_string(both.values);
    EXPECT_EQ(both.shape, wanted.shape);
  });
}

TEST(RowGradient, ErrorsNameThePlaceAndTheRule) {
  const Tensor back = value_or_throw(Tensor::zeros(DType::kF32, {2, 2, 3}));
  const auto error = [&](const View& at, const View& cotangent, const Axes& shape) {
    return error_of(rows::row_gradient(at, cotangent, shape).status());
  };
  EXPECT_EQ(error(tensor({{0, 1}, {5, 9}}), back, {5, 3}),
            "R1 row_gradient: indices[1,0] is 5, allowed [0, 5) on axis 0 of table [5,3]");
  EXPECT_EQ(error(tensor({{0, -1}, {0, 0}}), back, {5, 3}),
            "R1 row_gradient: indices[0,1] is -1, allowed [0, 5) on axis 0 of table [5,3]");
  EXPECT_EQ(error(tensor({~std::uint64_t{0}}), tensor({1.F}), {5}).substr(0, 2), "R1");
  EXPECT_EQ(error(tensor({0, 1}), back, {5, 3}), "R2 row_gradient: cotangent has shape [2,2,3], allowed [2,3]");
  EXPECT_EQ(error(tensor({0, 1}), tensor({1.F, 1.F}), {}), "R2 row_gradient: table has rank 0, allowed 1 or more");
  EXPECT_EQ(error(tensor({0, 1}), tensor({1.F, 1.F}), {-3}),
            "R2 row_gradient: extent 0 of table is -3, allowed [0, 2^63)");
  EXPECT_EQ(error(tensor({0.F}), tensor({1.F}), {5}), "R3 row_gradient: indices is f32, allowed an integer dtype");
  EXPECT_EQ(error(tensor({0}), tensor({1}), {5}), "R3 row_gradient: cotangent is i32, allowed f16, bf16, f32 or f64");
  EXPECT_THROW(row_gradient(tensor({5}), tensor({1.F}), {5}), IndexError);
  EXPECT_EQ(error(View(DType::kI32, nullptr, {2}), tensor({1.F, 1.F}), {5}).substr(0, 2), "V4");
}

TEST(RowGradient, WhatAHandMadeOneMustHold) {
  const auto error = [](Tensor rows, Tensor values, Axes shape) {
    return error_of(rows::dense({std::move(rows), std::move(values), std::move(shape)}).status());
  };
  const Tensor two = tensor({1.F, 2.F});
  EXPECT_EQ(error(tensor({2L, 1L}), two, {5}), "R1 dense: rows[1] is 1, allowed [3, 5) as rows rise");
  EXPECT_EQ(error(tensor({1L, 1L}), two, {5}), "R1 dense: rows[1] is 1, allowed [2, 5) as rows rise");
  EXPECT_EQ(error(tensor({-1L, 1L}), two, {5}), "R1 dense: rows[0] is -1, allowed [0, 5) as rows rise");
  EXPECT_EQ(error(tensor({1L, 5L}), two, {5}), "R1 dense: rows[1] is 5, allowed [2, 5) as rows rise");
  EXPECT_EQ(error(tensor({1, 2}), two, {5}), "R3 dense: rows is i32, allowed i64");
  EXPECT_EQ(error(tensor({1L}), tensor({1L}), {5}), "R3 dense: values is i64, allowed f16, bf16, f32 or f64");
  EXPECT_EQ(error(tensor({1L}), two, {5}), "R2 dense: values have shape [2], allowed [1]");
  EXPECT_EQ(error(tensor({1L}), two, {}), "R2 dense: table has rank 0, allowed 1 or more");
  EXPECT_EQ(error(scalar(1L), two, {5}), "R2 dense: rows have rank 0, allowed 1");
}

TEST(RowGradient, MergeTakesOneTable) {
  const RowGradient a = row_gradient(tensor({1}), tensor({1.F}), {5}),
                    b = row_gradient(tensor({1}), tensor({1.F}), {6}),
                    c = row_gradient(tensor({1}), tensor({1.0}), {5});
  EXPECT_EQ(error_of(rows::merge(a, b).status()), "R2 merge: tables have shapes [5] and [6], allowed one");
  EXPECT_EQ(error_of(rows::merge(a, c).status()), "R3 merge: values are f32 and f64, allowed one dtype");
}

}  // namespace
}  // namespace garner
