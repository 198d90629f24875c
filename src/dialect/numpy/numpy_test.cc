// What a .case cannot show of NumPy: memory that is written in place, exceptions and their words, affine plans.
#include "garner/numpy.h"

#include <gtest/gtest.h>

#include "garner/error.h"

namespace garner::numpy {
namespace {

const Tensor kX = tensor({{10, 20, 30}, {40, 50, 60}});

template <class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const Error& e) { return e.rule() + " " + e.what(); }
  return "no error";
}

TEST(Numpy, NP3_NamesTheOffender) {
  EXPECT_EQ(message([] { getitem(kX, {Slice{}, tensor({{0, 1}, {2, 3}})}); }),
            "NP3 numpy.getitem: index[1,1] is 3, allowed [-3, 3) on axis 1 of operand [2,3]");
  EXPECT_EQ(message([] { getitem(kX, {-3}); }),
            "NP3 numpy.getitem: index is -3, allowed [-2, 2) on axis 0 of operand [2,3]");
  EXPECT_EQ(message([] { take(kX, tensor({1, 6})); }),
            "NP3 numpy.take: index[1] is 6, allowed [-6, 6) on axis 0 of operand [6]");
}

/// The transpose has no single stride: the flat index is checked before it becomes coordinates, in the same words.
TEST(Numpy, NP3_FlatIndexOfStridedMemory) {
  const View transposed(kX.as<int>(), {3, 2}, {1, 3});
  EXPECT_EQ(to_string(take(transposed, tensor({1, -1}))), "[40 60]");
  EXPECT_EQ(message([&] { take(transposed, tensor({1, 6})); }),
            "NP3 numpy.take: index[1] is 6, allowed [-6, 6) on axis 0 of operand [6]");
}

TEST(Numpy, ThrowsWhatPythonThrows) {
  EXPECT_THROW(take(kX, tensor({0}), {.axis = 2}), ArgumentError);
  EXPECT_THROW(take(kX, tensor({0.5})), TypeError);
  EXPECT_THROW(getitem(kX, {0, 0, 0}), IndexError);
  EXPECT_THROW(choose(tensor({2}), {tensor({1}), tensor({2})}), ArgumentError);
}

TEST(Numpy, BasicKeysAreAffine) {
  const auto job = lower_getitem(kX, {ellipsis, newaxis, Slice{.step = -2}});
  ASSERT_TRUE(job.ok());
  EXPECT_TRUE(job->plan.terms.empty());
  EXPECT_EQ(to_string(*run_one(*job)), "[[[30 10]]\n\n [[60 40]]]");
}

TEST(Numpy, WritesInPlace) {
  Tensor x = *kX.clone();
  setitem(x.view(), {tensor({true, false}), Slice{1}}, tensor({1, 2}));
  put(x.view(), tensor({-1, 3}), tensor({7, 8}));
  put_along_axis(x.view(), tensor({{0}}), scalar(5), 1);
  add_at(x.view(), {tensor({1, 1}), 1}, tensor({100, 1000}));
  EXPECT_EQ(to_string(x), "[[   5    1    2]\n [   5 1150    7]]");
}

TEST(Numpy, PutOnStridedMemory) {
  Tensor x = *kX.clone();
  put(MutableView(x.as<int>(), {3, 2}, {1, 3}), tensor({1, 2}), tensor({-1, -2}));
  EXPECT_EQ(to_string(x), "[[10 -2 30]\n [-1 50 60]]");
}

/// x[1:] = x[:-1] and x[x] = x: what is read is what was there before.
TEST(Numpy, ReadsBeforeItWrites) {
  Tensor x = tensor({0, 1, 2, 3, 4});
  setitem(x.view(), {Slice{.start = 1}}, View(x.as<int>(), {4}));
  EXPECT_EQ(to_string(x), "[0 0 1 2 3]");
  Tensor y = tensor({2, 0, 1});
  setitem(y.view(), {View(y)}, y);
  EXPECT_EQ(to_string(y), "[0 1 2]");
  Tensor z = tensor({1, 2, 0});
  put(z.view(), z, z);
  EXPECT_EQ(to_string(z), "[0 1 2]");
  Tensor w = tensor({1, 1, 0});
  add_at(w.view(), {View(w)}, w);
  EXPECT_EQ(to_string(w), "[1 3 0]");
}

TEST(Numpy, NothingIsWrittenWhenTheKeyIsWrong) {
  Tensor x = *kX.clone();
  EXPECT_THROW(setitem(x.view(), {0, tensor({0, 1}), 0}, scalar(1)), IndexError);
  EXPECT_THROW(setitem(x.view(), {0}, tensor({1, 2})), ArgumentError);
  EXPECT_TRUE(same_bits(x, kX));
}

TEST(Numpy, NP19_IxSelectsTheOuterProduct) {
  const auto outer = ix_({tensor({1, 0}), tensor({true, false, true})});
  EXPECT_EQ(to_string(getitem(kX, Key(outer.begin(), outer.end()))), "[[40 60]\n [10 30]]");
}

TEST(Numpy, ChoosesFromAnArrayWhereItLies) {
  EXPECT_EQ(to_string(choose(tensor({1, 0, 1}), kX)), "[40 20 60]");
  EXPECT_EQ(to_string(choose(tensor({1, 0, 1}), {slice_at(kX, 0, 0), tensor({1.5, 2.5, 3.5})})), "[ 1.5 20.   3.5]");
}

TEST(Numpy, ArgwhereGivesRows) { EXPECT_EQ(to_string(argwhere(tensor({{0, 7}, {8, 0}}))), "[[0 1]\n [1 0]]"); }

}  // namespace
}  // namespace garner::numpy
