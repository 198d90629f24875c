#include "garner/view.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace garner {
namespace {

constexpr Index kMax = std::numeric_limits<Index>::max();
constexpr Index kMin = std::numeric_limits<Index>::min();
alignas(64) constexpr char kSomewhere[64] = {};

/// The members of a rank-2 std::mdspan with strides, no more.
template <class T>
struct Mdspan {
  using element_type = T;
  T* pointer;
  std::array<int, 2> extents, strides;
  T* data_handle() const { return pointer; }
  static constexpr std::size_t rank() { return 2; }
  int extent(std::size_t a) const { return extents[a]; }
  int stride(std::size_t a) const { return strides[a]; }
};

TEST(View, RowMajor) {
  EXPECT_EQ(row_major({2, 3, 4}), (Axes{12, 4, 1}));
  EXPECT_EQ(row_major({}), Axes{});
  EXPECT_EQ(row_major({5}), Axes{1});
  EXPECT_EQ(row_major({2, 0, 3}), (Axes{3, 3, 1}));  // an empty axis counts as one, as in NumPy
}

TEST(View, RowMajorSaturates) { EXPECT_EQ(row_major({2, kMax, 2}), (Axes{kMax, 2, 1})); }

TEST(View, KeepsItsDevice) {
  const Device cuda{DeviceKind::kCuda, 1};
  const View v = View(DType::kI32, kSomewhere, {2, 3}).on(cuda);
  EXPECT_EQ(v.device(), cuda);
  EXPECT_EQ(v.seen_as({6}).device(), cuda);
  EXPECT_EQ(v.seen_as({2}, {3}, 1).device(), cuda);
  EXPECT_EQ(v.seen_as({2}, {3}, 1).data(), kSomewhere + 4);
  EXPECT_EQ(slice_at(v, 0, 1).device(), cuda);
  EXPECT_EQ(broadcast_to(v, {4, 2, 3})->device(), cuda);
  EXPECT_EQ(name(cuda), "cuda:1");
  EXPECT_EQ(name(Device{}), "cpu");
}

TEST(View, V9_OnlyWhereTheCpuReads) {
  const View v = View(DType::kI32, kSomewhere, {2, 3}).on({DeviceKind::kCuda, 0});
  EXPECT_TRUE(validate_anywhere(v, "x").ok());
  EXPECT_EQ(validate(v, "x").rule, "V9");
  EXPECT_EQ(validate(v, "x").message, "x: lies on cuda:0, allowed cpu");
}

TEST(View, FromPointer) {
  const std::array<float, 6> data{};
  const View v(data.data(), {2, 3}), column(data.data() + 1, {2}, {3});
  EXPECT_EQ(v.dtype(), DType::kF32);
  EXPECT_EQ(v.data(), data.data());
  EXPECT_EQ(v.stride(), (Axes{3, 1}));
  EXPECT_EQ(v.elements(), 6);
  EXPECT_EQ(column.stride(), Axes{3});
  EXPECT_EQ(column.data(), data.data() + 1);
}

TEST(View, FromSpanAndVector) {
  std::vector<std::int16_t> values{1, 2, 3};
  const View from_vector(values), from_span{std::span(values)}, fixed{std::span<std::int16_t, 2>(values.data(), 2)};
  EXPECT_EQ(from_vector.dtype(), DType::kI16);
  EXPECT_EQ(from_vector.shape(), Axes{3});
  EXPECT_EQ(from_span.data(), values.data());
  EXPECT_EQ(fixed.shape(), Axes{2});
  EXPECT_EQ(View(std::span<const std::int16_t>(values)).dtype(), DType::kI16);
}

TEST(View, FromMdspan) {
  std::array<double, 12> data{};
  const Mdspan<double> m{data.data(), {3, 2}, {1, 4}};
  static_assert(MdspanLike<Mdspan<double>>);
  const View v(m);
  EXPECT_EQ(v.dtype(), DType::kF64);
  EXPECT_EQ(v.shape(), (Axes{3, 2}));
  EXPECT_EQ(v.stride(), (Axes{1, 4}));
  EXPECT_EQ(v.data(), data.data());
}

TEST(MutableView, NeverFromConst) {
  static_assert(std::is_constructible_v<MutableView, const Mdspan<float>&>);
  static_assert(!std::is_constructible_v<MutableView, const Mdspan<const float>&>);
  static_assert(!std::is_constructible_v<MutableView, std::span<const float>>);
  static_assert(!std::is_constructible_v<MutableView, const std::vector<float>&>);
  static_assert(std::is_constructible_v<View, const Mdspan<const float>&>);
  std::vector<float> values(2);
  EXPECT_EQ(MutableView(values).mutable_data(), values.data());
}

TEST(View, RankZeroHasOneElement) {
  const View v(DType::kF32, kSomewhere, {});
  EXPECT_EQ(v.rank(), 0);
  EXPECT_EQ(v.elements(), 1);
  EXPECT_TRUE(validate(v, "x").ok());
}

struct Invalid {
  const char* what;
  View view;
  const char* rule;
};

TEST(Validate, ByRule) {
  const Invalid cases[] = {
      {"negative extent", View(DType::kF32, kSomewhere, {2, -1}), "V1"},
      {"negative beside empty", View(DType::kF32, kSomewhere, {0, -1}), "V1"},
      {"extents overflow", View(DType::kU8, kSomewhere, {Index{1} << 32, Index{1} << 31}), "V2"},
      {"bytes overflow", View(DType::kF64, kSomewhere, {Index{1} << 60}), "V2"},
      {"strides overflow", View(DType::kU8, kSomewhere, {3}, {kMax}), "V2"},
      {"strides overflow together", View(DType::kU8, kSomewhere, {2, 2}, {kMax / 2 + 1, kMax / 2 + 1}), "V2"},
      {"stride bytes overflow", View(DType::kF64, kSomewhere, {2}, {kMax / 8 + 1}), "V2"},
      {"the smallest stride", View(DType::kU8, kSomewhere, {2}, {kMin}), "V2"},
      {"a stride short", View(DType::kF32, kSomewhere, {2, 3}, {1}), "V3"},
      {"a stride too many", View(DType::kF32, kSomewhere, {}, {1}), "V3"},
      {"null", View(DType::kF32, nullptr, {2}), "V4"},
      {"null, rank 0", View(DType::kF32, nullptr, {}), "V4"},
      {"off by one", View(DType::kI16, kSomewhere + 1, {2}), "V8"},
      {"off by half", View(DType::kF64, kSomewhere + 4, {2}), "V8"},
      {"off by half, rank 0", View(DType::kC128, kSomewhere + 4, {}), "V8"},
  };
  for (const Invalid& c : cases) EXPECT_EQ(validate(c.view, "x").rule, c.rule) << c.what;
}

TEST(Validate, Allowed) {
  const View cases[] = {
      View(DType::kF32, nullptr, {0}),
      View(DType::kF32, nullptr, {3, 0, 2}),
      View(DType::kU8, nullptr, {kMax, kMax, 0}),      // empty: the product is 0
      View(DType::kU8, nullptr, {0, 2}, {kMin, kMax}),  // empty: no stride is ever taken
      View(DType::kU8, kSomewhere, {2, 2}, {0, -1}),
      View(DType::kU8, kSomewhere, {kMax}),
      View(DType::kU8, kSomewhere, {1}, {kMax}),
      View(DType::kU8, kSomewhere + 1, {2}),
      View(DType::kC128, kSomewhere + 8, {2}),  // two doubles
      View(DType::kF64, kSomewhere + 1, {0}),   // empty: nothing is read
      View(DType::kF64, kSomewhere, {2}, {kMax / 8 - 1}),
  };
  for (const View& v : cases) EXPECT_EQ(validate(v, "x").message, "") << v.rank();
}

TEST(Validate, MessageBeginsWithTheName) {
  EXPECT_EQ(validate(View(DType::kF32, nullptr, {2}), "lucid.gather: index").message,
            "lucid.gather: index: data is null, shape is [2]");
}

TEST(View, ElementsSaturate) { EXPECT_EQ(View(DType::kU8, kSomewhere, {kMax, 2}).elements(), kMax); }

TEST(SliceAt, FixesOneAxis) {
  const std::array<std::int32_t, 24> data{};
  const View v(data.data(), {2, 3, 4});
  const View s = slice_at(v, 1, 2);
  EXPECT_EQ(s.shape(), (Axes{2, 4}));
  EXPECT_EQ(s.stride(), (Axes{12, 1}));
  EXPECT_EQ(s.data(), data.data() + 8);
}

TEST(SliceAt, NegativeStrideAndRankOne) {
  const std::array<std::int32_t, 4> data{};
  const View reversed(data.data() + 3, {4}, {-1});
  const View s = slice_at(reversed, 0, 3);
  EXPECT_EQ(s.rank(), 0);
  EXPECT_EQ(s.data(), data.data());
}

TEST(SliceAt, EmptyWithoutMemory) {
  const View s = slice_at(View(DType::kF32, nullptr, {0, 3}), 1, 2);
  EXPECT_EQ(s.data(), nullptr);
  EXPECT_EQ(s.shape(), Axes{0});
}

struct Broadcast {
  Axes from, to;
  std::optional<Axes> stride;
};

TEST(BroadcastTo, Table) {
  const Broadcast cases[] = {
      {{}, {2, 3}, Axes{0, 0}},     {{}, {}, Axes{}},
      {{3}, {2, 3}, Axes{0, 1}},    {{2, 1}, {2, 3}, Axes{1, 0}},
      {{1, 3}, {4, 3}, Axes{0, 1}}, {{1}, {0}, Axes{0}},        // one stretches to none
      {{0}, {5, 0}, Axes{0, 1}},    {{0}, {1}, std::nullopt},   // but none never to one
      {{3}, {2}, std::nullopt},     {{2, 3}, {3}, std::nullopt},
      {{2}, {2, 3}, std::nullopt},
  };
  for (const Broadcast& c : cases) {
    const auto out = broadcast_to(View(DType::kU8, kSomewhere, c.from), c.to);
    ASSERT_EQ(out.ok(), c.stride.has_value()) << c.from.size() << " to " << c.to.size();
    if (!out.ok()) {
      EXPECT_EQ(out.status().rule, "V5");
      continue;
    }
    EXPECT_EQ(out->shape(), c.to);
    EXPECT_EQ(out->stride(), c.stride.value());
  }
}

TEST(BroadcastShapes, Table) {
  struct Case {
    std::vector<Axes> shapes;
    std::optional<Axes> out;
  };
  const Case cases[] = {
      {{}, Axes{}},
      {{{}}, Axes{}},
      {{{2, 3}, {}}, Axes{2, 3}},
      {{{3}, {2, 1}}, Axes{2, 3}},
      {{{1}, {0}}, Axes{0}},
      {{{0}, {1}}, Axes{0}},
      {{{4, 1, 3}, {2, 1}, {1, 1, 1}}, Axes{4, 2, 3}},
      {{{0}, {2}}, std::nullopt},
      {{{2}, {0}}, std::nullopt},
      {{{2, 3}, {2}}, std::nullopt},
  };
  for (const Case& c : cases) EXPECT_EQ(broadcast_shapes(c.shapes), c.out) << c.shapes.size();
}

}  // namespace
}  // namespace garner
