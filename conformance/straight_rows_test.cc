// Rows that are copied straight from their index values (kernel/common/straight_rows.h), and long ones that are
// streamed several at a time (device/cpu/stream.cc): the same bits and the same findings as the reference.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "device/cpu/tuning.h"
#include "dtype/dispatch.h"
#include "garner/error.h"
#include "run/job_builder.h"

namespace garner {
namespace {

constexpr Index kTableRows = 100;

const Bounds kBounds[] = {
    {.hi = kTableRows},
    {.hi = kTableRows, .policy = OutOfRange::kFill},
    {.hi = kTableRows, .wrap = kTableRows, .policy = OutOfRange::kFill},
    {.lo = 7, .hi = 90, .policy = OutOfRange::kClamp},
    {.lo = 7, .hi = 90, .wrap = kTableRows, .policy = OutOfRange::kModulo},
};

struct Copy {
  Index width, count;  // bytes of a row, rows
  Index shift = 0;     // bytes that the result begins behind a cache line
  Index bad = 0;       // every so manieth value is out of range, from that one on; 0: none is
};

template <class T>
Tensor values_of(const Copy& c, const Bounds& bounds) {
  std::mt19937 random(static_cast<unsigned>(c.width + c.count));
  Tensor out = value_or_throw(Tensor::empty(dtype_of<T>, {c.count}));
  for (Index j = 0; j < c.count; ++j) {
    const bool bad = c.bad > 0 && j >= c.bad && j % c.bad == 0;
    out.as<T>()[j] = static_cast<T>(bad ? 120 + j % 3 : bounds.lo + static_cast<Index>(random() % 80));
  }
  return out;
}

/// The rows and the status, where guards around them must stay.
struct Found {
  std::vector<std::uint8_t> rows;
  Status status;
};

Found copied(const Job& job, const Copy& c, int threads, const std::string& kernel) {
  constexpr Index kGuard = 64;
  const Index bytes = c.count * c.width;
  std::vector<std::uint8_t> memory(static_cast<std::size_t>(bytes + 3 * kGuard), 0xA5);
  std::uint8_t* line = memory.data() + (kGuard - reinterpret_cast<std::uintptr_t>(memory.data()) % kGuard) % kGuard;
  std::uint8_t* to = line + c.shift;
  Found out;
  out.status = run_into(job, MutableView(DType::kU8, to, {c.count, c.width}), {.threads = threads, .kernel = kernel});
  out.rows.assign(to, to + bytes);
  for (std::uint8_t* p = memory.data(); p < memory.data() + memory.size(); ++p)
    if ((p < to || p >= to + bytes) && *p != 0xA5) ADD_FAILURE() << "byte " << p - to << " was written";
  return out;
}

template <class T>
void expect_as_reference(const Copy& c) {
  Tensor table = value_or_throw(Tensor::empty(DType::kU8, {kTableRows, c.width}));
  std::mt19937 random(3);
  for (Index i = 0; i < table.bytes(); ++i) table.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(random());
  for (const Bounds& bounds : kBounds) {
    const Tensor values = values_of<T>(c, bounds);
    auto b = JobBuilder::gather("rows", table, {c.count, c.width});
    b.look_up(0, b.term(values, {0}, bounds, "values", "P16")).follow(1, 1);
    const Job job = std::move(b).build();
    const Found wanted = copied(job, c, 1, "reference");
    for (const int threads : {1, 3}) {
      const Found found = copied(job, c, threads, "row_copy");
      EXPECT_EQ(found.status.message, wanted.status.message);
      EXPECT_TRUE(found.rows == wanted.rows) << name(dtype_of<T>) << ", " << c.count << " rows of " << c.width
                                             << " bytes, " << c.shift << " behind a line, bad " << c.bad << ", policy "
                                             << static_cast<int>(bounds.policy) << ", " << threads << " threads";
    }
  }
}

template <class T>
void expect_all(const std::vector<Index>& widths) {
  for (const Index width : widths)
    for (const Index count : {1, 3, 63, 64, 65, 128, 300})
      for (const Index bad : {0, 1, 70})
        for (const Index shift : {0, 16}) expect_as_reference<T>({width, count, shift, bad});
}

TEST(StraightRows, AreThoseOfTheReference) {
  const EagerTuning eager;
  const std::vector<Index> widths = {64, 128, 192, 1024};
  expect_all<std::int64_t>(widths);
  expect_all<std::int32_t>(widths);
  expect_all<std::uint64_t>({64});
  expect_all<std::int16_t>({64});
  expect_all<std::uint8_t>({64, 256});
  expect_all<std::int8_t>({64});
}

TEST(StraightRows, LongOnesGoSeveralAtATime) {
  const EagerTuning eager;
  expect_all<std::int64_t>({2048, 2049, 4096, 5000});
}

}  // namespace
}  // namespace garner
