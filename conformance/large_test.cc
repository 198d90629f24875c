// Past 2^31 and 2^32 elements, on memory that is mapped but hardly touched: only the pages a test writes exist.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "garner/lucid.h"
#include "run/job_builder.h"

namespace garner::conformance {
namespace {

/// Zero pages from the system; reserved, not committed.
class SparseBytes {
 public:
  explicit SparseBytes(std::size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~SparseBytes() {
    if (ok()) munmap(data_, bytes_);
  }
  SparseBytes(const SparseBytes&) = delete;
  SparseBytes& operator=(const SparseBytes&) = delete;
  bool ok() const { return data_ != MAP_FAILED; }
  template <class T> T* as() { return static_cast<T*>(data_); }

 private:
  std::size_t bytes_;
  void* data_;
};

constexpr Index k31 = Index{1} << 31, k32 = Index{1} << 32, kElements = k32 + 4096;
const std::vector<Index> kPlaces = {0, k31 - 1, k31, k31 + 1, k32 - 1, k32, k32 + 1, kElements - 1};

TEST(LargeGather, ElementsPast32Bits) {
  SparseBytes memory(kElements * sizeof(std::int16_t));
  ASSERT_TRUE(memory.ok());
  for (std::size_t i = 0; i < kPlaces.size(); ++i)
    memory.as<std::int16_t>()[kPlaces[i]] = static_cast<std::int16_t>(i + 1);
  const Tensor got = lucid::gather(View(memory.as<std::int16_t>(), {kElements}), 0, View(kPlaces));
  for (std::size_t i = 0; i < kPlaces.size(); ++i)
    EXPECT_EQ(got.as<std::int16_t>()[i], static_cast<std::int16_t>(i + 1)) << kPlaces[i];
}

TEST(LargeGather, FirstPositionBehindTheEndIsNamed) {
  SparseBytes memory(kElements);
  ASSERT_TRUE(memory.ok());
  const std::vector<Index> index = {k32, kElements, k31};
  const auto result = run_one(lucid::lower_gather(View(memory.as<std::uint8_t>(), {kElements}), 0, View(index)));
  EXPECT_EQ(result.status().rule, "LU6");
  EXPECT_EQ(result.status().message,
            "lucid.gather: index[1] is 4294971392, allowed [0, 4294971392) on axis 0 of operand [4294971392]");
}

/// Rows of one byte more than a power of two: offsets are no round numbers.
TEST(LargeGather, RowsPast32Bits) {
  constexpr Index kWidth = 4097, kRows = k32 / kWidth + 8;
  SparseBytes memory(static_cast<std::size_t>(kRows * kWidth));
  ASSERT_TRUE(memory.ok());
  const std::vector<Index> rows = {kRows - 1, 0, k31 / kWidth};
  for (const Index r : rows)
    memory.as<std::uint8_t>()[r * kWidth + kWidth - 1] = static_cast<std::uint8_t>(r % 251 + 1);
  const View operand(memory.as<std::uint8_t>(), {kRows, kWidth});
  auto builder = JobBuilder::gather("rows", operand, {3, kWidth});
  builder.look_up(0, builder.term(View(rows), {0}, {.hi = kRows}, "rows", "P16")).follow(1, 1);
  const auto got = run_one(std::move(builder).build());
  ASSERT_TRUE(got.ok());
  for (Index i = 0; i < 3; ++i)
    EXPECT_EQ(got->as<std::uint8_t>()[i * kWidth + kWidth - 1],
              static_cast<std::uint8_t>(rows[static_cast<std::size_t>(i)] % 251 + 1));
}

TEST(LargeScatter, AddsPast32BitsInPlace) {
  SparseBytes memory(kElements * sizeof(float));
  ASSERT_TRUE(memory.ok());
  std::vector<Index> places = kPlaces;
  places.insert(places.end(), kPlaces.begin(), kPlaces.end());
  const std::vector<float> updates(places.size(), 1.5F);
  const MutableView target(memory.as<float>(), {kElements});
  auto builder = JobBuilder::scatter("scatter", target, View(updates), Combine::kAdd);
  builder.look_up(0, builder.term(View(places), {0}, {.hi = kElements}, "places", "P16"));
  for (const int threads : {1, 2})
    ASSERT_TRUE(run_in_place(JobBuilder(builder).build(), target, nullptr, {.threads = threads}).ok());
  for (const Index place : kPlaces) EXPECT_EQ(memory.as<float>()[place], 6.0F) << place;
}

/// A result of more than 2^31 elements: the domain itself is past 32 bits. Reads repeat one page.
TEST(LargeDomain, PositionsPast31Bits) {
  constexpr Index kLength = k31 + 5;
  SparseBytes result(kLength);
  ASSERT_TRUE(result.ok());
  const std::vector<std::uint8_t> operand = {3, 4};
  const std::uint8_t index = 1;
  auto builder = JobBuilder::gather("domain", View(operand), {kLength});
  builder.look_up(0, builder.term(View(&index, {1}), {0}, {.hi = 2}, "index", "P16"));
  const MutableView out(result.as<std::uint8_t>(), {kLength});
  ASSERT_TRUE(run_into(std::move(builder).build(), out).ok());
  for (const Index at : {Index{0}, k31 - 1, k31, kLength - 1}) EXPECT_EQ(result.as<std::uint8_t>()[at], 4) << at;
}

}  // namespace
}  // namespace garner::conformance
