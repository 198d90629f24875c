#include "index/test_views.h"

namespace garner::index {
namespace {

template <class T>
bool same_bytes(const View& view, const std::vector<T>& wanted) {
  const std::vector<T> is = elements<T>(view);
  return is.size() == wanted.size() &&
         (is.empty() || std::memcmp(is.data(), wanted.data(), is.size() * sizeof(T)) == 0);
}

/// The shape with some axes of extent 1 and perhaps without the first ones: it broadcasts back.
Axes shrunk(Random& random, const Axes& shape) {
  Axes out(shape.begin() + random.below(static_cast<Index>(shape.size()) + 1), shape.end());
  for (Index& n : out)
    if (random.one_in(4)) n = 1;
  return out;
}

View wide(const View& view, const Axes& shape) { return value_or_throw(broadcast_to(view, shape)); }

template <class T>
std::vector<T> chosen(const std::vector<Bool>& mask, const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> out;
  for (std::size_t i = 0; i < mask.size(); ++i) out.push_back(mask[i] ? a[i] : b[i]);
  return out;
}

TEST(Masked, WhereAndFillEqualThePlainLoop) {
  for_each_dtype(20, [&]<class T>(Random& random, DType dtype) {
    const Axes shape = random.shape(random.below(4), 5);
    const Sample mask = random.view(DType::kBool, shrunk(random, shape)), a = random.view(dtype, shrunk(random, shape));
    const Sample b = random.view(dtype, shape), value = random.view(dtype, {});
    const auto m = elements<Bool>(wide(mask.view, shape));
    const auto left = elements<T>(wide(a.view, shape)), right = elements<T>(b.view);
    const Tensor both = garner::where(mask.view, a.view, b.view);
    EXPECT_TRUE(same_bytes(both, chosen(m, left, right)));
    expect_into(both, [&](const MutableView& out) { garner::where_into(mask.view, a.view, b.view, out); });
    const Tensor filled = garner::masked_fill(b.view, mask.view, value.view);
    EXPECT_TRUE(same_bytes(filled, chosen(m, elements<T>(wide(value.view, shape)), right)));
    expect_into(filled, [&](const MutableView& out) { garner::masked_fill_into(b.view, mask.view, value.view, out); });
    ran({"where", "masked_fill"}, dtype);
  });
}

TEST(Masked, SelectAndScatterEqualThePlainLoop) {
  for_each_dtype(20, [&]<class T>(Random& random, DType dtype) {
    const Axes shape = random.shape(random.below(4), 5);
    const Sample mask = random.view(DType::kBool, shrunk(random, shape)), a = random.view(dtype, shape);
    const auto m = elements<Bool>(wide(mask.view, shape));
    const Sample source = random.view(dtype, {static_cast<Index>(m.size()) + 2});
    std::vector<T> taken, put = elements<T>(a.view);
    const std::vector<T> values = put, from = elements<T>(source.view);
    for (std::size_t i = 0; i < m.size(); ++i)
      if (m[i]) put[i] = from[taken.size()], taken.push_back(values[i]);
    const Tensor selected = garner::masked_select(a.view, mask.view);
    EXPECT_TRUE(same_bytes(selected, taken));
    expect_into(selected, [&](const MutableView& out) { garner::masked_select_into(a.view, mask.view, out); });
    const Tensor scattered = garner::masked_scatter(a.view, mask.view, source.view);
    EXPECT_TRUE(same_bytes(scattered, put));
    expect_into(scattered,
                [&](const MutableView& out) { garner::masked_scatter_into(a.view, mask.view, source.view, out); });
    ran({"masked_select", "masked_scatter"}, dtype);
  });
}

TEST(Masked, CompressEqualsThePlainLoop) {
  for_each_dtype(20, [&]<class T>(Random& random, DType dtype) {
    const Sample a = random.view(dtype, random.shape(1 + random.below(3), 6));
    CompressOptions o;
    if (random.one_in(2)) o.axis = random.below(a.view.rank());
    const Index extent = o.axis ? a.view.extent(*o.axis) : a.view.elements();
    const Sample condition = random.view(DType::kBool, {random.below(extent + 1)});
    const Tensor flat = value_or_throw(contiguous(a.view));
    const View source = o.axis ? a.view : View(dtype, flat.data(), {flat.elements()});
    const auto keep = elements<Bool>(condition.view);
    const Tensor out = garner::compress(a.view, condition.view, o);
    std::vector<std::vector<T>> lanes;
    for_each_lane<T>(out, o.axis.value_or(0), [&](const std::vector<T>& lane, Index) { lanes.push_back(lane); });
    for_each_lane<T>(source, o.axis.value_or(0), [&](const std::vector<T>& lane, Index k) {
      std::vector<T> wanted;
      for (std::size_t i = 0; i < keep.size(); ++i)
        if (keep[i]) wanted.push_back(lane[i]);
      const std::vector<T>& is = lanes[static_cast<std::size_t>(k)];
      ASSERT_EQ(is.size(), wanted.size());
      EXPECT_TRUE(is.empty() || std::memcmp(is.data(), wanted.data(), is.size() * sizeof(T)) == 0);
    });
    expect_into(out, [&](const MutableView& to) { garner::compress_into(a.view, condition.view, to, o); });
    ran({"compress"}, dtype);
  });
}

TEST(Masked, CompressWithACapacity) {
  const Tensor a = tensor({{1, 2, 3}, {4, 5, 6}}), condition = tensor({true, false, true}), fill = scalar(-1);
  EXPECT_TRUE(same_bits(garner::compress(a, condition, {.axis = 1, .capacity = 3, .fill = fill}),
                        tensor({{1, 3, -1}, {4, 6, -1}})));
  EXPECT_TRUE(same_bits(garner::compress(a, condition, {.axis = -1, .capacity = 1}), tensor({{1}, {4}})));
  std::vector<int> out(4, 9);
  EXPECT_EQ(garner::compress_into(a, condition, MutableView(out.data(), {4})), 2);
  EXPECT_EQ(out, (std::vector<int>{1, 3, 0, 0}));
}

TEST(Masked, InPlaceAndThreads) {
  Random random(8);
  const Sample mask = random.view(DType::kBool, {300, 1000}), source = random.view(DType::kF32, {300000});
  Tensor a = value_or_throw(contiguous(random.view(DType::kF32, {300, 1000}).view));
  const Tensor one = garner::masked_scatter(a, mask.view, source.view, {.threads = 1});
  const Tensor some = garner::masked_select(a, mask.view, {.threads = 1});
  for (const int threads : {2, 7}) {
    EXPECT_TRUE(same_bits(one, garner::masked_scatter(a, mask.view, source.view, {.threads = threads})));
    EXPECT_TRUE(same_bits(some, garner::masked_select(a, mask.view, {.threads = threads})));
  }
  garner::masked_scatter_into(a, mask.view, source.view, a.view());
  EXPECT_TRUE(same_bits(one, a));
}

TEST(Masked, IX3_IX5_Refusals) {
  const Tensor a = tensor({1, 2, 3}), m = tensor({true, false, true}), f = tensor({1.0});
  EXPECT_EQ(rule_of([&] { garner::where(a, a, a); }), "IX3");
  EXPECT_EQ(rule_of([&] { garner::where(m, a, f); }), "IX3");
  EXPECT_EQ(rule_of([&] { garner::where(m, a, tensor({1, 2})); }), "IX5");
  EXPECT_EQ(rule_of([&] { garner::masked_fill(a, tensor({true, false}), scalar(1)); }), "IX5");
  EXPECT_EQ(rule_of([&] { garner::masked_select(a, a); }), "IX3");
  EXPECT_EQ(rule_of([&] { garner::masked_scatter(a, m, tensor({1})); }), "IX5");
  EXPECT_EQ(rule_of([&] { garner::masked_scatter(a, m, f); }), "IX3");
  EXPECT_EQ(rule_of([&] { garner::compress(a, tensor({true, true, true, true})); }), "IX5");
  EXPECT_EQ(rule_of([&] { garner::compress(a, m, {.axis = 1}); }), "IX1");
  EXPECT_EQ(rule_of([&] { garner::compress(a, m, {.fill = f}); }), "IX3");
  EXPECT_EQ(rule_of([&] { garner::compress(a, m, {.capacity = -2}); }), "IX6");
}

}  // namespace
}  // namespace garner::index
