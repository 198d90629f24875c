#include "kernel/common/float_add.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "device/cpu/test_targets.h"
#include "dtype/convert.h"

namespace garner {
namespace {

/// Sums of random bit patterns, infinities and NaN among them, against the conversion that the formula names.
template <class T>
void expect_sums() {
  std::mt19937_64 random(11);
  std::vector<T> a(1 << 16), b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t x = random(), y = random();
    std::memcpy(static_cast<void*>(&a[i]), &x, sizeof(T));
    std::memcpy(static_cast<void*>(&b[i]), &y, sizeof(T));
  }
  for (const std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{33}, a.size()}) {
    std::vector<T> sum = a;
    float_add(dtype_of<T>)(sum.data(), b.data(), static_cast<Index>(n));
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto exact = to_compute(a[i]) + to_compute(b[i]);
      const T expected = i < n ? convert<T>(exact) : a[i];
      if (i < n && exact != exact) {  // which operand's NaN it is, and its sign, are the machine's business
        ASSERT_TRUE(to_compute(sum[i]) != to_compute(sum[i])) << i;
        continue;
      }
      ASSERT_EQ(std::memcmp(&sum[i], &expected, sizeof(T)), 0) << name(dtype_of<T>) << " " << i;
    }
  }
}

void expect_all_sums() {
  expect_sums<float>();
  expect_sums<double>();
  expect_sums<Eigen::half>();
  expect_sums<Eigen::bfloat16>();
}

TEST(FloatAdd, IsTheFormulaBitForBit) { for_each_target(expect_all_sums); }

TEST(FloatAdd, OtherDtypesHaveNone) {
  EXPECT_EQ(float_add(DType::kI32), nullptr);
  EXPECT_EQ(float_add(DType::kC64), nullptr);
}

}  // namespace
}  // namespace garner
