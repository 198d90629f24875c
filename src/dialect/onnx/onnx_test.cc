// The C++ front, strides, and the formulas as plain loops; the golden calls are in conformance/cases/onnx.
#include "garner/onnx.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "dialect/onnx/node.h"
#include "tensor/walk.h"

namespace garner::onnx {
namespace {

Index number(Index lo, Index hi) { return *rc::gen::inRange<Index>(lo, hi + 1); }

Axes random_shape(Index rank, Index least = 0) {
  Axes shape;
  for (Index a = 0; a < rank; ++a) shape.push_back(number(least, 4));
  return shape;
}

Tensor random_numbers(const Axes& shape, Index lo, Index hi) {
  Tensor t = *Tensor::zeros(DType::kI64, shape);
  for (Index i = 0; i < t.elements(); ++i) t.as<Index>()[i] = number(lo, hi);
  return t;
}

/// The same elements with the axes' strides in the other order.
struct Turned {
  explicit Turned(const Tensor& t) {
    const Axes back(t.shape().rbegin(), t.shape().rend());
    Axes stride = row_major(back);
    std::ranges::reverse(stride);
    memory = *Tensor::zeros(t.dtype(), back);
    view = View(t.dtype(), memory.data(), t.shape(), stride);
    walk_positions(t.shape(), [&](const Axes& at) {
      memory.as<Index>()[dot(at, stride)] = t.as<Index>()[dot(at, row_major(t.shape()))];
    });
  }
  Tensor memory;
  View view;
};

Index& at(Tensor& t, const Axes& position) { return t.as<Index>()[dot(position, row_major(t.shape()))]; }
Index at(const Tensor& t, const Axes& position) { return t.as<Index>()[dot(position, row_major(t.shape()))]; }
Index wrapped(Index value, Index extent) { return value < 0 ? value + extent : value; }

template <class E>
std::string rule_of(void (*call)()) {
  try {
    call();
  } catch (const E& e) { return e.rule(); }
  return "none";
}

TEST(Onnx, ErrorsAreTypedAndSayWhere) {
  EXPECT_EQ(rule_of<ArgumentError>([] { gather(tensor({1, 2}), tensor({0}), {.axis = 1}); }), "OX2");
  EXPECT_EQ(rule_of<TypeError>([] { gather(tensor({1, 2}), tensor({0.0})); }), "OX4");
  try {
    gather(tensor({{1, 2, 3}, {4, 5, 6}}), tensor({{0, 1}, {2, -4}}), {.axis = 1});
    FAIL();
  } catch (const IndexError& e) {
    EXPECT_EQ(e.rule(), "OX6");
    EXPECT_STREQ(e.what(), "onnx.Gather: indices[1,1] is -4, allowed [-3, 3) on axis 1 of operand [2,3]");
  }
}

struct Since {
  const char* op;
  Index opset;
  Status (*call)(Index opset);
};

TEST(Onnx, OX1_EveryOperatorBeginsWithItsOpset) {
  static const Tensor x = tensor({1.0F, 2.0F}), i = tensor({0LL, 1LL}), tuples = tensor({{0LL}, {1LL}});
  const Since table[] = {
      {"Gather", 1, [](Index o) { return lower_gather(x, i, {.opset = o}).status(); }},
      {"GatherElements", 11, [](Index o) { return lower_gather_elements(x, i, {.opset = o}).status(); }},
      {"GatherND", 11, [](Index o) { return lower_gather_nd(x, tuples, {.opset = o}).status(); }},
      {"ScatterElements", 11, [](Index o) { return lower_scatter_elements(x, i, x, {.opset = o}).status(); }},
      {"ScatterND", 11, [](Index o) { return lower_scatter_nd(x, tuples, x, {.opset = o}).status(); }},
      {"OneHot", 9, [](Index o) { return lower_one_hot(i, scalar(2LL), x, {.opset = o}).status(); }},
      {"Where", 9, [](Index o) { return lower_where(scalar(true), x, x, o).status(); }}};
  for (const Since& row : table)
    for (Index opset = -1; opset <= kNewestOpset + 1; ++opset) {
      const Status status = row.call(opset);
      const bool there = opset >= row.opset && opset <= kNewestOpset;
      EXPECT_EQ(status.rule, there ? "" : "OX1") << row.op << " in opset " << opset << ": " << status.message;
    }
}

TEST(Onnx, OX4_DTypesOfGather) {
  for (const DTypeInfo& d : kDTypes) {
    const Tensor data = *Tensor::zeros(d.dtype, {2});
    const bool eight_bit_float = d.kind == Kind::kFloat && d.bits == 8;
    EXPECT_EQ(lower_gather(data, tensor({0})).ok(), !eight_bit_float) << d.name;
    const Tensor indices = *Tensor::zeros(d.dtype, {1});
    EXPECT_EQ(lower_gather(data, indices).ok(), d.name == "i32" || d.name == "i64") << d.name;
  }
}

TEST(Onnx, OX6_CompressNamesTheTrueEntryThatIsTooFar) {
  try {
    onnx::compress(tensor({1, 2}), tensor({true, false, false, true}));
    FAIL();
  } catch (const IndexError& e) { EXPECT_STREQ(e.what(), "onnx.Compress: condition is true at 3, allowed [0, 2)"); }
}

TEST(Onnx, OX14_DepthIsAnyRealNumber) {
  const Tensor expected = tensor({{0, 1, 0}, {0, 0, 1}});
  const Tensor indices = tensor({1, -1}), values = tensor({0, 1});
  EXPECT_TRUE(same_bits(one_hot(indices, scalar(std::uint8_t{3}), values), expected));
  EXPECT_TRUE(same_bits(one_hot(indices, tensor({3.5F}), values), expected));
  EXPECT_EQ(lower_one_hot(indices, scalar(UINT64_MAX), values).status().rule, "OX14");
}

TEST(Onnx, ViewsWithoutMemoryAreRefused) {
  const View nothing(DType::kI64, nullptr, {2});
  EXPECT_EQ(lower_one_hot(nothing, scalar(2LL), tensor({0, 1})).status().rule, "V4");
  EXPECT_EQ(lower_one_hot(tensor({0}), View(DType::kI64, nullptr, {}), tensor({0, 1})).status().rule, "V4");
  EXPECT_EQ(lower_tensor_scatter(*Tensor::zeros(DType::kF32, {2, 3}), *Tensor::zeros(DType::kF32, {2, 1}), nothing,
                                 {.axis = 1, .mode = CacheMode::kCircular})
                .status()
                .rule,
            "V4");
}

RC_GTEST_PROP(Onnx, GatherIsItsFormula, ()) {
  const Tensor data = random_numbers(random_shape(number(1, 3), 1), -9, 9);
  const Index axis = number(0, data.rank() - 1), n = data.shape()[static_cast<std::size_t>(axis)];
  const Tensor indices = random_numbers(random_shape(number(0, 2)), -n, n - 1);
  const Tensor result = gather(Turned(data).view, Turned(indices).view, {.axis = axis - data.rank()});
  walk_positions(result.shape(), [&](const Axes& d) {
    const auto begin = d.begin() + axis, end = begin + indices.rank();
    Axes from(d.begin(), begin);
    from.push_back(wrapped(at(indices, {begin, end}), n));
    from.insert(from.end(), end, d.end());
    RC_ASSERT(at(result, d) == at(data, from));
  });
}

RC_GTEST_PROP(Onnx, GatherNdIsItsFormula, ()) {
  const Tensor data = random_numbers(random_shape(3, 1), -9, 9);
  const Index batch = number(0, 2), k = number(1, 3 - batch);
  Axes shape(data.shape().begin(), data.shape().begin() + batch);
  shape.push_back(number(0, 3));
  shape.push_back(k);
  Tensor indices = random_numbers(shape, 0, 0);
  walk_positions(shape, [&](const Axes& i) {
    const Index n = data.shape()[static_cast<std::size_t>(batch + i.back())];
    at(indices, i) = number(-n, n - 1);
  });
  const Tensor result = gather_nd(Turned(data).view, Turned(indices).view, {.batch_dims = batch});
  walk_positions(result.shape(), [&](const Axes& d) {
    const auto tuple = d.begin() + batch + 1;  // one axis of tuples behind the batch
    Axes from(d.begin(), d.begin() + batch), entry(d.begin(), tuple);
    entry.push_back(0);
    for (entry.back() = 0; entry.back() < k; ++entry.back())
      from.push_back(wrapped(at(indices, entry), data.shape()[from.size()]));
    from.insert(from.end(), tuple, d.end());
    RC_ASSERT(at(result, d) == at(data, from));
  });
}

Index reduced(Reduction reduction, Index old, Index update) {
  switch (reduction) {
    case Reduction::kNone: return update;
    case Reduction::kAdd: return old + update;
    case Reduction::kMul: return old * update;
    case Reduction::kMax: return std::max(old, update);
    case Reduction::kMin: return std::min(old, update);
  }
  return 0;
}

RC_GTEST_PROP(Onnx, ScatterElementsIsItsFormula, ()) {
  const Tensor data = random_numbers(random_shape(number(1, 3), 1), -3, 3);
  const Index axis = number(0, data.rank() - 1), n = data.shape()[static_cast<std::size_t>(axis)];
  Axes shape = data.shape();
  for (Index& extent : shape) extent = number(0, extent);
  shape[static_cast<std::size_t>(axis)] = number(0, 6);
  const Tensor indices = random_numbers(shape, -n, n - 1), updates = random_numbers(shape, -3, 3);
  const auto reduction = static_cast<Reduction>(number(0, 4));
  const Tensor result = scatter_elements(Turned(data).view, Turned(indices).view, Turned(updates).view,
                                         {.axis = axis, .reduction = reduction});
  Tensor expected = *data.clone();
  walk_positions(shape, [&](const Axes& d) {
    Axes to = d;
    to[static_cast<std::size_t>(axis)] = wrapped(at(indices, d), n);
    at(expected, to) = reduced(reduction, at(expected, to), at(updates, d));
  });
  RC_ASSERT(same_bits(result, expected));
}

RC_GTEST_PROP(Onnx, TensorScatterIsItsFormula, ()) {
  const Tensor cache = random_numbers(random_shape(3, 1), -9, 9);
  const Index axis = number(1, 2), extent = cache.shape()[static_cast<std::size_t>(axis)];
  Axes shape = cache.shape();
  shape[static_cast<std::size_t>(axis)] = number(0, extent);
  const Tensor update = random_numbers(shape, 10, 99), starts = random_numbers({shape[0]}, -20, 20);
  const Tensor result = tensor_scatter(Turned(cache).view, Turned(update).view, View(starts),
                                       {.axis = axis, .mode = CacheMode::kCircular});
  Tensor expected = *cache.clone();
  walk_positions(shape, [&](const Axes& d) {
    Axes to = d;
    Index& place = to[static_cast<std::size_t>(axis)];
    place = ((place + starts.as<Index>()[d[0]]) % extent + extent) % extent;
    at(expected, to) = at(update, d);
  });
  RC_ASSERT(same_bits(result, expected));
}

/// Slices along axis 0 of a matrix as vectors, compared by hand.
RC_GTEST_PROP(Onnx, UniqueSlicesAreThoseOfAPlainSearch, ()) {
  const Tensor X = random_numbers({number(0, 6), number(0, 2)}, 0, 2);
  const bool sorted = number(0, 1) == 1;
  const Index n = X.shape()[0], m = X.shape()[1];
  const auto row = [&](Index i) { return std::vector<Index>(X.as<Index>() + i * m, X.as<Index>() + (i + 1) * m); };
  std::vector<Index> first;  // of each different row
  for (Index i = 0; i < n; ++i)
    if (std::ranges::none_of(first, [&](Index f) { return row(f) == row(i); })) first.push_back(i);
  if (sorted) std::ranges::sort(first, [&](Index a, Index b) { return row(a) < row(b); });

  const Unique found = onnx::unique(Turned(X).view, {.axis = 0, .sorted = sorted});
  RC_ASSERT(found.index.shape() == Axes{static_cast<Index>(first.size())});
  RC_ASSERT(std::equal(first.begin(), first.end(), found.index.as<Index>()));
  RC_ASSERT(same_bits(gather(X, found.index), found.values));
  RC_ASSERT(same_bits(gather(found.values, found.inverse), X));
  RC_ASSERT(std::reduce(found.counts.as<Index>(), found.counts.as<Index>() + first.size()) == n);
}

RC_GTEST_PROP(Onnx, CompressTakesTheTrueSlices, ()) {
  const Tensor input = random_numbers(random_shape(2), -9, 9);
  Tensor condition = *Tensor::zeros(DType::kBool, {number(0, input.shape()[1])});
  Axes places;
  for (Index i = 0; i < condition.elements(); ++i) {
    const bool chosen = number(0, 1) == 1;
    condition.as<std::uint8_t>()[i] = chosen ? 1 : 0;
    if (chosen) places.push_back(i);
  }
  const Tensor result = onnx::compress(Turned(input).view, condition, {.axis = -1});
  RC_ASSERT(same_bits(result, gather(input, View(places), {.axis = 1})));
}

}  // namespace
}  // namespace garner::onnx
