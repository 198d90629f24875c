// DN1–DN10 where a conformance case cannot say it: ranges, fill forms, exceptions, the original names, and every dtype
// against a plain loop.
#include <gmock/gmock.h>

#include "garner/deepnet.h"
#include "index/test_views.h"

namespace garner::deepnet {
namespace {

using index::elements;
using index::for_each_dtype;
using index::for_each_lane;
using index::indices;
using index::plain_nan;
using index::Random;
using index::rule_of;
using index::Sample;
using ::testing::ElementsAre;

TEST(Deepnet, DN1_AllIdxIsARange) {
  std::vector<Axes> seen;
  for (const Axes& at : all_idx(tensor({{1, 2, 3}, {4, 5, 6}}))) seen.push_back(at);
  EXPECT_THAT(seen, ElementsAre(Axes{0, 0}, Axes{0, 1}, Axes{0, 2}, Axes{1, 0}, Axes{1, 1}, Axes{1, 2}));
  Index empty = 0, one = 0;
  for (const Axes& at : allIdx(View(DType::kF32, nullptr, {3, 0}))) empty += 1 + static_cast<Index>(at.size());
  for (const Axes& at : allIdx(scalar(1))) one += 1 + static_cast<Index>(at.size());
  EXPECT_EQ(empty, 0);
  EXPECT_EQ(one, 1);
  static_assert(std::ranges::input_range<AllIdx>);
}

TEST(Deepnet, DN1_NothingIsMaterialised) {
  const Index huge = Index{1} << 40;
  auto range = all_idx(View(DType::kI8, nullptr, {huge, 2}));
  auto it = range.begin();
  ++it, ++it;
  EXPECT_EQ(*it, (Axes{1, 0}));
}

TEST(Deepnet, DN1_DimensionsAndElements) {
  const Tensor a = tensor({{1, 2, 3}, {4, 5, 6}});
  std::vector<Index> along;
  for (const Index i : all_idx_of_dim(1, a)) along.push_back(i);
  EXPECT_THAT(along, ElementsAre(0, 1, 2));
  EXPECT_EQ(rule_of([&] { all_idx_of_dim(2, a); }), "DN4");
  EXPECT_EQ(rule_of([&] { allIdxOfDim(-1, a); }), "DN4");
  std::vector<int> seen;
  for (const int v : all_elems<int>(View(a.as<int>() + 5, {3, 2}, {-1, -3}))) seen.push_back(v);
  EXPECT_THAT(seen, ElementsAre(6, 3, 5, 2, 4, 1));
  EXPECT_EQ(rule_of([&] { allElems<float>(a); }), "DN0");
}

TEST(Deepnet, DN2_DN3_CoordinatesAndExceptions) {
  const Tensor a = tensor({{1.0, 2.0, 3.0, 4.0}, {5.0, 6.0, 7.0, 8.0}});
  EXPECT_THAT(argMax(a), ElementsAre(1, 3));
  EXPECT_THAT(argMin(a), ElementsAre(0, 0));
  EXPECT_EQ(to_string(argMax(a)), "[1L; 3L]");
  EXPECT_THROW(arg_max(View(DType::kF64, nullptr, {0})), ArgumentError);
  EXPECT_THROW(arg_min(tensor({NAN, NAN})), ArgumentError);
}

TEST(Deepnet, DN4_DN5_DN24_AxisFormsAndFill) {
  const Tensor a = tensor({{1.0, 2.0, 3.0, 4.0}, {5.0, 6.0, 7.0, 8.0}});
  EXPECT_TRUE(same_bits(argMaxAxis(1, a), tensor<Index>({3, 3})));
  EXPECT_TRUE(same_bits(argMinAxis(1, a), tensor<Index>({0, 0})));
  std::vector<Index> target(2, 9);
  FillArgMaxAxis(target, 1, a);
  EXPECT_THAT(target, ElementsAre(3, 3));
  FillArgMinAxis(target, 1, a);
  EXPECT_THAT(target, ElementsAre(0, 0));
  FillFindAxis(target, scalar(7.0), 1, a);
  EXPECT_THAT(target, ElementsAre(NotFound, 2));
  FillCountTrueAxis(target, 1, tensor({{true, true}, {false, true}}));
  EXPECT_THAT(target, ElementsAre(2, 1));
  EXPECT_EQ(rule_of([&] { FillArgMaxAxis(target, 0, a); }), "IX2");
  EXPECT_EQ(rule_of([&] { argMaxAxis(-1, a); }), "DN4");
  EXPECT_EQ(rule_of([&] { countTrueAxis(1, tensor({true})); }), "DN4");
}

TEST(Deepnet, DN6_DN7_DN8_DN9_Find) {
  const Tensor a = tensor({{1.0, 2.0, 3.0, 4.0}, {5.0, 6.0, 7.0, 3.0}});
  EXPECT_EQ(to_string(tryFind(3.0, a)), "Some [0L; 2L]");
  EXPECT_EQ(to_string(try_find(9.0, a)), "None");
  EXPECT_THAT(find(6.0, a), ElementsAre(1, 1));
  EXPECT_THROW(find(9.0, a), ArgumentError);
  EXPECT_THROW(find(3.0F, a), TypeError);
  EXPECT_TRUE(same_bits(findAxis(3.0, 1, a), tensor<Index>({2, 3})));
  EXPECT_EQ(kNotFound, -9223372036854775804);
  EXPECT_EQ(try_find(NAN, tensor({NAN, 1.0F})), std::nullopt);
}

TEST(Deepnet, DN10_TrueIdxAndCounts) {
  const Tensor b = tensor({{true, false, true, false}, {false, true, true, false}});
  EXPECT_TRUE(same_bits(trueIdx(b), tensor<Index>({{0, 0}, {0, 2}, {1, 1}, {1, 2}})));
  EXPECT_EQ(countTrue(b), 4);
  EXPECT_TRUE(same_bits(countTrueAxis(1, b), tensor<Index>({2, 2})));
  EXPECT_EQ(trueIdx(tensor({{false}})).shape(), (Axes{0, 2}));
}

TEST(Deepnet, DNM1_DNM2_MaskedGetAndSet) {
  Tensor a = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor m = tensor({{true, true, false}, {false, false, true}}), m0 = tensor({true, false}),
               m1 = tensor({false, false, true});
  EXPECT_TRUE(same_bits(M(a, {m}), tensor({1, 2, 6})));
  EXPECT_TRUE(same_bits(M(a, {m0, m1}), tensor({{3}})));
  EXPECT_TRUE(same_bits(M(a, {m0, NoMask}), tensor({{1, 2, 3}})));
  SetM(a.view(), {m}, tensor({8, 9, 0}));
  EXPECT_TRUE(same_bits(a, tensor({{8, 9, 3}, {4, 5, 0}})));
  masked_set(a.view(), {no_mask, m1}, scalar(7));
  EXPECT_TRUE(same_bits(a, tensor({{8, 9, 7}, {4, 5, 7}})));
  EXPECT_EQ(rule_of([&] { SetM(a.view(), {m}, tensor({8, 9})); }), "DNM2");
  EXPECT_EQ(rule_of([&] { SetM(a.view(), {m}, tensor({8.0})); }), "DN0");
  EXPECT_TRUE(same_bits(ifThenElse(m, a, scalar(0)), tensor({{8, 9, 0}, {0, 0, 7}})));
}

template <class T>
Index plain_extreme(const std::vector<T>& lane, bool max) {
  Index best = kNotFound;
  for (std::size_t i = 0; i < lane.size(); ++i) {
    if (plain_nan(lane[i])) continue;
    const bool first = best == kNotFound;
    const auto at = static_cast<std::size_t>(first ? 0 : best);
    if (first || (max ? index::plain_less(lane[at], lane[i]) : index::plain_less(lane[i], lane[at])))
      best = static_cast<Index>(i);
  }
  return best;
}

template <class T>
Index plain_find(const std::vector<T>& lane, T value) {
  for (std::size_t i = 0; i < lane.size(); ++i)
    if (!plain_nan(value) && !plain_nan(lane[i]) && index::plain_equal(lane[i], value)) return static_cast<Index>(i);
  return kNotFound;
}

TEST(Deepnet, DN4_DN5_DN8_AxisFunctionsEqualThePlainLoop) {
  for_each_dtype(40, [&]<class T>(Random& random, DType dtype) {
    const Sample s = random.view(dtype, random.shape(1 + random.below(3), random.one_in(4) ? 40 : 5));
    const Sample value = random.view(dtype, {});
    const Index axis = random.below(s.view.rank());
    std::vector<Index> largest, smallest, found;
    for_each_lane<T>(s.view, axis, [&](const std::vector<T>& lane, Index) {
      largest.push_back(plain_extreme(lane, true));
      smallest.push_back(plain_extreme(lane, false));
      found.push_back(plain_find(lane, elements<T>(value.view)[0]));
    });
    EXPECT_EQ(indices(arg_max_axis(axis, s.view)), largest);
    EXPECT_EQ(indices(arg_min_axis(axis, s.view)), smallest);
    EXPECT_EQ(indices(find_axis(value.view, axis, s.view)), found);
  });
}

TEST(Deepnet, DN2_DN6_WholeTensorFunctionsEqualThePlainLoop) {
  for_each_dtype(40, [&]<class T>(Random& random, DType dtype) {
    const Sample s = random.view(dtype, random.shape(random.below(4), 5)), value = random.view(dtype, {});
    std::vector<Axes> positions;
    for (const Axes& at : all_idx(s.view)) positions.push_back(at);
    const auto all = elements<T>(s.view);
    const Index found = plain_find(all, elements<T>(value.view)[0]), largest = plain_extreme(all, true);
    const auto at = [&](Index i) {
      return i == kNotFound ? std::nullopt : std::optional(positions[static_cast<std::size_t>(i)]);
    };
    EXPECT_EQ(try_find(value.view, s.view), at(found));
    if (largest == kNotFound) EXPECT_EQ(rule_of([&] { arg_max(s.view); }), "DN3");
    else EXPECT_EQ(std::optional(arg_max(s.view)), at(largest));
  });
}

TEST(Deepnet, DN2_DN6_DN10_AnyNumberOfThreadsGivesTheSame) {
  Random random(21);
  Tensor t = value_or_throw(Tensor::empty(DType::kI32, {600, 700}));
  for (Index i = 0; i < t.elements(); ++i) t.as<std::int32_t>()[i] = static_cast<std::int32_t>(random.below(50000));
  const Tensor value = scalar(t.as<std::int32_t>()[333333]);
  for (const int threads : {2, 7}) {
    const RunOptions many{.threads = threads}, one{.threads = 1};
    EXPECT_EQ(arg_max(t, many), arg_max(t, one));
    EXPECT_EQ(find(value, t, many), find(value, t, one));
    EXPECT_TRUE(same_bits(find_axis(value, 0, t, many), find_axis(value, 0, t, one)));
    EXPECT_TRUE(same_bits(find_axis(value, 1, t, many), find_axis(value, 1, t, one)));
  }
}

}  // namespace
}  // namespace garner::deepnet
