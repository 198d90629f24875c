// Offsets spread over slots, so that neighbours and rows a power of two apart fall into different ones.
#pragma once
#include <cstdint>

#include "garner/axes.h"

namespace garner {

/// 64 bits of which the upper ones depend on all of the offset (Fibonacci hashing).
constexpr std::uint64_t spread(Index offset) { return static_cast<std::uint64_t>(offset) * 0x9E3779B97F4A7C15u; }

/// One of `slots`, at most 2^32, without a division, which would cost more than the rest.
constexpr std::uint64_t spread_over(Index offset, std::uint64_t slots) { return (spread(offset) >> 32) * slots >> 32; }

}  // namespace garner
