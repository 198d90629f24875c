#include "device/cuda/small_memory.h"

#include <gtest/gtest.h>

namespace garner {
namespace {

TEST(SmallMemory, PiecesOfOneSizeAreGivenOutAgain) {
  SmallMemory memory;
  int first = 0, second = 0;
  EXPECT_EQ(memory.take(100), nullptr);
  EXPECT_TRUE(memory.give(&first, 100));
  EXPECT_TRUE(memory.give(&second, 5000));
  EXPECT_EQ(memory.take(257), nullptr);
  EXPECT_EQ(memory.take(1), &first);
  EXPECT_EQ(memory.take(8192), &second);
  EXPECT_EQ(memory.take(8192), nullptr);
}

TEST(SmallMemory, APieceHoldsWhateverItIsTakenFor) {
  for (Index bytes = 0; bytes <= SmallMemory::kLargest; ++bytes) {
    EXPECT_GE(SmallMemory::rounded(bytes), bytes);
    EXPECT_EQ(SmallMemory::rounded(SmallMemory::rounded(bytes)), SmallMemory::rounded(bytes));
  }
  EXPECT_EQ(SmallMemory::rounded(0), SmallMemory::kSmallest);
  EXPECT_EQ(SmallMemory::rounded(SmallMemory::kLargest), SmallMemory::kLargest);
}

TEST(SmallMemory, TheRestGoesBackToTheRuntime) {
  SmallMemory memory;
  std::array<char, SmallMemory::kMostIdle + 1> places{};
  for (std::size_t i = 0; i < SmallMemory::kMostIdle; ++i) EXPECT_TRUE(memory.give(&places[i], SmallMemory::kLargest));
  EXPECT_FALSE(memory.give(&places.back(), SmallMemory::kLargest));
  EXPECT_TRUE(memory.give(&places.back(), SmallMemory::kLargest / 2));
}

}  // namespace
}  // namespace garner
