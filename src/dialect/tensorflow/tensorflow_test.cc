// The C++ front, strides, and the formulas as plain loops; the golden calls are in conformance/cases/tensorflow.
#include "garner/tensorflow.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::tensorflow {
namespace {

Index number(Index lo, Index hi) { return *rc::gen::inRange<Index>(lo, hi + 1); }

Tensor random_numbers(const Axes& shape, Index lo, Index hi) {
  Tensor t = *Tensor::zeros(DType::kI64, shape);
  for (Index i = 0; i < t.elements(); ++i) t.as<Index>()[i] = number(lo, hi);
  return t;
}

Index at(const Tensor& t, const Axes& position) { return t.as<Index>()[dot(position, row_major(t.shape()))]; }

/// Every second element of a longer row: strides that are not row-major.
struct Spread {
  explicit Spread(const Tensor& t) : memory(*Tensor::zeros(t.dtype(), {2 * t.elements()})) {
    Axes stride = row_major(t.shape());
    for (Index& s : stride) s *= 2;
    for (Index i = 0; i < t.elements(); ++i) memory.as<Index>()[2 * i] = t.as<Index>()[i];
    view = View(t.dtype(), memory.data(), t.shape(), stride);
  }
  Tensor memory;
  View view;
};

TEST(Tensorflow, TF5_NamesTheOffender) {
  try {
    gather_nd(tensor({{1, 2}, {3, 4}}), tensor({{0, 1}, {1, -1}}));
    FAIL();
  } catch (const IndexError& e) {
    EXPECT_EQ(e.rule(), "TF5");
    EXPECT_STREQ(e.what(), "tensorflow.gather_nd: indices[1,1] is -1, allowed [0, 2) on axis 1 of operand [2,2]");
  }
}

TEST(Tensorflow, ErrorsAreTyped) {
  EXPECT_THROW(gather(tensor({1, 2}), tensor({0}), {.axis = 1}), ArgumentError);
  EXPECT_THROW(gather(tensor({1, 2}), tensor({0.0})), TypeError);
  EXPECT_THROW(scatter_nd(tensor({{2}}), tensor({1}), {2}), IndexError);
  EXPECT_EQ(to_string(scatter_nd(tensor({{2}}), tensor({1}), {2}, BadIndices::kIgnore)), "[0 0]");
}

RC_GTEST_PROP(Tensorflow, GatherIsItsFormula, ()) {
  const Tensor params = random_numbers({number(1, 3), number(1, 3), number(1, 3)}, -9, 9);
  const Index batch = number(0, 2), axis = number(batch, 2), n = params.shape()[static_cast<std::size_t>(axis)];
  Axes shape(params.shape().begin(), params.shape().begin() + batch);
  for (Index more = number(0, 2); more > 0; --more) shape.push_back(number(0, 3));
  const Tensor indices = random_numbers(shape, 0, n - 1);
  const Tensor result = gather(Spread(params).view, Spread(indices).view, {.axis = axis, .batch_dims = batch});
  walk_positions(result.shape(), [&](const Axes& d) {
    const auto begin = d.begin() + axis, end = begin + (indices.rank() - batch);
    Axes entry(d.begin(), d.begin() + batch), from(d.begin(), begin);
    entry.insert(entry.end(), begin, end);
    from.push_back(at(indices, entry));
    from.insert(from.end(), end, d.end());
    RC_ASSERT(at(result, d) == at(params, from));
  });
}

using Segment = Tensor (*)(const View&, const View&, Index, const RunOptions&);
struct Reducer {
  Segment run;
  Index empty;
  Index (*combine)(Index, Index);
};
const Reducer kReducers[] = {
    {unsorted_segment_sum, 0, [](Index a, Index b) { return a + b; }},
    {unsorted_segment_prod, 1, [](Index a, Index b) { return a * b; }},
    {unsorted_segment_max, INT64_MIN, [](Index a, Index b) { return std::max(a, b); }},
    {unsorted_segment_min, INT64_MAX, [](Index a, Index b) { return std::min(a, b); }},
};

RC_GTEST_PROP(Tensorflow, SegmentsAreTheirFormula, ()) {
  const Axes leading = {number(0, 4), number(1, 3)};
  const Index columns = number(1, 3), count = number(1, 4);
  const Tensor data = random_numbers({leading[0], leading[1], columns}, -4, 4);
  const Tensor ids = random_numbers(leading, -2, count - 1);
  for (const Reducer& reducer : kReducers) {
    std::vector<Index> expected(static_cast<std::size_t>(count * columns), reducer.empty);
    for (Index i = 0; i < data.elements(); ++i) {
      const Index id = ids.as<Index>()[i / columns];
      if (id < 0) continue;
      Index& place = expected[static_cast<std::size_t>(id * columns + i % columns)];
      place = reducer.combine(place, data.as<Index>()[i]);
    }
    const Tensor result = reducer.run(Spread(data).view, Spread(ids).view, count, {});
    RC_ASSERT(same_bits(result, View(expected.data(), {count, columns})));
  }
}

RC_GTEST_PROP(Tensorflow, MeanIsSumByCount, ()) {
  const Index n = number(0, 6), count = number(1, 3);
  const Tensor data = random_numbers({n}, -4, 4), ids = random_numbers({n}, -1, count - 1);
  const Tensor result = unsorted_segment_mean(data, ids, count);
  RC_ASSERT(result.dtype() == DType::kF64);
  for (Index s = 0; s < count; ++s) {
    double sum = 0, members = 0;
    for (Index i = 0; i < n; ++i)
      if (ids.as<Index>()[i] == s) sum += static_cast<double>(data.as<Index>()[i]), ++members;
    RC_ASSERT(result.as<double>()[s] == sum / std::max(members, 1.0));
  }
}

TEST(Tensorflow, SubtractsWhereverTheUpdatesLie) {
  const std::vector<Index> updates{1, 99, 2, 99};
  const Tensor result = tensor_scatter_nd_sub(tensor({10LL, 20LL}), tensor({{0}, {1}}), View(updates.data(), {2}, {2}));
  EXPECT_EQ(to_string(result), "[ 9 18]");
}

TEST(Tensorflow, BooleanMaskReadsStridedViews) {
  const std::vector<int> values{1, 0, 2, 0, 3, 0, 4, 0};
  const View matrix(values.data(), {2, 2}, {4, 2});
  EXPECT_EQ(to_string(boolean_mask(matrix, tensor({{true, false}, {false, true}}))), "[1 4]");
  EXPECT_EQ(to_string(boolean_mask(matrix, tensor({false, true}), 1)), "[[2]\n [4]]");
}

}  // namespace
}  // namespace garner::tensorflow
