#include "index/row_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "device/cpu/test_targets.h"
#include "dtype/convert.h"

namespace garner::index {
namespace {

constexpr Index kRows = 40;

template <class T>
std::vector<T> numbers(std::mt19937& random, Index count) {
  std::vector<T> out(static_cast<std::size_t>(count));
  for (T& x : out) x = convert<T>(static_cast<Compute<T>>(static_cast<int>(random() % 2001) - 1000) / Compute<T>(64));
  return out;
}

/// Column j of a bag, one row after another.
template <class T>
T pooled(const RowPool& pool, Index bag, Index j) {
  const auto b = static_cast<std::size_t>(bag);
  Compute<T> sum = 0;
  Index taken = 0;
  for (Index i = pool.begins[b]; i < pool.begins[b + 1]; ++i) {
    const Index row = pool.indices[static_cast<std::size_t>(i)];
    if (row == pool.padding) continue;
    const Compute<T> v = to_compute(static_cast<const T*>(pool.table)[row * pool.columns + j]);
    const Compute<T> weight = pool.weights == nullptr ? 1 : to_compute(static_cast<const T*>(pool.weights)[i]);
    if (pool.mode != BagMode::kMax) sum += v * weight;
    else if (taken == 0 || v > sum || v != v) sum = v;
    ++taken;
  }
  return convert<T>(pool.mode == BagMode::kMean && taken > 0 ? sum / static_cast<Compute<T>>(taken) : sum);
}

template <class T>
void expect_formula(const RowPool& pool) {
  const Index bags = static_cast<Index>(pool.begins.size()) - 1;
  std::vector<T> out(static_cast<std::size_t>(bags * pool.columns), convert<T>(Compute<T>(77)));
  pool_rows(pool, 0, bags, out.data());
  for (Index bag = 0; bag < bags; ++bag)
    for (Index j = 0; j < pool.columns; ++j) {
      const T wanted = pooled<T>(pool, bag, j), found = out[static_cast<std::size_t>(bag * pool.columns + j)];
      if (to_compute(wanted) != to_compute(wanted)) ASSERT_TRUE(to_compute(found) != to_compute(found));
      else ASSERT_EQ(std::memcmp(&found, &wanted, sizeof(T)), 0) << name(pool.dtype) << " bag " << bag << ", " << j;
    }
}

template <class T>
void expect_formula() {
  std::mt19937 random(5);
  const std::vector<Index> begins{0, 0, 1, 40, 41, 60, 60};  // empty bags among them
  std::vector<Index> indices(60);
  for (Index& row : indices) row = static_cast<Index>(random() % kRows);
  const std::vector<T> weights = numbers<T>(random, 60);
  for (const Index columns : {1, 3, 15, 16, 17, 64, 70, 129}) {
    std::vector<T> table = numbers<T>(random, kRows * columns);
    table[static_cast<std::size_t>(indices[5] * columns)] = convert<T>(std::numeric_limits<Compute<T>>::quiet_NaN());
    for (const BagMode mode : {BagMode::kSum, BagMode::kMean, BagMode::kMax})
      for (const bool weighted : {false, true})
        for (const std::optional<Index> padding : {std::optional<Index>(), std::optional<Index>(indices[40])}) {
          if (weighted && mode != BagMode::kSum) continue;
          expect_formula<T>({.dtype = dtype_of<T>,
                             .table = table.data(),
                             .columns = columns,
                             .indices = indices,
                             .begins = begins,
                             .weights = weighted ? weights.data() : nullptr,
                             .padding = padding,
                             .mode = mode});
        }
  }
}

void expect_all_formulas() {
  expect_formula<float>();
  expect_formula<double>();
  expect_formula<Eigen::half>();
  expect_formula<Eigen::bfloat16>();
}

TEST(RowPool, IsTheFormulaBitForBit) { for_each_target(expect_all_formulas); }

}  // namespace
}  // namespace garner::index
