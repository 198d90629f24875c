// Axes beside the std::vector that it stands for, on both sides of the room inside.
#include "garner/axes.h"

#include <gtest/gtest.h>

#include <random>

#include "garner/view.h"

namespace garner {
namespace {

using List = std::vector<Index>;

void expect_same(const Axes& a, const List& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(List(a), b);
  EXPECT_EQ(a, Axes(b));
  EXPECT_GE(a.capacity(), a.size());
  EXPECT_EQ(a.empty(), b.empty());
  EXPECT_TRUE(std::equal(a.rbegin(), a.rend(), b.rbegin(), b.rend()));
}

using Step = void (*)(std::mt19937& random, Axes& a, List& b, std::ptrdiff_t at, std::ptrdiff_t end);

Index some(std::mt19937& random) { return static_cast<Index>(random() % 100); }

/// The same for both; [at, end) is a part of them.
const Step kSteps[] = {
    [](auto& random, Axes& a, List& b, auto, auto) { a.push_back(some(random)), b.push_back(a.back()); },
    [](auto& random, Axes& a, List& b, auto, auto) { a.resize(random() % 9, 8), b.resize(a.size(), 8); },
    [](auto& random, Axes& a, List& b, auto at, auto) {
  b.insert(b.begin() + at, *a.insert(a.begin() + at, some(random)));
},
    [](auto&, Axes& a, List& b, auto at, auto) { a.insert(a.begin() + at, 3, 7), b.insert(b.begin() + at, 3, 7); },
    [](auto&, Axes& a, List& b, auto at, auto) { a.insert(a.begin() + at, {5, 6}), b.insert(b.begin() + at, {5, 6}); },
    [](auto&, Axes& a, List& b, auto at, auto end) {
  a.erase(a.begin() + at, a.begin() + end), b.erase(b.begin() + at, b.begin() + end);
},
    [](auto&, Axes& a, List& b, auto at, auto end) {
  a.assign(a.begin() + at, a.begin() + end), b = List(b.begin() + at, b.begin() + end);
},
    [](auto&, Axes& a, List& b, auto, auto) { a.assign(2, 4), b.assign(2, 4); },
    [](auto& random, Axes& a, List&, auto, auto) { a.reserve(random() % 12); },
    [](auto&, Axes& a, List& b, auto, auto) {
  if (!b.empty()) a.pop_back(), b.pop_back();
},
    [](auto&, Axes& a, List& b, auto, auto) {  // one of its own, which may move
  if (!b.empty()) a.push_back(a.front()), b.push_back(b.front());
},
};

void step(std::mt19937& random, Axes& a, List& b) {
  const auto below = [&](std::size_t n) { return static_cast<std::ptrdiff_t>(random() % n); };
  const auto at = below(b.size() + 1), end = at + below(b.size() + 1 - static_cast<std::size_t>(at));
  kSteps[random() % std::size(kSteps)](random, a, b, at, end);
}

TEST(Axes, DoAsVectorsDo) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int run = 0; run < 200; ++run) {
    Axes a;
    List b;
    for (int k = 0; k < 50; ++k) {
      step(random, a, b);
      ASSERT_NO_FATAL_FAILURE(expect_same(a, b));
    }
  }
}

TEST(Axes, AreCopiedMovedAndSwapped) {
  for (const std::size_t n : {0, 1, 5, 6, 40})
    for (const std::size_t m : {0, 2, 5, 7, 50}) {
      const Axes first(n, 3), second(m, 4);
      Axes a = first, b = second;
      a = b;
      EXPECT_EQ(a, second);
      a = *&a;
      EXPECT_EQ(a, second);
      swap(a, b = first);
      EXPECT_EQ(a, first);
      EXPECT_EQ(b, second);
      a = std::move(b);
      EXPECT_EQ(a, second);
      b = first;  // what was taken from can be given something again
      const Axes c = std::move(b);
      EXPECT_EQ(c, first);
      EXPECT_EQ(first <=> second, List(n, 3) <=> List(m, 4));
    }
}

/// What code that was written for std::vector does with a shape.
TEST(Axes, GoWhereVectorsGo) {
  const Axes shape{2, 3};
  EXPECT_TRUE((shape == List{2, 3} && List{2, 3} == shape && shape != List{2}));
  const List list = shape;
  EXPECT_EQ(View(static_cast<const float*>(nullptr), list).shape(), shape);
  EXPECT_EQ(shape.at(1), 3);
  EXPECT_THROW(static_cast<void>(shape.at(2)), std::out_of_range);
  EXPECT_EQ(std::span<const Index>(shape).size(), 2U);
}

TEST(Axes, AreSeenAsIndices) {
  Axes rows{4, 5, 6};
  const View view = rows;
  EXPECT_EQ(view.data(), rows.data());
  EXPECT_EQ(view.shape(), Axes{3});
  const MutableView writable = rows;
  static_cast<Index*>(writable.mutable_data())[1] = 9;
  EXPECT_EQ(rows, (Axes{4, 9, 6}));
}

}  // namespace
}  // namespace garner
