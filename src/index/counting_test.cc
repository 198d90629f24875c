// one_hot, bincount, histogram, segments, bags, and flat positions.
#include "index/test_views.h"
#include "tensor/cast.h"

namespace garner::index {
namespace {

/// An i32 view of ids below n, of any layout.
Sample ids_below(Random& random, const Axes& shape, Index n) {
  Sample s = random.view(DType::kI32, shape);
  for (Index i = 0; i < s.memory.elements(); ++i)
    s.memory.as<std::int32_t>()[i] = static_cast<std::int32_t>(random.below(n));
  return s;
}

TEST(OneHot, EqualsThePlainLoop) {
  for_each_dtype(12, [&]<class T>(Random& random, DType dtype) {
    const Sample ids = ids_below(random, random.shape(random.below(3), 4), 6);
    const Index axis = random.below(ids.view.rank() + 1), depth = random.below(5);
    const Sample on = random.view(dtype, {}), off = random.view(dtype, {});
    const OneHotOptions o{.axis = axis, .on = on.view, .off = off.view};
    const Tensor out = garner::one_hot(ids.view, depth, o);
    std::vector<T> wanted;
    walk_positions(out.shape(), [&](Axes at) {
      const Index d = at[static_cast<std::size_t>(axis)];
      at.erase(at.begin() + axis);
      const Index id = static_cast<const std::int32_t*>(ids.view.data())[dot(at, ids.view.stride())];
      wanted.push_back(elements<T>(id == d ? on.view : off.view).front());
    });
    EXPECT_TRUE(plain_equal(elements<T>(out), wanted));
    expect_into(out, [&](const MutableView& to) { garner::one_hot_into(ids.view, depth, to, o); });
    ran({"one_hot"}, dtype);
  });
}

TEST(OneHot, IX6_NegativeAndRefusals) {
  EXPECT_TRUE(
      same_bits(garner::one_hot(tensor({1, -1, 3}), 3), tensor({{0.F, 1.F, 0.F}, {0.F, 0.F, 0.F}, {0.F, 0.F, 0.F}})));
  EXPECT_TRUE(same_bits(garner::one_hot(tensor({-1}), 3, {.wrap_negative = true}), tensor({{0.F, 0.F, 1.F}})));
  EXPECT_EQ(rule_of([] { garner::one_hot(tensor({1}), -1); }), "IX6");
  EXPECT_EQ(rule_of([] { garner::one_hot(tensor({1.0}), 2); }), "IX3");
  EXPECT_EQ(rule_of([] { garner::one_hot(tensor({1}), 2, {.axis = 2}); }), "IX1");
  const Tensor one = scalar(1), vector = tensor({1.0F});
  EXPECT_EQ(rule_of([&] { garner::one_hot(tensor({1}), 2, {.on = one}); }), "IX3");
  EXPECT_EQ(rule_of([&] { garner::one_hot(tensor({1}), 2, {.on = vector}); }), "IX5");
}

/// Counts into as many places as the ids need, or as asked for.
std::vector<Index> plain_counts(const std::vector<Index>& ids, Index min_length) {
  std::vector<Index> counts(static_cast<std::size_t>(min_length));
  for (const Index id : ids) {
    counts.resize(std::max<std::size_t>(counts.size(), static_cast<std::size_t>(id) + 1));
    ++counts[static_cast<std::size_t>(id)];
  }
  return counts;
}

TEST(Bincount, EqualsThePlainLoop) {
  for_each_dtype(12, [&]<class T>(Random& random, DType dtype) {
    if constexpr (is_index_v<T>) {
      const Sample ids = random.view(dtype, random.shape(random.below(3), 9));
      for (Index i = 0; i < ids.memory.elements(); ++i)
        const_cast<Tensor&>(ids.memory).as<T>()[i] = static_cast<T>(random.below(7));
      const BincountOptions o{.min_length = random.below(10)};
      const std::vector<T> given = elements<T>(ids.view);
      const Tensor out = garner::bincount(ids.view, o);
      EXPECT_EQ(indices(out), plain_counts({given.begin(), given.end()}, o.min_length));
      expect_into(out, [&](const MutableView& to) { garner::bincount_into(ids.view, to, o); });
      ran({"bincount"}, dtype);
    }
  });
}

TEST(Bincount, IX7_WeightsAndRefusals) {
  const Tensor weights = tensor({0.5, 0.25, 4.0}), two = tensor({1.0, 2.0});
  EXPECT_TRUE(same_bits(garner::bincount(tensor({1, 1, 2}), {.weights = weights}), tensor({0.0, 0.75, 4.0})));
  EXPECT_EQ(rule_of([] { garner::bincount(tensor({1, -1})); }), "IX7");
  EXPECT_EQ(rule_of([] { garner::bincount(tensor({1.0})); }), "IX3");
  EXPECT_EQ(rule_of([&] { garner::bincount(tensor({1, 1, 2}), {.weights = two}); }), "IX5");
  EXPECT_EQ(rule_of([] { garner::bincount(tensor({1}), {.min_length = -1}); }), "IX6");
  EXPECT_EQ(rule_of([] { garner::bincount(tensor({Index{1} << 50})); }), "IX6");
}

TEST(Histogram, EqualsThePlainLoop) {
  for_each_dtype(10, [&]<class T>(Random& random, DType dtype) {
    if constexpr (!is_complex_v<T> && !std::is_same_v<T, Bool>) {
      const Tensor edges = value_or_throw(Tensor::empty(dtype, {4}));
      const std::vector<T> e{T(0), T(1), T(2), T(4)};
      std::memcpy(const_cast<void*>(edges.data()), e.data(), 4 * sizeof(T));
      const Sample values = random.view(dtype, random.shape(2, 12));
      std::vector<Index> wanted(3);
      for (const T& v : elements<T>(values.view))
        for (std::size_t b = 0; b < 3; ++b)
          if (!plain_nan(v) && !plain_less(v, e[b]) && (plain_less(v, e[b + 1]) || (b == 2 && plain_equal(v, e[3]))))
            ++wanted[b];
      const Tensor out = garner::histogram(values.view, edges);
      EXPECT_EQ(indices(out), wanted);
      expect_into(out, [&](const MutableView& to) { garner::histogram_into(values.view, edges, to); });
      ran({"histogram"}, dtype);
    }
  });
  EXPECT_EQ(rule_of([] { garner::histogram(tensor({1}), tensor({1})); }), "IX5");
}

/// Sums and products round to T after every step; integers wrap around.
template <class T, class F>
T arithmetic(T a, T b, F&& f) {
  if constexpr (is_index_v<T>) return static_cast<T>(f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  else if constexpr (std::is_same_v<T, Bool>) return Bool(f(static_cast<int>(bool(a)), static_cast<int>(bool(b))) != 0);
  else return static_cast<T>(f(to_compute(a), to_compute(b)));
}

/// A NaN stays; complex numbers have no order.
template <class T>
T extreme(T a, T b, bool max) {
  if (plain_nan(a) || plain_nan(b)) return plain_nan(a) ? a : b;
  return plain_less(a, b) == max ? b : a;
}

template <class T>
T plain_combine(SegmentOp op, T a, T b) {
  switch (op) {
    case SegmentOp::kSum:
    case SegmentOp::kMean: return arithmetic(a, b, std::plus<>());
    case SegmentOp::kMin: return extreme(a, b, false);
    case SegmentOp::kMax: return extreme(a, b, true);
    case SegmentOp::kProd: return arithmetic(a, b, std::multiplies<>());
  }
  return a;
}

/// What a segment without rows holds.
template <class T>
T start_of(SegmentOp op) {
  using Limits = std::numeric_limits<T>;
  if (op == SegmentOp::kProd) return T(1);
  if (op != SegmentOp::kMin && op != SegmentOp::kMax) return T();
  const bool min = op == SegmentOp::kMin;
  if constexpr (is_index_v<T>) return min ? Limits::max() : Limits::min();
  else if constexpr (std::is_same_v<T, Bool>) return Bool(min);
  else if constexpr (std::is_same_v<T, Float8E4M3>) return T(min ? 448.0F : -448.0F);  // it has no infinity
  else return T(min ? INFINITY : -INFINITY);
}

template <class T>
T divided(T sum, Index n) {
  if constexpr (is_complex_v<T>) return sum / static_cast<typename T::value_type>(n);
  else return static_cast<T>(to_compute(sum) / static_cast<Compute<T>>(n));
}

constexpr SegmentOp kSegmentOps[] = {SegmentOp::kSum, SegmentOp::kMean, SegmentOp::kMin, SegmentOp::kMax,
                                     SegmentOp::kProd};
constexpr const char* kSegmentNames[] = {"segment_sum", "segment_mean", "segment_min", "segment_max", "segment_prod"};

template <class T>
bool has_op(SegmentOp op) {
  if (op == SegmentOp::kMean) return !is_index_v<T> && !std::is_same_v<T, Bool>;
  return !is_complex_v<T> || (op != SegmentOp::kMin && op != SegmentOp::kMax);
}

/// Row by row, in order.
template <class T>
std::vector<T> plain_segments(SegmentOp op, const View& data, const View& ids, Index segments) {
  const auto columns = static_cast<std::size_t>(data.extent(1));
  std::vector<T> out(static_cast<std::size_t>(segments) * columns, start_of<T>(op));
  std::vector<Index> counts(static_cast<std::size_t>(segments));
  const auto values = elements<T>(data);
  const auto id = elements<std::int32_t>(ids);
  for (std::size_t row = 0; row < id.size(); ++row) {
    const auto segment = static_cast<std::size_t>(id[row]);
    for (std::size_t j = 0; j < columns; ++j)
      out[segment * columns + j] = plain_combine(op, out[segment * columns + j], values[row * columns + j]);
    ++counts[segment];
  }
  for (std::size_t i = 0; i < out.size() && op == SegmentOp::kMean; ++i)
    out[i] = divided(out[i], std::max<Index>(counts[i / columns], 1));
  return out;
}

TEST(Segment, EqualsThePlainLoop) {
  for_each_dtype(25, [&]<class T>(Random& random, DType dtype) {
    const Index rows = random.below(8), columns = 1 + random.below(4), segments = 1 + random.below(6);
    const Sample data = random.view(dtype, {rows, columns}), ids = ids_below(random, {rows}, segments);
    const SegmentOptions o{.num_segments = segments};
    for (const SegmentOp op : kSegmentOps) {
      if (!has_op<T>(op)) continue;
      SCOPED_TRACE(kSegmentNames[static_cast<std::size_t>(op)]);
      const Tensor out = garner::segment(op, data.view, ids.view, o);
      EXPECT_TRUE(plain_equal(elements<T>(out), plain_segments<T>(op, data.view, ids.view, segments)))
          << to_string(out) << "\nof\n"
          << to_string(data.view) << "\nby\n"
          << to_string(ids.view);
      expect_into(out, [&](const MutableView& to) { garner::segment_into(op, data.view, ids.view, to, o); });
      ran({kSegmentNames[static_cast<std::size_t>(op)]}, dtype);
    }
  });
}

TEST(Segment, EveryDtypeAndThreads) {
  for_each_dtype(1, [&]<class T>(Random& random, DType dtype) {
    const Sample data = random.view(dtype, {500, 60}), ids = ids_below(random, {500}, 20);
    for (const SegmentOp op : kSegmentOps) {
      const auto one = index::segment(op, data.view, ids.view, {.num_segments = 20}, {.threads = 1});
      if (!one.ok()) {
        EXPECT_EQ(one.status().rule, "IX3");
        continue;
      }
      for (const int threads : {2, 7})
        EXPECT_TRUE(
            same_bits(*one, *index::segment(op, data.view, ids.view, {.num_segments = 20}, {.threads = threads})));
    }
  });
}

TEST(Segment, IX7_IX8_SortedAndRefusals) {
  const Tensor data = tensor({1, 2, 4});
  EXPECT_TRUE(same_bits(garner::segment_sum(data, tensor({0, 0, 2})), tensor({3, 0, 4})));
  EXPECT_TRUE(same_bits(garner::segment_prod(data, tensor({0, 0, 2}), {.sorted = true}), tensor({2, 1, 4})));
  EXPECT_TRUE(same_bits(garner::segment_max(tensor<std::int8_t>({1}), tensor({1})), tensor<std::int8_t>({-128, 1})));
  EXPECT_TRUE(
      same_bits(garner::segment_sum(data, tensor({0, -1, 5}), {.num_segments = 1, .out_of_range = OutOfRange::kDrop}),
                tensor({1})));
  EXPECT_EQ(rule_of([&] { garner::segment_sum(data, tensor({1, 0, 2}), {.sorted = true}); }), "IX8");
  EXPECT_EQ(rule_of([&] { garner::segment_sum(data, tensor({1, -1, 2})); }), "IX7");
  EXPECT_EQ(rule_of([&] { garner::segment_min(data, tensor({1, 0})); }), "IX5");
  EXPECT_EQ(rule_of([&] { garner::segment_mean(data, tensor({0, 0, 2})); }), "IX3");
  EXPECT_EQ(rule_of([&] { garner::segment_sum(data, tensor({0, 0, 2}), {.num_segments = -1}); }), "IX6");
}

template <class T>
struct Bag {
  std::vector<T> rows;  // of the table, one after the other
  std::vector<Compute<T>> weights;
  BagMode mode;
};

/// One column: in the type arithmetic is done in, rounded once.
template <class T>
T plain_bag(const Bag<T>& bag) {
  Compute<T> sum = 0;
  for (std::size_t i = 0; i < bag.rows.size(); ++i) {
    const Compute<T> v = to_compute(bag.rows[i]);
    if (bag.mode != BagMode::kMax) sum += v * bag.weights[i];
    else if (i == 0 || v > sum || v != v) sum = v;
  }
  return static_cast<T>(bag.mode == BagMode::kMean && !bag.rows.empty() ? sum / static_cast<Compute<T>>(bag.rows.size())
                                                                        : sum);
}

TEST(EmbeddingBag, EqualsThePlainLoop) {
  for_each_dtype(30, [&]<class T>(Random& random, DType dtype) {
    if constexpr (std::is_floating_point_v<Compute<T>>) {
      const Index n = random.below(12), middle = random.below(n + 1);
      const Sample table = random.view(dtype, {6, 3}), ids = ids_below(random, {n}, 6), w = random.view(dtype, {n});
      const Tensor offsets = tensor<Index>({0, middle, middle});
      const auto mode = static_cast<BagMode>(random.below(3));
      const bool weighted = mode == BagMode::kSum && random.one_in(2);
      const BagOptions o{.mode = mode,
                         .offsets = offsets,
                         .weights = weighted ? std::optional<View>(w.view) : std::nullopt,
                         .padding = random.one_in(2) ? 2 : -9};
      const auto rows = elements<T>(table.view), weights = elements<T>(w.view);
      const auto id = elements<std::int32_t>(ids.view);
      std::vector<T> wanted;
      const Index ends[] = {middle, middle, n}, begins[] = {0, middle, middle};
      for (int bag = 0; bag < 3; ++bag)
        for (std::size_t column = 0; column < 3; ++column) {
          Bag<T> plain{{}, {}, mode};
          for (auto i = static_cast<std::size_t>(begins[bag]); i < static_cast<std::size_t>(ends[bag]); ++i) {
            if (id[i] == *o.padding) continue;
            plain.rows.push_back(rows[static_cast<std::size_t>(id[i]) * 3 + column]);
            plain.weights.push_back(weighted ? to_compute(weights[i]) : 1);
          }
          wanted.push_back(plain_bag(plain));
        }
      const Tensor out = garner::embedding_bag(table.view, ids.view, o);
      EXPECT_TRUE(plain_equal(elements<T>(out), wanted)) << to_string(out);
      expect_into(out, [&](const MutableView& to) { garner::embedding_bag_into(table.view, ids.view, to, o); });
      ran({"embedding_bag"}, dtype);
    }
  });
}

TEST(EmbeddingBag, IX7_IX8_WeightsRowsThreadsAndRefusals) {
  const Tensor table = tensor({{1.F, 2.F}, {10.F, 20.F}}), ids = tensor({{0, 1}, {1, 1}}),
               w = tensor({{2.F, 1.F}, {0.F, 3.F}});
  EXPECT_TRUE(same_bits(garner::embedding_bag(table, ids, {.mode = BagMode::kSum, .weights = w}),
                        tensor({{12.F, 24.F}, {30.F, 60.F}})));
  EXPECT_EQ(rule_of([&] { garner::embedding_bag(table, tensor({{0, 2}})); }), "IX7");
  EXPECT_EQ(rule_of([&] { garner::embedding_bag(table, tensor({0, 1})); }), "IX5");
  EXPECT_EQ(rule_of([&] { garner::embedding_bag(table, ids, {.weights = w}); }), "IX6");
  EXPECT_EQ(rule_of([&] { garner::embedding_bag(tensor({{1}}), ids); }), "IX3");
  for (const Tensor& bad : {tensor({1}), tensor({0, 3}), tensor({0, 2, 1})})
    EXPECT_EQ(rule_of([&] { garner::embedding_bag(table, tensor({0, 1}), {.offsets = bad}); }), "IX8");
  const Tensor ends = tensor({0, 1, 2});
  EXPECT_EQ(garner::embedding_bag(table, tensor({0, 1}), {.offsets = ends, .last_offset_is_end = true}).shape(),
            (Axes{2, 2}));
  Random random(6);
  const Sample big = random.view(DType::kF16, {100, 64}), many = ids_below(random, {400, 30}, 100);
  const Tensor one = garner::embedding_bag(big.view, many.view, {}, {.threads = 1});
  for (const int threads : {2, 7})
    EXPECT_TRUE(same_bits(one, garner::embedding_bag(big.view, many.view, {}, {.threads = threads})));
}

TEST(Ravel, EqualsThePlainLoop) {
  for_each_dtype(10, [&]<class T>(Random& random, DType dtype) {
    if constexpr (is_index_v<T>) {
      const Axes shape = random.shape(1 + random.below(3), 4, false);
      Tensor positions = value_or_throw(Tensor::empty(dtype, {5}));
      std::vector<Index> coordinates, flat;
      for (Index i = 0; i < 5; ++i) {
        Index rest = random.below(View(DType::kI8, nullptr, shape).elements());
        flat.push_back(rest);
        positions.as<T>()[i] = static_cast<T>(rest);
        Axes at(shape.size());
        for (std::size_t a = shape.size(); a-- > 0; rest /= shape[a]) at[a] = rest % shape[a];
        coordinates.insert(coordinates.end(), at.begin(), at.end());
      }
      const Tensor at = garner::unravel_index(positions, shape);
      EXPECT_EQ(indices(at), coordinates);
      EXPECT_EQ(indices(garner::ravel_multi_index(*cast(at, dtype), shape)), flat);
      ran({"ravel_multi_index", "unravel_index"}, dtype);
    }
  });
}

TEST(Ravel, IX7_ThereAndBack) {
  Random random(7);
  for (int round = 0; round < 40; ++round) {
    const Axes shape = random.shape(1 + random.below(4), 5, false);
    const Layout layout = random.one_in(2) ? Layout::kRows : Layout::kColumns;
    const Sample positions = ids_below(random, {random.below(9)}, View(DType::kI8, nullptr, shape).elements());
    const Tensor at = garner::unravel_index(positions.view, shape, layout);
    const Tensor back = garner::ravel_multi_index(at, shape, layout);
    const auto wanted = elements<std::int32_t>(positions.view);
    EXPECT_EQ(indices(back), std::vector<Index>(wanted.begin(), wanted.end()));
    expect_into(at, [&](const MutableView& out) { garner::unravel_index_into(positions.view, shape, out, layout); });
    expect_into(back, [&](const MutableView& out) { garner::ravel_multi_index_into(at, shape, out, layout); });
  }
  EXPECT_TRUE(same_bits(garner::unravel_index(tensor({5}), {2, 3}), tensor<Index>({{1, 2}})));
  EXPECT_EQ(rule_of([] { garner::unravel_index(tensor({6}), {2, 3}); }), "IX7");
  EXPECT_EQ(rule_of([] { garner::ravel_multi_index(tensor({{2, 0}}), {2, 3}); }), "IX7");
  EXPECT_EQ(rule_of([] { garner::ravel_multi_index(tensor({{0}}), {2, 3}); }), "IX5");
  EXPECT_EQ(rule_of([] { garner::unravel_index(tensor({0}), {-1}); }), "IX6");
  EXPECT_EQ(rule_of([] { garner::unravel_index(tensor({0.5}), {2}); }), "IX3");
}

}  // namespace
}  // namespace garner::index
