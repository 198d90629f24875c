#define GARNER_COMPRESSES_16
#include "device/cpu/test_targets.h"
#include "index/test_views.h"

namespace garner::index {
namespace {

template <class T>
bool plain_truth(T v) {
  return v != T(0);
}
bool plain_truth(Float8E4M3 v) { return static_cast<float>(v) != 0; }
bool plain_truth(Float8E5M2 v) { return static_cast<float>(v) != 0; }

template <class T>
std::vector<Axes> plain(const View& view) {
  std::vector<Axes> out;
  const std::vector<T> values = elements<T>(view);
  std::size_t i = 0;
  walk_positions(view.shape(), [&](const Axes& at) {
    if (plain_truth(values[i++])) out.push_back(at);
  });
  return out;
}

/// Positions as a result lays them out, padded with -7 or cut to the capacity.
std::vector<Index> laid_out(std::vector<Axes> positions, Index rank, const NonzeroOptions& o) {
  positions.resize(static_cast<std::size_t>(o.capacity.value_or(static_cast<Index>(positions.size()))),
                   Axes(static_cast<std::size_t>(rank), o.fill));
  std::vector<Index> out;
  if (o.layout == Layout::kRows) {
    for (const Axes& at : positions) out.insert(out.end(), at.begin(), at.end());
  } else {
    for (std::size_t a = 0; a < static_cast<std::size_t>(rank); ++a)
      for (const Axes& at : positions) out.push_back(at[a]);
  }
  return out;
}

TEST(Nonzero, EqualsThePlainLoop) {
  for_each_dtype(40, [&]<class T>(Random& random, DType dtype) {
    const Sample s = random.view(dtype, random.shape(random.below(5), random.one_in(6) ? 40 : 5));
    NonzeroOptions o{.layout = random.one_in(2) ? Layout::kRows : Layout::kColumns, .capacity = {}, .fill = -7};
    if (random.one_in(2)) o.capacity = random.below(30);
    const std::vector<Axes> wanted = plain<T>(s.view);
    const Tensor found = garner::nonzero(s.view, o);
    EXPECT_EQ(indices(found), laid_out(wanted, s.view.rank(), o));
    expect_into(found, [&](const MutableView& out) {
      EXPECT_EQ(garner::nonzero_into(s.view, out, o), static_cast<Index>(wanted.size()));
    });
    ran({"nonzero"}, dtype);
  });
}

TEST(Nonzero, FlatPositionsEqualThePlainLoop) {
  for_each_dtype(20, [&]<class T>(Random& random, DType dtype) {
    const Sample s = random.view(dtype, random.shape(random.below(4), 9));
    std::vector<Index> wanted;
    const std::vector<T> values = elements<T>(s.view);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (plain_truth(values[i])) wanted.push_back(static_cast<Index>(i));
    const Tensor found = garner::flatnonzero(s.view);
    EXPECT_EQ(indices(found), wanted);
    expect_into(found, [&](const MutableView& out) { garner::flatnonzero_into(s.view, out); });
    EXPECT_EQ(indices(garner::count_nonzero(s.view)), (std::vector<Index>{static_cast<Index>(wanted.size())}));
    ran({"flatnonzero", "count_nonzero"}, dtype);
  });
}

TEST(Nonzero, CountsPerLaneEqualThePlainLoop) {
  for_each_dtype(20, [&]<class T>(Random& random, DType dtype) {
    const Sample s = random.view(dtype, random.shape(1 + random.below(3), 9));
    const CountOptions o{.axis = random.below(s.view.rank()), .keepdims = random.one_in(2)};
    std::vector<Index> wanted;
    for_each_lane<T>(s.view, *o.axis, [&](const std::vector<T>& lane, Index) {
      wanted.push_back(std::count_if(lane.begin(), lane.end(), [](T v) { return plain_truth(v); }));
    });
    const Tensor found = garner::count_nonzero(s.view, o);
    EXPECT_EQ(indices(found), wanted);
    expect_into(found, [&](const MutableView& out) { garner::count_nonzero_into(s.view, out, o); });
  });
}

TEST(Nonzero, BlockEdges) {
  for (const Index n : {0, 1, 7, 8, 15, 16, 17, 4095, 4096, 4097, 70000}) {
    Random random(static_cast<unsigned>(n));
    Tensor t = value_or_throw(Tensor::zeros(DType::kU8, {n}));
    std::vector<Index> wanted;
    for (Index i = 0; i < n; ++i)
      if (random.one_in(3))
        t.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(1 + random.below(255)), wanted.push_back(i);
    for (const int threads : {1, 2, 7}) EXPECT_EQ(indices(garner::flatnonzero(t, {}, {.threads = threads})), wanted);
  }
}

TEST(Nonzero, EveryTailEqualsThePlainLoop) {
  for_each_dtype(1, [&]<class T>(Random& random, DType dtype) {
    for (Index n = 0; n < 4300; n += n < 140 || n > 4080 ? 1 : 131) {
      const Tensor t = random.tensor(dtype, {n});
      std::vector<Index> wanted;
      for (Index i = 0; i < n; ++i)
        if (plain_truth(t.as<T>()[i])) wanted.push_back(i);
      ASSERT_EQ(indices(garner::flatnonzero(t)), wanted) << n;
    }
  });
}

/// About one in `rarity` is true.
Tensor rare(Random& random, const Axes& shape, Index rarity) {
  Tensor t = value_or_throw(Tensor::zeros(DType::kF32, shape));
  for (Index i = 0; i < t.elements(); ++i)
    if (random.one_in(rarity)) t.as<float>()[i] = NAN;
    else if (random.one_in(2)) t.as<float>()[i] = -0.0F;
  return t;
}

TEST(Nonzero, ShortAndLongRowsEqualThePlainLoop) {
  Random random(17);
  for (const Axes& shape : std::vector<Axes>{{9000, 1},
                                             {3000, 3},
                                             {1, 1, 9000},
                                             {2, 4095},
                                             {3, 4096},
                                             {3, 4097},
                                             {2, 9001},
                                             {5000, 1, 2},
                                             {7, 5, 3, 129},
                                             {2, 4097, 2},
                                             {41, 3, 2, 5, 7},
                                             {4096, 5},
                                             {1, 4097, 1, 3, 1},
                                             {2, 2, 4100},
                                             {2, 1, 2, 4097},
                                             {1, 2, 1, 2, 4500}})
    for (const Index rarity : {1, 2, 10, 60, 3000})
      for (const Layout layout : {Layout::kRows, Layout::kColumns}) {
        const Tensor t = rare(random, shape, rarity);
        const NonzeroOptions o{.layout = layout};
        const std::vector<Index> wanted = laid_out(plain<float>(t), t.rank(), o);
        for (const int threads : {1, 2, 7}) ASSERT_EQ(indices(garner::nonzero(t, o, {.threads = threads})), wanted);
      }
}

/// Blocks with few and with many ones, in turn, as each SIMD target finds them; enough to go past the caches.
TEST(Nonzero, EveryTargetEqualsThePlainLoop) {
  Random random(23);
  Tensor t = value_or_throw(Tensor::zeros(DType::kBool, {3, 300000}));
  for (Index i = 0; i < t.elements(); ++i)
    t.as<std::uint8_t>()[i] =
        random.one_in(std::array<Index, 5>{200, 2, 20, 8, 1}[static_cast<std::size_t>(i / 9000 % 5)]);
  const std::vector<Index> wanted = laid_out(plain<Bool>(t), 2, {});
  for_each_target([&] {
    for (const int threads : {1, 3}) EXPECT_EQ(indices(garner::nonzero(t, {}, {.threads = threads})), wanted);
    EXPECT_EQ(indices(garner::count_nonzero(t)), (std::vector<Index>{static_cast<Index>(wanted.size() / 2)}));
  });
}

/// Large results are streamed past the caches, from whatever address they begin at.
TEST(Nonzero, LargeResultsAtAnyAddress) {
  const Index rows = 300, columns = 4099, n = rows * columns;
  Tensor t = value_or_throw(Tensor::zeros(DType::kU8, {rows, columns}));
  std::fill_n(t.as<std::uint8_t>(), n, std::uint8_t{1});
  std::vector<Index> memory(static_cast<std::size_t>(2 * n + 8));
  for (const Index skip : {0, 1, 5}) {
    Index* first = memory.data() + skip;
    EXPECT_EQ(garner::nonzero_into(t, MutableView(first, {n, 2}), {}, {.threads = 3}), n);
    for (Index i = 0; i < n; ++i) ASSERT_TRUE(first[2 * i] == i / columns && first[2 * i + 1] == i % columns) << i;
    EXPECT_EQ(garner::nonzero_into(t, MutableView(first, {2, n}), {.layout = Layout::kColumns}, {.threads = 3}), n);
    for (Index i = 0; i < n; ++i) ASSERT_TRUE(first[i] == i / columns && first[n + i] == i % columns) << i;
  }
}

TEST(Nonzero, AnyNumberOfThreadsGivesTheSame) {
  Random random(11);
  const Sample s = random.view(DType::kF32, {90, 70, 50});
  const Tensor one = garner::nonzero(s.view, {}, {.threads = 1});
  for (const int threads : {2, 7}) EXPECT_TRUE(same_bits(one, garner::nonzero(s.view, {}, {.threads = threads})));
}

TEST(Nonzero, IX6_CapacityAndLayout) {
  EXPECT_EQ(rule_of([] { garner::nonzero(tensor({1, 0}), {.capacity = -1}); }), "IX6");
  EXPECT_EQ(rule_of([] { garner::count_nonzero(tensor({1, 0}), {.axis = 1}); }), "IX1");
  EXPECT_EQ(garner::nonzero(scalar(5)).shape(), (Axes{1, 0}));
  EXPECT_EQ(garner::nonzero(scalar(0), {.layout = Layout::kColumns}).shape(), (Axes{0, 0}));
  std::vector<Index> out(3);
  EXPECT_EQ(rule_of([&] { garner::nonzero_into(tensor({1, 0}), out); }), "IX2");
}

}  // namespace
}  // namespace garner::index
