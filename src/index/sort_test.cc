#include <numeric>

#include "index/test_views.h"

namespace garner::index {
namespace {

/// Positions by the plain order, equal ones by position; descending reverses the order, not the ties.
template <class T>
std::vector<Index> plain_order(const std::vector<T>& lane, bool descending) {
  std::vector<Index> order(lane.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const T &x = lane[static_cast<std::size_t>(descending ? b : a)],
            &y = lane[static_cast<std::size_t>(descending ? a : b)];
    return plain_equal(x, y) ? a < b : strictly_less(x, y);
  });
  return order;
}

template <class T>
std::vector<std::vector<T>> lanes(const View& view, Index axis) {
  std::vector<std::vector<T>> out;
  for_each_lane<T>(view, axis, [&](const std::vector<T>& lane, Index) { out.push_back(lane); });
  return out;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T>
std::vector<T> taken(const std::vector<T>& lane, const std::vector<Index>& order) {
  std::vector<T> out;
  for (const Index i : order) out.push_back(lane[static_cast<std::size_t>(i)]);
  return out;
}

TEST(Sort, EqualsAStableSort) {
  for_each_dtype(30, [&]<class T>(Random& random, DType dtype) {
    const Sample s = random.view(dtype, random.shape(1 + random.below(3), random.one_in(3) ? 300 : 6));
    const SortOptions o{.axis = random.below(s.view.rank()), .descending = random.one_in(2)};
    const Tensor order = garner::argsort(s.view, o), values = garner::sort(s.view, o);
    const auto from = lanes<T>(s.view, o.axis), sorted = lanes<T>(values, o.axis);
    const auto positions = lanes<Index>(order, o.axis);
    for (std::size_t k = 0; k < from.size(); ++k) {
      const std::vector<Index> wanted = plain_order(from[k], o.descending);
      EXPECT_EQ(positions[k], wanted);
      EXPECT_TRUE(same_bytes(sorted[k], taken(from[k], wanted)));
    }
    expect_into(order, [&](const MutableView& out) { garner::argsort_into(s.view, out, o); });
    expect_into(values, [&](const MutableView& out) { garner::sort_into(s.view, out, o); });
    ran({"sort", "argsort"}, dtype);
  });
}

/// Elements sorted without positions: signs of zeros and bits of NaN keep their order, on any number of threads.
TEST(Sort, LongLanesKeepWhatKeysDoNotTellApart) {
  for_each_dtype(1, [&]<class T>(Random& random, DType dtype) {
    for (const Index n : {127, 128, 5000, 70000}) {
      Tensor t = random.tensor(dtype, {n});
      for (Index i = 0; i < n; i += 2) t.as<T>()[i] = T(static_cast<float>(random.below(100)));
      if constexpr (std::is_same_v<T, float>)
        for (Index i = 0; i < n; i += 7)
          t.as<T>()[i] = std::bit_cast<float>(0x7f800001U + static_cast<std::uint32_t>(i));
      for (const bool descending : {false, true}) {
        const auto wanted = taken(elements<T>(t), plain_order(elements<T>(t), descending));
        for (const int threads : {1, 2, 7})
          ASSERT_TRUE(
              same_bytes(elements<T>(garner::sort(t, {.descending = descending}, {.threads = threads})), wanted));
      }
    }
  });
}

TEST(Sort, AnyNumberOfThreadsGivesTheSame) {
  Random random(2);
  for (const DType dtype : {DType::kU8, DType::kF32, DType::kF64, DType::kC128}) {
    const Sample s = random.view(dtype, {150000});
    const Tensor one = garner::argsort(s.view, {}, {.threads = 1});
    dispatch(dtype, [&]<class T>() { EXPECT_EQ(indices(one), plain_order(elements<T>(s.view), false)); });
    for (const int threads : {2, 3, 7}) EXPECT_TRUE(same_bits(one, garner::argsort(s.view, {}, {.threads = threads})));
  }
}

TEST(TopK, EqualsTheBeginningOfAStableSort) {
  for_each_dtype(30, [&]<class T>(Random& random, DType dtype) {
    const Sample s = random.view(dtype, random.shape(1 + random.below(3), random.one_in(3) ? 300 : 6));
    const TopKOptions o{.axis = random.below(s.view.rank()), .largest = random.one_in(2), .sorted = random.one_in(2)};
    const Index k = random.below(s.view.extent(o.axis) + 1);
    const garner::TopK best = garner::top_k(s.view, k, o);
    const auto from = lanes<T>(s.view, o.axis), values = lanes<T>(best.values, o.axis);
    const auto positions = lanes<Index>(best.indices, o.axis);
    for (std::size_t lane = 0; lane < from.size(); ++lane) {
      std::vector<Index> wanted = plain_order(from[lane], o.largest);
      wanted.resize(static_cast<std::size_t>(k));
      if (!o.sorted) std::sort(wanted.begin(), wanted.end());
      EXPECT_EQ(positions[lane], wanted);
      EXPECT_TRUE(same_bytes(values[lane], taken(from[lane], wanted)));
    }
    ran({"top_k"}, dtype);
  });
}

/// Lanes long enough to be filtered: falling, rising, random, with few different values and with many.
TEST(TopK, LongLanesEqualTheBeginningOfAStableSort) {
  for_each_dtype(3, [&]<class T>(Random& random, DType dtype) {
    for (const Index n : {64, 1000, 1023, 5000})
      for (const Index k : {Index{1}, Index{7}, Index{20}, n / 8}) {
        Tensor t = random.tensor(dtype, {n});
        if (const Index kind = random.below(3); kind > 0)
          for (Index i = 0; i < n; ++i) t.as<T>()[i] = T(static_cast<float>((kind == 1 ? i : n - i) / 40));
        const TopKOptions o{.largest = random.one_in(2), .sorted = random.one_in(2)};
        std::vector<Index> wanted = plain_order(elements<T>(t), o.largest);
        wanted.resize(static_cast<std::size_t>(k));
        if (!o.sorted) std::sort(wanted.begin(), wanted.end());
        const garner::TopK found = garner::top_k(t, k, o);
        ASSERT_EQ(indices(found.indices), wanted) << n << " " << k;
        ASSERT_TRUE(same_bytes(elements<T>(found.values), taken(elements<T>(t), wanted)));
      }
  });
}

TEST(TopK, IX6_IntoAndThreads) {
  Random random(9);
  const Sample s = random.view(DType::kF16, {40, 3000});
  const garner::TopK one = garner::top_k(s.view, 5, {}, {.threads = 1});
  for (const int threads : {2, 7})
    EXPECT_TRUE(same_bits(one.indices, garner::top_k(s.view, 5, {}, {.threads = threads}).indices));
  const Spread values(DType::kF16, {40, 5}), positions(DType::kI64, {40, 5});
  garner::top_k_into(s.view, 5, {values.view(), positions.view()});
  EXPECT_TRUE(same_bits(values.view(), one.values) && same_bits(positions.view(), one.indices));
  EXPECT_EQ(rule_of([&] { garner::top_k(s.view, 3001); }), "IX6");
  EXPECT_EQ(rule_of([&] { garner::top_k(s.view, -1); }), "IX6");
  EXPECT_EQ(rule_of([&] { garner::top_k(scalar(1), 1); }), "IX1");
  EXPECT_EQ(rule_of([&] { garner::sort(s.view, {.axis = 2}); }), "IX1");
}

TEST(Searchsorted, EqualsThePlainLoop) {
  for_each_dtype(30, [&]<class T>(Random& random, DType dtype) {
    const Sample unsorted = random.view(dtype, {random.below(40)});
    const Tensor sequence = garner::sort(unsorted.view);
    const Sample values = random.view(dtype, random.shape(random.below(3), 20));
    const Side side = random.one_in(2) ? Side::kLeft : Side::kRight;
    std::vector<Index> wanted;
    const auto in = elements<T>(sequence);
    for (const T& v : elements<T>(values.view))
      wanted.push_back(std::count_if(in.begin(), in.end(), [&](const T& x) {
        return side == Side::kLeft ? strictly_less(x, v) : !strictly_less(v, x);
      }));
    const Tensor found = garner::searchsorted(sequence, values.view, side);
    EXPECT_EQ(indices(found), wanted);
    expect_into(found, [&](const MutableView& out) { garner::searchsorted_into(sequence, values.view, out, side); });
    EXPECT_TRUE(same_bits(found, garner::bucketize(values.view, sequence, side)));
    expect_into(found, [&](const MutableView& out) { garner::bucketize_into(values.view, sequence, out, side); });
    ran({"searchsorted", "bucketize"}, dtype);
  });
}

TEST(Searchsorted, LongSequencesAndThreads) {
  Tensor sequence = value_or_throw(Tensor::empty(DType::kI32, {400000}));
  for (Index i = 0; i < sequence.elements(); ++i) sequence.as<std::int32_t>()[i] = static_cast<std::int32_t>(i / 3 * 2);
  Random random(4);
  Tensor values = value_or_throw(Tensor::empty(DType::kI32, {5000}));
  std::vector<Index> wanted;
  for (Index i = 0; i < values.elements(); ++i) {
    const auto v = static_cast<std::int32_t>(random.below(300000) - 10);
    values.as<std::int32_t>()[i] = v;
    const auto* begin = sequence.as<std::int32_t>();
    wanted.push_back(std::upper_bound(begin, begin + sequence.elements(), v) - begin);
  }
  for (const int threads : {1, 2, 7})
    EXPECT_EQ(indices(garner::searchsorted(sequence, values, Side::kRight, {.threads = threads})), wanted);
}

TEST(Searchsorted, IX3_IX5_Refusals) {
  EXPECT_EQ(rule_of([] { garner::searchsorted(tensor({{1}}), tensor({1})); }), "IX5");
  EXPECT_EQ(rule_of([] { garner::searchsorted(tensor({1}), tensor({1.0})); }), "IX3");
}

TEST(Unique, EqualsThePlainLoop) {
  for_each_dtype(30, [&]<class T>(Random& random, DType dtype) {
    const Sample s = random.view(dtype, random.shape(random.below(3), 12));
    const std::vector<T> values = elements<T>(s.view);
    std::vector<Index> first, counts, inverse(values.size());
    for (const Index i : plain_order(values, false)) {
      const auto at = static_cast<std::size_t>(i);
      if (first.empty() || !plain_equal(values[static_cast<std::size_t>(first.back())], values[at]))
        first.push_back(i), counts.push_back(0);
      ++counts.back(), inverse[at] = static_cast<Index>(first.size()) - 1;
    }
    const garner::Unique u = garner::unique(s.view);
    EXPECT_EQ(indices(u.index), first);
    EXPECT_EQ(indices(u.counts), counts);
    EXPECT_EQ(indices(u.inverse), inverse);
    EXPECT_TRUE(same_bytes(elements<T>(u.values), taken(values, first)));
    EXPECT_EQ(u.inverse.shape(), s.view.shape());
    ran({"unique"}, dtype);
  });
}

TEST(Unique, IntoWithRoomAndWithout) {
  const Tensor t = tensor({3, 1, 3, 2});
  for (const Index room : {5, 2}) {
    const Spread values(DType::kI32, {room}), index(DType::kI64, {room}), inverse(DType::kI64, {4}),
        counts(DType::kI64, {room});
    EXPECT_EQ(garner::unique_into(t, {values.view(), index.view(), inverse.view(), counts.view()}), 3);
    const std::vector<std::int32_t> wanted = room == 5 ? std::vector{1, 2, 3, 0, 0} : std::vector{1, 2};
    EXPECT_EQ(elements<std::int32_t>(values.view()), wanted);
    EXPECT_EQ(indices(inverse.view()), (std::vector<Index>{2, 0, 2, 1}));
  }
}

}  // namespace
}  // namespace garner::index
