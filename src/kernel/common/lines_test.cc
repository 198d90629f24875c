#include "kernel/common/lines.h"

#include <gtest/gtest.h>

#include <random>

#include "device/cpu/test_targets.h"
#include "device/cpu/tuning.h"
#include "dtype/dispatch.h"
#include "kernel/common/scalar_resolve.h"
#include "kernel/common/width.h"

namespace garner {
namespace {

const Bounds kBounds[] = {
    {.lo = 0, .hi = 50, .wrap = 0, .policy = OutOfRange::kTrap, .scope = Scope::kTerm},
    {.lo = 0, .hi = 50, .wrap = 50, .policy = OutOfRange::kFill, .scope = Scope::kTerm},
    {.lo = 3, .hi = 40, .wrap = 0, .policy = OutOfRange::kDrop, .scope = Scope::kTerm},
    {.lo = 5, .hi = 45, .wrap = 50, .policy = OutOfRange::kClamp, .scope = Scope::kTerm},
    // Beyond what a narrow index type can say.
    {.lo = 0, .hi = 300, .wrap = 0, .policy = OutOfRange::kFill, .scope = Scope::kTerm},
    {.lo = 0, .hi = 300, .wrap = 300, .policy = OutOfRange::kTrap, .scope = Scope::kTerm},
    {.lo = 140, .hi = 300, .wrap = 0, .policy = OutOfRange::kFill, .scope = Scope::kTerm},
};

template <class T>
std::vector<T> random_values(Index count, bool in_range) {
  std::mt19937_64 random(static_cast<unsigned>(count) + 1);
  std::vector<T> out(static_cast<std::size_t>(count));
  for (T& v : out)
    v = static_cast<T>(in_range ? 5 + random() % 35 : random() % 7 == 0 ? random() : random() % 120 - 60);
  return out;
}

/// f() with elements loaded by the vector unit's gather and one by one.
template <class F>
void for_each_way_to_load(const F& f) {
  const Tuning before = tuning();
  for (const bool singly : {false, true}) {
    tuning_for_tests().single_loads = tuning_for_tests().far_single_loads = singly;
    f();
  }
  tuning_for_tests() = before;
}

/// Position j leads to element value * scale + j * step.
struct Leads {
  Index scale, step;
};

/// Against the exact resolve of single values.
template <class T, class U>
void expect_line(const Bounds& bounds, Index count, bool in_range, bool past_caches, const Leads& leads) {
  const auto [kScale, kStep] = leads;
  std::vector<U> from(static_cast<std::size_t>(bounds.hi * kScale + 1000 * kStep + 8));
  for (std::size_t i = 0; i < from.size(); ++i) std::memset(&from[i], static_cast<int>(i % 251) + 1, sizeof(U));
  const std::vector<T> index = random_values<T>(count, in_range);
  std::vector<U> to(index.size() + 1);
  const IndexLine line{dtype_of<T>,
                       index.data(),
                       count,
                       &bounds,
                       static_cast<std::int32_t>(leads.scale),
                       static_cast<std::int32_t>(leads.step)};
  const Index lost = gather_lines({.line = line}, from.data(), to.data() + 1, sizeof(U), past_caches);
  Index expected_lost = 0;
  for (Index j = 0; j < count; ++j) {
    const auto value = resolve_index(load_index(dtype_of<T>, index.data(), j), bounds, 0);
    expected_lost += value ? 0 : 1;
    const U expected = value ? from[static_cast<std::size_t>(*value * kScale + j * kStep)] : U{};
    ASSERT_EQ(std::memcmp(&to[static_cast<std::size_t>(j) + 1], &expected, sizeof(U)), 0)
        << name(dtype_of<T>) << " " << sizeof(U) << " bytes, position " << j << " of " << count;
  }
  EXPECT_EQ(lost, expected_lost);
}

template <class T>
void expect_lines() {
  for (const Bounds& bounds : kBounds)
    for (const Index count : {0, 1, 5, 16, 31, 64, 255, 256, 257, 700})
      for (const bool in_range : {false, true})
        for (const bool past_caches : {false, true})
          for (const Leads leads : {Leads{3, 2}, Leads{1, 0}}) {
            expect_line<T, std::uint8_t>(bounds, count, in_range, past_caches, leads);
            expect_line<T, std::uint16_t>(bounds, count, in_range, past_caches, leads);
            expect_line<T, std::uint32_t>(bounds, count, in_range, past_caches, leads);
            expect_line<T, std::uint64_t>(bounds, count, in_range, past_caches, leads);
            expect_line<T, Bytes16>(bounds, count, in_range, past_caches, leads);
          }
}

void expect_all_lines() {
  expect_lines<std::int8_t>();
  expect_lines<std::int16_t>();
  expect_lines<std::int32_t>();
  expect_lines<std::int64_t>();
  expect_lines<std::uint8_t>();
  expect_lines<std::uint16_t>();
  expect_lines<std::uint32_t>();
  expect_lines<std::uint64_t>();
}

/// Lines whose results touch, lie apart, or begin on cache lines; all values in range, all but one (21) or not, of
/// every line or the same.
void expect_batch(Index count, Index gap, std::size_t values, bool same_index, bool far, const Leads& leads) {
  const Bounds bounds{.lo = 0, .hi = 20, .wrap = 0, .policy = OutOfRange::kFill, .scope = Scope::kTerm};
  std::vector<std::uint32_t> from(5000);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::uint32_t>(i + 1);
  std::vector<std::int64_t> index(20000);
  for (std::size_t i = 0; i < index.size(); ++i)
    index[i] = static_cast<std::int64_t>(i * 7 % (values == 21 ? 20 : values));
  index[static_cast<std::size_t>(count) * 2 / 3] = static_cast<std::int64_t>(values - 1);  // of 21 the only one
  alignas(64) static std::uint32_t memory[32000];
  std::fill(std::begin(memory), std::end(memory), 0xA5A5A5A5U);
  const LineBatch batch{.line = {DType::kI64, index.data(), count, &bounds, static_cast<std::int32_t>(leads.scale),
                                 static_cast<std::int32_t>(leads.step)},
                        .lines = 9,
                        .index_pitch = same_index ? 0 : count + 1,
                        .indexed_pitch = 5,
                        .dense_pitch = count + gap,
                        .far = far};
  for (const Index shift : {0, 5}) {
    gather_lines(batch, from.data(), memory + 64 + shift, 4, true);
    for (Index n = 0; n < batch.lines; ++n)
      for (Index j = 0; j < count; ++j) {
        const Index value = index[static_cast<std::size_t>(n * batch.index_pitch + j)];
        const std::uint32_t expected =
            value < 20 ? from[static_cast<std::size_t>(n * 5 + value * leads.scale + j * leads.step)] : 0;
        ASSERT_EQ(memory[64 + shift + n * batch.dense_pitch + j], expected) << count << " " << gap << " " << shift;
      }
  }
  EXPECT_EQ(memory[63], 0xA5A5A5A5U);
  EXPECT_EQ(memory[64 + 5 + 8 * batch.dense_pitch + count], 0xA5A5A5A5U) << count << " " << gap;
}

void expect_batches() {
  for (const Index count : {1, 7, 16, 64, 300, 1500})
    for (const Index gap : {0, 3, 4, 16})
      for (const std::size_t values : {20, 21, 22})
        for (const bool same_index : {false, true})
          for (const bool far : {false, true})
            for (const Leads leads : {Leads{2, 1}, Leads{1, 0}})
              expect_batch(count, gap, values, same_index, far, leads);
}

TEST(Lines, Batches) {
  for_each_target([] { for_each_way_to_load(expect_batches); });
}
TEST(Lines, EveryIndexTypeWidthAndBound) {
  for_each_target([] { for_each_way_to_load(expect_all_lines); });
}

}  // namespace
}  // namespace garner
