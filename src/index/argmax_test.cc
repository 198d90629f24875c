#include "index/test_views.h"

namespace garner::index {
namespace {

/// The plain definition: walk the lane, keep the best.
template <class T>
Index plain_best(const std::vector<T>& lane, bool max, const ArgOptions& o) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < lane.size(); ++i) {
    if (o.nan == NanRule::kIgnore && plain_nan(lane[i])) continue;
    if (!best) {
      best = i;
      continue;
    }
    const bool here = plain_nan(lane[i]), there = plain_nan(lane[*best]);
    const bool better = here || there ? here && !there
                        : max         ? plain_less(lane[*best], lane[i])
                                      : plain_less(lane[i], lane[*best]);
    const bool equal = here == there && (here || plain_equal(lane[i], lane[*best]));
    if (better || (equal && o.tie == Tie::kLast)) best = i;
  }
  return static_cast<Index>(best.value_or(0));
}

ArgOptions random_options(Random& random, Index rank) {
  ArgOptions o;
  if (rank > 0 && !random.one_in(4)) o.axis = random.below(2 * rank) - rank;
  o.keepdims = random.one_in(2);
  o.tie = random.one_in(2) ? Tie::kLast : Tie::kFirst;
  o.nan = random.one_in(2) ? NanRule::kIgnore : NanRule::kPropagate;
  return o;
}

template <class T>
std::vector<Index> plain(const View& view, bool max, const ArgOptions& o) {
  if (!o.axis) return {plain_best(elements<T>(view), max, o)};
  std::vector<Index> out;
  for_each_lane<T>(view, *o.axis < 0 ? *o.axis + view.rank() : *o.axis,
                   [&](const std::vector<T>& lane, Index) { out.push_back(plain_best(lane, max, o)); });
  return out;
}

bool nothing_to_choose(const View& v, const ArgOptions& o) {
  return o.axis ? v.extent(*o.axis < 0 ? *o.axis + v.rank() : *o.axis) == 0 : v.elements() == 0;
}

TEST(Argmax, EqualsThePlainLoop) {
  for_each_dtype(60, [&]<class T>(Random& random, DType dtype) {
    const Sample s = random.view(dtype, random.shape(random.below(4), random.one_in(4) ? 70 : 5));
    const ArgOptions o = random_options(random, s.view.rank());
    if (nothing_to_choose(s.view, o)) return;
    const Tensor largest = garner::argmax(s.view, o), smallest = garner::argmin(s.view, o);
    EXPECT_EQ(indices(largest), plain<T>(s.view, true, o));
    EXPECT_EQ(indices(smallest), plain<T>(s.view, false, o));
    EXPECT_EQ(largest.rank(), o.keepdims ? s.view.rank() : o.axis ? s.view.rank() - 1 : 0);
    expect_into(largest, [&](const MutableView& out) { garner::argmax_into(s.view, out, o); });
    expect_into(smallest, [&](const MutableView& out) { garner::argmin_into(s.view, out, o); });
    ran({"argmax", "argmin"}, dtype);
  });
}

TEST(Argmax, ManyColumnsEqualThePlainLoop) {
  Random random(3);
  for (const Index columns : {255, 256, 257, 600, 2047, 2048, 2049, 5000}) {
    const Sample s = random.view(DType::kF32, {9, columns});
    EXPECT_EQ(indices(garner::argmax(s.view, {.axis = 0})), plain<float>(s.view, true, {.axis = 0}));
  }
}

TEST(Argmax, EveryTailEqualsThePlainLoop) {
  for_each_dtype(1, [&]<class T>(Random& random, DType dtype) {
    for (Index n = 1; n < 6200; n += n < 150 || (n > 4090 && n < 4100) ? 1 : 397) {
      const Tensor t = random.tensor(dtype, {n});
      ArgOptions o = random_options(random, 0);
      ASSERT_EQ(indices(garner::argmax(t, o)), plain<T>(t, true, o)) << n;
      ASSERT_EQ(indices(garner::argmin(t, o)), plain<T>(t, false, o)) << n;
    }
  });
}

/// One extreme element anywhere, also in a lane that is otherwise all NaN or all the same.
TEST(Argmax, FindsTheOneElementWherever) {
  for_each_dtype(1, [&]<class T>(Random& random, DType dtype) {
    for (const Index n : {1, 31, 64, 300, 2048, 5000})
      for (int round = 0; round < 6; ++round) {
        Tensor t = value_or_throw(Tensor::zeros(dtype, {n}));
        const Index at = random.below(n);
        t.as<T>()[at] = T(1);
        ASSERT_EQ(indices(garner::argmax(t)), (std::vector<Index>{at}));
        ASSERT_EQ(indices(garner::argmin(t, {.tie = Tie::kLast})),
                  (std::vector<Index>{at == n - 1 && n > 1 ? n - 2 : n - 1}));
        if constexpr (!is_index_v<T> && !std::is_same_v<T, Bool>) {
          for (Index i = 0; i < n; ++i) t.as<T>()[i] = i == at ? T(-1.0F) : T(NAN);
          ASSERT_EQ(indices(garner::argmax(t, {.nan = NanRule::kIgnore})), (std::vector<Index>{at}));
          ASSERT_EQ(indices(garner::argmax(t)), (std::vector<Index>{at == 0 && n > 1 ? 1 : 0}));
        }
      }
  });
}

/// Zeros, and a one somewhere in each column.
Tensor spiked(Random& random, DType dtype, const Axes& shape) {
  Tensor t = value_or_throw(Tensor::zeros(dtype, shape));
  const Index columns = shape.back(), rows = t.elements() / columns;
  dispatch(dtype, [&]<class T>() {
    for (Index j = 0; j < columns; ++j) t.as<T>()[random.below(rows) * columns + j] = T(1);
  });
  return t;
}

/// The sign decides how the bits of floats are compared: all of one, both, zeros, infinities and NaN here and there.
TEST(Argmax, FloatsOfAnySign) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<double>> palettes{{1, 2, 3}, {-1, -2, -3}, {-1, 1},        {0.0, -0.0}, {-0.0, -1},
                                                  {0.0, 1},  {-inf, -2},   {inf, -inf, 1}, {inf},       {-inf}};
  Random random(29);
  for (const DType dtype : {DType::kF32, DType::kF64, DType::kF16, DType::kBF16, DType::kF8E5M2, DType::kF8E4M3})
    for (const Axes& shape : std::vector<Axes>{{5000}, {63, 70}, {64, 70}, {70, 33}, {131, 3}})
      for (const auto& palette : palettes)
        for (const double odd : {palette[0], 5.0, -5.0, nan, -nan}) {
          Tensor t = value_or_throw(Tensor::empty(dtype, shape));
          dispatch(dtype, [&]<class T>() {
            const auto some = [&] { return palette[static_cast<std::size_t>(random.below(std::ssize(palette)))]; };
            for (Index i = 0; i < t.elements(); ++i) t.as<T>()[i] = static_cast<T>(static_cast<float>(some()));
            t.as<T>()[random.below(t.elements())] = static_cast<T>(static_cast<float>(odd));
            for (const Tie tie : {Tie::kFirst, Tie::kLast})
              for (const NanRule rule : {NanRule::kPropagate, NanRule::kIgnore}) {
                const ArgOptions o{.axis = 0, .tie = tie, .nan = rule};
                ASSERT_EQ(indices(garner::argmax(t, o)), plain<T>(t, true, o)) << name(dtype) << ' ' << palette[0];
                ASSERT_EQ(indices(garner::argmin(t, o)), plain<T>(t, false, o)) << name(dtype) << ' ' << palette[0];
              }
          });
        }
}

/// Rows are counted in the width of the keys, and start again when that is full: at 255 and 65,535.
TEST(Argmax, MoreRowsThanAKeyCounts) {
  Random random(23);
  for (const DType dtype :
       {DType::kU8, DType::kF8E5M2, DType::kBF16, DType::kF32, DType::kI64, DType::kC64, DType::kC128})
    for (const Axes& shape : std::vector<Axes>{{700, 70}, {66000, 33}, {511, 3}, {2, 300, 65}})
      for (const Tie tie : {Tie::kFirst, Tie::kLast}) {
        const ArgOptions o{.axis = static_cast<Index>(shape.size()) - 2, .tie = tie};
        const Tensor t = tie == Tie::kLast ? random.tensor(dtype, shape) : spiked(random, dtype, shape);
        const auto wanted = dispatch(dtype, [&]<class T>() { return plain<T>(t, true, o); });
        for (const int threads : {1, 2, 7}) ASSERT_EQ(indices(garner::argmax(t, o, {.threads = threads})), wanted);
      }
}

TEST(Argmax, AnyNumberOfThreadsGivesTheSame) {
  Random random(5);
  Tensor t = value_or_throw(Tensor::empty(DType::kI16, {700, 1000}));
  for (Index i = 0; i < t.elements(); ++i) t.as<std::int16_t>()[i] = static_cast<std::int16_t>(random.below(300));
  for (const Tie tie : {Tie::kFirst, Tie::kLast})
    for (const std::optional<Index> axis : {std::optional<Index>(), std::optional<Index>(0), std::optional<Index>(1)}) {
      const ArgOptions o{.axis = axis, .tie = tie};
      const Tensor one = garner::argmax(t, o, {.threads = 1});
      for (const int threads : {2, 7}) EXPECT_TRUE(same_bits(one, garner::argmax(t, o, {.threads = threads})));
      EXPECT_EQ(indices(one), plain<std::int16_t>(t, true, o));
    }
}

TEST(Argmax, IX1_IX4_IX2_Refusals) {
  const Tensor t = tensor({{1, 2}, {3, 4}});
  EXPECT_EQ(rule_of([&] { garner::argmax(t, {.axis = 2}); }), "IX1");
  EXPECT_EQ(rule_of([&] { garner::argmax(t, {.axis = -3}); }), "IX1");
  EXPECT_EQ(rule_of([&] { garner::argmax(scalar(1), {.axis = 0}); }), "IX1");
  const View empty(t.as<int>(), {0, 2});
  EXPECT_EQ(rule_of([&] { garner::argmax(empty); }), "IX4");
  EXPECT_EQ(rule_of([&] { garner::argmin(empty, {.axis = 0}); }), "IX4");
  EXPECT_EQ(garner::argmax(empty, {.axis = 1}).shape(), Axes{0});
  std::vector<int> wrong(2, 9);
  EXPECT_EQ(rule_of([&] { garner::argmax_into(t, wrong, {.axis = 0}); }), "IX2");
  std::vector<Index> apart(1, 9);
  EXPECT_EQ(rule_of([&] { garner::argmax_into(t, MutableView(apart.data(), {2}, {0}), {.axis = 0}); }), "IX2");
  EXPECT_EQ(wrong[0], 9);
  EXPECT_EQ(apart[0], 9);
}

TEST(Argmax, OutMayBeTheInput) {
  Tensor t = tensor<Index>({{1, 5, 2}, {7, 0, 3}});
  garner::argmax_into(t, MutableView(t.as<Index>(), {3}), {.axis = 0});
  EXPECT_EQ(indices(t), (std::vector<Index>{1, 0, 1, 7, 0, 3}));
}

}  // namespace
}  // namespace garner::index
