// The C++ side of the dialect, and random calls against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "garner/error.h"
#include "garner/jax.h"

namespace garner::jax {
namespace {

using numpy::Slice;

const Tensor kX = tensor({0.0F, 1.0F, 2.0F, 3.0F, 4.0F});
const Tensor kM = tensor({{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}});

// ---- the calls of the documentation ----

TEST(Jax, JX1_GetClampsUnlessItFills) {
  const Tensor index = tensor({20, -1, -9});
  EXPECT_EQ(to_string(at(kX, {index}).get()), "[4. 4. 0.]");
  EXPECT_EQ(to_string(at(kX, {index}).get({.mode = Mode::kFill})), "[nan  4. nan]");
  EXPECT_EQ(to_string(at(kX, {index}).get({.mode = Mode::kFill, .fill_value = scalar(-1)})), "[-1.  4. -1.]");
  EXPECT_EQ(to_string(at(kX, {index}).get({.mode = Mode::kClip, .wrap_negative_indices = false})), "[4. 0. 0.]");
}

TEST(Jax, JX1_UpdatesOutsideAreDropped) {
  EXPECT_EQ(to_string(at(kX, {10}).add(scalar(10.0F))), "[0. 1. 2. 3. 4.]");
  EXPECT_EQ(to_string(at(kX, {20}).add(scalar(10.0F), {.mode = Mode::kClip})), "[ 0.  1.  2.  3. 14.]");
  EXPECT_EQ(to_string(at(kX, {-1}).set(scalar(99.0F))), "[ 0.  1.  2.  3. 99.]");
  EXPECT_EQ(to_string(at(kX, {-1}).set(scalar(99.0F), {.wrap_negative_indices = false})), "[0. 1. 2. 3. 4.]");
}

TEST(Jax, JX47_ValuesBroadcastOverTheKey) {
  const Tensor odd = tensor({1, 3});
  const At columns = at(kM, {Slice{}, odd});
  EXPECT_EQ(to_string(columns.multiply(scalar(0))), "[[ 0  0  2  0]\n [ 4  0  6  0]\n [ 8  0 10  0]]");
  EXPECT_EQ(to_string(columns.mul(scalar(0))), to_string(columns.multiply(scalar(0))));
  EXPECT_EQ(to_string(columns.min(tensor({{5}, {5}, {5}}))), "[[ 0  1  2  3]\n [ 4  5  6  5]\n [ 8  5 10  5]]");
  EXPECT_EQ(to_string(columns.max(tensor({6, 6}))), "[[ 0  6  2  6]\n [ 4  6  6  7]\n [ 8  9 10 11]]");
}

TEST(Jax, ArgumentsStayAsTheyAre) {
  const Tensor x = tensor({1, 2, 3});
  EXPECT_EQ(to_string(at(x, {0}).set(scalar(9))), "[9 2 3]");
  EXPECT_EQ(to_string(x), "[1 2 3]");
}

TEST(Jax, SegmentSum) {
  const Tensor ids = tensor({0, 0, 1, 1, 2});
  EXPECT_EQ(to_string(segment_sum(kX, ids)), "[1. 5. 4.]");
  EXPECT_EQ(to_string(segment_max(kX, ids, {.num_segments = 4})), "[  1.   3.   4. -inf]");
  EXPECT_EQ(to_string(segment_min(kX, ids, {.num_segments = 2})), "[0. 2.]");
  EXPECT_EQ(to_string(segment_prod(kX, ids, {.num_segments = 4})), "[0. 6. 4. 1.]");
}

TEST(Jax, ErrorsAreTheSourcesClasses) {
  EXPECT_THROW(at(kX, {0, 0}).get(), IndexError);
  EXPECT_THROW(at(kX, {tensor({0.5F})}).get(), TypeError);
  EXPECT_THROW(at(kX, {tensor({0, 1})}).set(tensor({1.0F, 2.0F, 3.0F})), ArgumentError);
  EXPECT_THROW(at(kX, {0}).set(scalar(1.0)), TypeError);
  EXPECT_THROW(gather(kM, tensor({{0}}), {.offset_dims = {1}, .collapsed_slice_dims = {0}}, {1, 4}), TypeError);
  EXPECT_THROW(scatter(kX, tensor({{0.5F}}), kX, {}), ArgumentError);
  EXPECT_THROW(take(kX, tensor({0}), {.axis = 1}), ArgumentError);
  EXPECT_THROW(segment_sum(kX, tensor({0, 0, 0, 0, 0}), {.num_segments = -1}), ArgumentError);
}

/// The transpose of kM: it has no row-major order, so flattening copies it.
TEST(Jax, FlattensStridedMemory) {
  const View transposed(kM.as<int>(), {4, 3}, {1, 4});
  const Tensor index = tensor({1, 11, 12});
  EXPECT_EQ(to_string(take(transposed, index, {.fill_value = scalar(-1)})), "[ 4 11 -1]");
  EXPECT_EQ(to_string(take_along_axis(transposed, index, {.axis = std::nullopt, .fill_value = scalar(-1)})),
            "[ 4 11 -1]");
}

// ---- random calls ----

/// JAX's modes by definition: the place an index leads to, when a window of `size` begins there.
struct Rule {
  Mode mode;
  bool wraps;
  std::optional<Index> place(Index v, Index extent, Index size = 1) const {
    if (wraps && v < 0) v += extent;
    if (mode == Mode::kClip) return std::clamp<Index>(v, 0, extent - size);
    return v >= 0 && v <= extent - size ? std::optional(v) : std::nullopt;
  }
};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}
  Index number(Index lo, Index hi) { return std::uniform_int_distribution<Index>(lo, hi)(random_); }
  Rule rule(bool wraps) { return {number(0, 1) == 0 ? Mode::kClip : Mode::kFill, wraps}; }
  Tensor tensor_of(const Axes& shape, Index lo, Index hi) {
    Tensor t = *Tensor::zeros(DType::kI64, shape);
    for (Index i = 0; i < t.elements(); ++i) t.as<Index>()[i] = number(lo, hi);
    return t;
  }

 private:
  std::mt19937 random_;
};

constexpr int kRounds = 300;
constexpr Index kFilled = -777;

/// A matrix, n windows of h by w at random starts.
struct Windows {
  Index rows, columns, h, w, n;
  Tensor operand, starts;
  static Windows make(Maker& m) {
    const Index rows = m.number(1, 5), columns = m.number(1, 6);
    const Index h = m.number(1, rows), w = m.number(1, columns), n = m.number(0, 5);
    return {rows, columns, h, w, n, m.tensor_of({rows, columns}, 0, 99), m.tensor_of({n, 2}, -8, 8)};
  }
  /// f(element of the k-th window, its place in the operand or nothing)
  template <class F>
  void walk(const Rule& rule, F&& f) const {
    for (Index i = 0; i < n * h * w; ++i) {
      const Index k = i / (h * w), r = i / w % h, c = i % w;
      const auto row = rule.place(starts.as<Index>()[2 * k], rows, h);
      const auto column = rule.place(starts.as<Index>()[2 * k + 1], columns, w);
      f(i, row && column ? std::optional((*row + r) * columns + *column + c) : std::nullopt);
    }
  }
};

TEST(Jax, RandomWindowsAreGatheredWhole) {
  Maker m(1);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    const Windows s = Windows::make(m);
    const Rule rule = m.rule(false);
    Tensor expected = *Tensor::zeros(DType::kI64, {s.n, s.h, s.w});
    s.walk(rule, [&](Index i, std::optional<Index> from) {
      expected.as<Index>()[i] = from ? s.operand.as<Index>()[*from] : kFilled;
    });
    const GatherDimensionNumbers dims{.offset_dims = {1, 2}, .start_index_map = {0, 1}};
    const GatherOptions options{.mode = rule.mode, .fill_value = scalar(kFilled)};
    EXPECT_TRUE(same_bits(gather(s.operand, s.starts, dims, {s.h, s.w}, options), expected));
  }
}

TEST(Jax, RandomWindowsAreScatteredWhole) {
  Maker m(2);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    const Windows s = Windows::make(m);
    const Rule rule = m.rule(false);
    const Tensor updates = m.tensor_of({s.n, s.h, s.w}, -9, 9);
    Tensor stored = *s.operand.clone(), added = *s.operand.clone();
    s.walk(rule, [&](Index i, std::optional<Index> to) {
      if (!to) return;
      stored.as<Index>()[*to] = updates.as<Index>()[i];
      added.as<Index>()[*to] += updates.as<Index>()[i];
    });
    const ScatterDimensionNumbers dims{.update_window_dims = {1, 2}, .scatter_dims_to_operand_dims = {0, 1}};
    EXPECT_TRUE(same_bits(scatter(s.operand, s.starts, updates, dims, {.mode = rule.mode}), stored));
    EXPECT_TRUE(same_bits(scatter_add(s.operand, s.starts, updates, dims, {.mode = rule.mode}), added));
  }
}

TEST(Jax, RandomTakeAlongAxis) {
  Maker m(3);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    const Index n = m.number(1, 4), rows = m.number(1, 4), take = m.number(0, 4);
    const Index arr_rows = m.number(0, 1) == 0 ? 1 : rows, index_rows = m.number(0, 1) == 0 ? 1 : rows;
    const Index result_rows = std::max(arr_rows, index_rows);
    const Tensor arr = m.tensor_of({arr_rows, n}, 0, 99), index = m.tensor_of({index_rows, take}, -6, 6);
    const Rule rule = m.rule(m.number(0, 1) == 1);
    Tensor expected = *Tensor::zeros(DType::kI64, {result_rows, take});
    for (Index i = 0; i < expected.elements(); ++i) {
      const Index r = i / take, v = index.as<Index>()[(index_rows == 1 ? 0 : r) * take + i % take];
      const auto from = rule.place(v, n);
      expected.as<Index>()[i] = from ? arr.as<Index>()[(arr_rows == 1 ? 0 : r) * n + *from] : kFilled;
    }
    const AlongAxisOptions options{
        .mode = rule.mode, .fill_value = scalar(kFilled), .wrap_negative_indices = rule.wraps};
    EXPECT_TRUE(same_bits(take_along_axis(arr, index, options), expected));
  }
}

/// x[a, first::step, b] with a of shape (p, 1) and b of shape (q): the result is (p, q, slice).
struct Apart {
  Index planes, rows, columns, p, q, first, step, count;
  Tensor x, a, b;
  static Apart make(Maker& m) {
    const Index planes = m.number(1, 3), rows = m.number(1, 5), columns = m.number(1, 4);
    const Index p = m.number(0, 3), q = m.number(0, 3), first = m.number(0, rows - 1), step = m.number(1, 3);
    return {planes,
            rows,
            columns,
            p,
            q,
            first,
            step,
            (rows - first + step - 1) / step,
            m.tensor_of({planes, rows, columns}, 0, 99),
            m.tensor_of({p, 1}, -5, 5),
            m.tensor_of({q}, -6, 6)};
  }
  numpy::Key key() const { return {a, Slice{.start = first, .step = step}, b}; }
  template <class F>
  void walk(const Rule& rule, F&& f) const {
    for (Index i = 0; i < p * q * count; ++i) {
      const auto plane = rule.place(a.as<Index>()[i / (q * count)], planes);
      const auto column = rule.place(b.as<Index>()[i / count % q], columns);
      const Index row = first + i % count * step;
      f(i, plane && column ? std::optional((*plane * rows + row) * columns + *column) : std::nullopt);
    }
  }
};

TEST(Jax, RandomKeys) {
  Maker m(4);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    const Apart s = Apart::make(m);
    const Rule rule = m.rule(m.number(0, 1) == 1);
    const Tensor values = m.tensor_of({s.p, s.q, s.count}, -9, 9);
    Tensor got = *values.clone(), stored = *s.x.clone(), added = *s.x.clone();
    s.walk(rule, [&](Index i, std::optional<Index> place) {
      got.as<Index>()[i] = place ? s.x.as<Index>()[*place] : kFilled;
      if (!place) return;
      stored.as<Index>()[*place] = values.as<Index>()[i];
      added.as<Index>()[*place] += values.as<Index>()[i];
    });
    const At places = at(s.x, s.key());
    const UpdateOptions options{.mode = rule.mode, .wrap_negative_indices = rule.wraps};
    EXPECT_TRUE(same_bits(places.get({rule.mode, scalar(kFilled), rule.wraps}), got));
    EXPECT_TRUE(same_bits(places.set(values, options), stored));
    EXPECT_TRUE(same_bits(places.add(values, options), added));
  }
}

}  // namespace
}  // namespace garner::jax
