// The tile functions of <garner/tile.cuh>, compiled for the CPU, against the dialect they are the inside of.
#include "garner/tile.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "garner/cutile.h"

namespace garner::tile {
namespace {

template <class T, int... kExtents>
Tile<T, kExtents...> made(std::initializer_list<T> values) {
  Tile<T, kExtents...> out;
  std::copy(values.begin(), values.end(), out.element);
  return out;
}

/// A tile as the dialect's tensor.
template <class T, int... kExtents>
View seen(const Tile<T, kExtents...>& tile) {
  return View(tile.element, {Index{kExtents}...});
}

template <class T, int... kExtents>
void expect_equal(const Tile<T, kExtents...>& is, const Tensor& wanted) {
  EXPECT_TRUE(same_bits(seen(is), wanted)) << garner::to_string(seen(is)) << "\n" << garner::to_string(wanted);
}

constexpr float kHundreds[] = {100, 101, 102, 103, 104, 105};

TEST(TileGather, CT8_CT14_PaddingOutside) {
  const Array<const float, 1> x{kHundreds, {6}, {1}};
  const auto index = made<int, 8>({0, 1, 2, 3, 4, 5, 6, 7});
  for (const float padding : {7.0F, INFINITY, -INFINITY})
    expect_equal(gather(x, index, Everywhere{}, padding),
                 cutile::gather(View(kHundreds, {6}), seen(index), {.padding_value = double{padding}}));
  const auto paddings = made<float, 8>({0, 1, 2, 3, 4, 5, 6, 7});
  expect_equal(gather(x, index, Everywhere{}, paddings),
               cutile::gather(View(kHundreds, {6}), seen(index), {.padding_value = seen(paddings)}));
}

TEST(TileGather, CT12_PaddingStretches) {
  const Array<const float, 1> x{kHundreds, {5}, {1}};
  const auto index = made<int, 2, 4>({0, 2, 4, 6, 1, 3, 5, 7});
  const auto padding = made<float, 4>({0, 1, 2, 3});
  const auto t = gather(x, index, Everywhere{}, padding);
  const float wanted[] = {100, 102, 104, 3, 101, 103, 2, 3};
  EXPECT_TRUE(std::equal(wanted, wanted + 8, t.element));
}

TEST(TileGather, CT11_CT16_MaskAndBounds) {
  const int data[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const Array<const int, 1> x{data, {10}, {1}};
  const auto index = made<int, 8>({0, 1, 15, 3, 4, 20, 6, 7});
  const auto mask = made<bool, 8>({true, true, true, false, true, true, false, true});
  const auto t = gather(x, index, mask, -1);
  const int wanted[] = {0, 1, -1, -1, 4, -1, -1, 7};
  EXPECT_TRUE(std::equal(wanted, wanted + 8, t.element));
}

TEST(TileGather, CT9_IndicesStretchToACommonShape) {
  float data[5 * 7];
  for (int i = 0; i < 35; ++i) data[i] = static_cast<float>(i);
  const Array<const float, 2> x{data, {5, 7}, {7, 1}};
  const auto rows = made<std::int64_t, 2, 3, 1>({0, 1, 4, 5, -1, 2});
  const auto columns = made<unsigned char, 2, 1, 2>({0, 6, 7, 3});
  const auto t = gather(x, indices(rows, columns), Everywhere{}, -5.0F);
  static_assert(std::is_same_v<decltype(t), const Tile<float, 2, 3, 2>>);
  expect_equal(t, cutile::gather(View(data, {5, 7}), {seen(rows), seen(columns)}, {.padding_value = -5.0}));
}

TEST(TileGather, CT15_NegativeIsOutside) {
  const Array<const float, 1> x{kHundreds, {6}, {1}};
  EXPECT_EQ(gather(x, made<int, 1>({-1}), Everywhere{}, 3.0F)[0], 3.0F);
  EXPECT_EQ(gather(x, made<std::uint64_t, 1>({UINT64_MAX}), Everywhere{}, 3.0F)[0], 3.0F);
}

TEST(TileGather, CT2_RankZero) {
  const float value = 42;
  EXPECT_EQ(gather(Array<const float, 0>{&value, {}, {}}, indices())[0], 42.0F);
}

TEST(TileGather, CT4_ANumberForATile) {
  const Array<const float, 1> x{kHundreds, {6}, {1}};
  EXPECT_EQ(gather(x, 4)[0], 104.0F);
  EXPECT_EQ((gather<Guard::kPromised, 3>(x, 2)[0]), 102.0F);
}

TEST(TileGather, CT20_StridesAndBoundsAreTheViews) {
  const Array<const float, 1> odd{kHundreds + 1, {3}, {2}}, backwards{kHundreds + 5, {6}, {-1}};
  const auto index = made<int, 4>({0, 1, 2, 3});
  expect_equal(gather(odd, index), cutile::gather(View(kHundreds + 1, {3}, {2}), seen(index)));
  expect_equal(gather(backwards, index), cutile::gather(View(kHundreds + 5, {6}, {-1}), seen(index)));
}

TEST(TileScatter, CTS1_BoundsOfTheView) {
  float y[] = {100, 101, 102, 103, 104, 105, 106, 107};
  scatter(Array<float, 1>{y, {5}, {1}}, made<int, 8>({0, 1, 2, 3, 4, 5, 6, 7}),
          made<float, 8>({10, 11, 12, 13, 14, 15, 16, 17}));
  const float wanted[] = {10, 11, 12, 13, 14, 105, 106, 107};
  EXPECT_TRUE(std::equal(wanted, wanted + 8, y));
}

TEST(TileScatter, CTS2_MaskAndANumber) {
  int y[4] = {};
  scatter(Array<int, 2>{y, {2, 2}, {2, 1}}, indices(made<int, 2, 1>({0, 1}), made<int, 2>({0, 1})), 9,
          made<bool, 2, 1>({false, true}));
  const int wanted[] = {0, 0, 9, 9};
  EXPECT_TRUE(std::equal(wanted, wanted + 4, y));
}

TEST(TileGather, RandomAgainstTheDialect) {
  std::mt19937 random(7);
  float data[9 * 11];
  for (float& v : data) v = static_cast<float>(random() % 1000);
  const Array<const float, 2> x{data, {9, 11}, {11, 1}};
  for (int round = 0; round < 200; ++round) {
    Tile<int, 4, 1> rows;
    Tile<std::int16_t, 8> columns;
    Tile<bool, 4, 8> mask;
    for (int& v : rows.element) v = static_cast<int>(random() % 13) - 2;
    for (auto& v : columns.element) v = static_cast<std::int16_t>(random() % 15 - 2);
    for (bool& v : mask.element) v = random() % 4 != 0;
    expect_equal(
        gather(x, indices(rows, columns), mask, 0.5F),
        cutile::gather(View(data, {9, 11}), {seen(rows), seen(columns)}, {.mask = seen(mask), .padding_value = 0.5}));
  }
}

}  // namespace
}  // namespace garner::tile
