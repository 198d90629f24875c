#include "device/cpu/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "device/cpu/test_targets.h"

namespace garner {
namespace {

std::vector<std::byte> counting(Index bytes) {
  std::vector<std::byte> out(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(i * 37 + i / 256);
  return out;
}

constexpr std::byte kGuard{0xA5};

/// A target at any distance from a line's begin, with guards before and behind.
struct Target {
  Target(Index shift, Index bytes) : memory(static_cast<std::size_t>(bytes + 256), kGuard), bytes_(bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
    begin_ = static_cast<Index>((64 - at % 64) % 64) + 64 + shift;
  }
  std::byte* data() { return memory.data() + begin_; }
  bool guards_are_whole() const {
    const auto is_guard = [](std::byte b) { return b == kGuard; };
    return std::all_of(memory.begin(), memory.begin() + begin_, is_guard) &&
           std::all_of(memory.begin() + begin_ + bytes_, memory.end(), is_guard);
  }
  std::vector<std::byte> memory;

 private:
  Index begin_ = 0, bytes_;
};

void expect_rows(Index bytes, Index count, Index shift, bool past_caches) {
  const std::vector<std::byte> from = counting(bytes * 40 + 64);
  std::vector<Index> offset(static_cast<std::size_t>(count));
  std::vector<std::uint8_t> valid(offset.size(), 1);
  for (std::size_t j = 0; j < offset.size(); ++j) {
    offset[j] = static_cast<Index>(j * 17 % 40) * bytes + static_cast<Index>(j % 3);
    valid[j] = j % 5 == 4 ? 0 : 1;
  }
  Target to(shift, bytes * count);
  copy_rows({from.data(), 1, offset.data(), valid.data(), count, bytes, to.data()}, past_caches);
  finish_stream();
  for (std::size_t j = 0; j < offset.size(); ++j)
    for (Index b = 0; b < bytes; ++b)
      ASSERT_EQ(to.data()[static_cast<Index>(j) * bytes + b],
                valid[j] != 0 ? from[static_cast<std::size_t>(offset[j] + b)] : std::byte{0})
          << bytes << " bytes, row " << j << ", shift " << shift;
  EXPECT_TRUE(to.guards_are_whole()) << bytes << " bytes, shift " << shift;
}

void expect_all_rows() {
  for (const Index bytes :
       {1, 2, 3, 8, 12, 16, 24, 32, 48, 63, 64, 65, 100, 128, 192, 256, 1000, 1024, 1025, 4096, 5000})
    for (const Index shift : {0, 1, 4, 16, 63})
      for (const bool past_caches : {false, true}) expect_rows(bytes, bytes < 100 ? 333 : 21, shift, past_caches);
}

TEST(Stream, NoRows) {
  std::byte byte{1};
  copy_rows({&byte, 1, nullptr, nullptr, 0, 64, &byte}, true);
  EXPECT_EQ(byte, std::byte{1});
}

void expect_all_copies() {
  const std::vector<std::byte> from = counting(1000);
  for (Index bytes = 0; bytes < 300; ++bytes)
    for (const Index shift : {0, 1, 32, 63}) {
      Target to(shift, bytes);
      stream_copy(to.data(), from.data() + 3, bytes);
      finish_stream();
      ASSERT_EQ(std::memcmp(to.data(), from.data() + 3, static_cast<std::size_t>(bytes)), 0) << bytes;
      ASSERT_TRUE(to.guards_are_whole()) << bytes;
    }
}

void expect_all_fills() {
  const std::vector<std::byte> element = counting(16);
  for (const int width : {1, 2, 4, 8, 16})
    for (const Index count : {0, 1, 2, 5, 31, 200})
      for (const Index shift : {0, 1, 4, 8, 60})
        for (const bool past_caches : {false, true}) {
          Target to(shift, count * width);
          fill_elements(to.data(), element.data(), width, count, past_caches);
          finish_stream();
          for (Index b = 0; b < count * width; ++b)
            ASSERT_EQ(to.data()[b], element[static_cast<std::size_t>(b % width)]) << width << " x " << count;
          ASSERT_TRUE(to.guards_are_whole()) << width << " x " << count;
        }
}

/// Rows 2, 0 and 1 (or 0, 1 and 2) to two places, none and one; what is in between stays.
void expect_spread(Index bytes, Index shift, const Index* source, bool past_caches) {
  const std::vector<std::byte> from = counting(3 * bytes);
  const Index begins[] = {0, 2, 2, 3}, places[] = {4, 1, 3};
  Target to(shift, 5 * bytes);
  std::memset(to.data(), 0x5A, static_cast<std::size_t>(5 * bytes));
  spread_rows({from.data(), source, begins, places, 3, bytes, to.data()}, past_caches);
  finish_stream();
  const auto row = [&](Index j) { return (source == nullptr ? j : source[j]) * bytes; };
  const Index wanted[] = {-1, row(0), -1, row(2), row(0)};
  for (Index b = 0; b < 5 * bytes; ++b) {
    const Index at = wanted[b / bytes];
    const std::byte byte = at < 0 ? std::byte{0x5A} : from[static_cast<std::size_t>(at + b % bytes)];
    ASSERT_EQ(to.data()[b], byte) << bytes << " at " << shift;
  }
  ASSERT_TRUE(to.guards_are_whole()) << bytes << " at " << shift;
}

void expect_all_spreads() {
  constexpr Index kSource[] = {2, 0, 1};
  for (const Index bytes : {1, 8, 63, 64, 65, 256, 320, 4096})
    for (const Index shift : {0, 1, 32})
      for (const Index* source : {kSource, static_cast<const Index*>(nullptr)})
        for (const bool past_caches : {false, true}) expect_spread(bytes, shift, source, past_caches);
}

TEST(Stream, SpreadsOfEverySizeAnywhere) { for_each_target(expect_all_spreads); }
TEST(Stream, RowsOfEverySizeAnywhere) { for_each_target(expect_all_rows); }
TEST(Stream, CopiesOfEveryLengthAnywhere) { for_each_target(expect_all_copies); }
TEST(Stream, FillsOfEveryWidthAnywhere) { for_each_target(expect_all_fills); }

}  // namespace
}  // namespace garner
