#include "index/key_code.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "index/order.h"

namespace garner::index {
namespace {

/// The key as a kernel on a device makes it from an element's bytes.
WideKey key_from_bytes(const void* element, const KeyCode& code) {
  std::uint64_t half[2] = {};
  std::memcpy(half, element, static_cast<std::size_t>(code.width));
  const auto flip = static_cast<WideKey>(code.flip), nan = static_cast<WideKey>(code.nan);
  if (code.width == 16) {
    const auto k = NumberKey<std::uint64_t>::of(code);
    return k.is_nan(half[0]) || k.is_nan(half[1])
               ? nan | nan << 64
               : (WideKey{k.number(half[0])} << 64 | k.number(half[1])) ^ (flip | flip << 64);
  }
  if (code.complex) {
    const auto k = NumberKey<std::uint32_t>::of(code);
    const auto re = static_cast<std::uint32_t>(half[0]), im = static_cast<std::uint32_t>(half[0] >> 32);
    return k.is_nan(re) || k.is_nan(im) ? nan : (WideKey{k.number(re)} << 32 | k.number(im)) ^ flip;
  }
  if (code.width == 8) return NumberKey<std::uint64_t>::of(code)(half[0]);
  return NumberKey<std::uint32_t>::of(code)(static_cast<std::uint32_t>(half[0] << (32 - 8 * code.width)));
}

/// Elements with every interesting pattern: each byte is one of the ends of things, or random.
template <class T>
std::vector<T> patterns() {
  std::mt19937_64 random(7);
  std::vector<T> out(400);
  static constexpr std::uint8_t kBytes[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0x7c, 0xfc, 0x7e, 0xf8, 0xf0};
  for (T& value : out) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(&value);
    const bool free = random() % 3 == 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes[i] = free ? static_cast<std::uint8_t>(random()) : kBytes[random() % std::size(kBytes)];
  }
  return out;
}

constexpr KeyRule kRules[] = {kAscending, kSortDescending, {0, 0}, {kAllOnes, kAllOnes}};

template <class T>
void expect_the_same_order(DType dtype, const KeyRule& rule) {
  const KeyCode code = key_code(dtype, rule);
  if (code.width == 0) return;
  const std::vector<T> values = patterns<T>();
  const Keys<T> key(rule);
  for (const T& a : values) {
    const WideKey mine = key_from_bytes(&a, code);
    if (has_nan_v<T>) { ASSERT_EQ(mine == 0, key(a) == 0) << name(dtype); }
    for (const T& b : values) {
      const WideKey other = key_from_bytes(&b, code);
      ASSERT_EQ(mine < other, key(a) < key(b)) << name(dtype);
      ASSERT_EQ(mine == other, key(a) == key(b)) << name(dtype);
    }
  }
}

TEST(KeyCode, OrdersAsKeysDo) {
#define GARNER_DTYPE(Name, text, type, ...) \
  for (const KeyRule& rule : kRules) expect_the_same_order<type>(DType::k##Name, rule);
#include "garner/dtypes.def"
#undef GARNER_DTYPE
}

}  // namespace
}  // namespace garner::index
