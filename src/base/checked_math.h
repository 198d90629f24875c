// 64-bit arithmetic that notices overflow. Every product of extents goes through here.
#pragma once
#include <optional>

#include "garner/axes.h"

namespace garner {

inline std::optional<Index> checked_mul(Index a, Index b) {
  Index out;
  return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
}

inline std::optional<Index> checked_add(Index a, Index b) {
  Index out;
  return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional(out);
}

/// a * b + c.
inline std::optional<Index> checked_mul_add(Index a, Index b, Index c) {
  const auto product = checked_mul(a, b);
  return product ? checked_add(*product, c) : std::nullopt;
}

/// Product of all extents; 1 for rank 0. A zero extent makes it 0 whatever the others are.
inline std::optional<Index> checked_product(const Axes& extents) {
  Index out = 1;
  for (const Index n : extents)
    if (n == 0) return 0;
  for (const Index n : extents)
    if (__builtin_mul_overflow(out, n, &out)) return std::nullopt;
  return out;
}

}  // namespace garner
