// The words of the plan text, in enumerator order; printing and parsing share them.
#pragma once
#include <array>

#include "garner/plan.h"

namespace garner {

inline constexpr std::array<std::string_view, 10> kCombineNames = {
    "assign", "add", "mul", "min", "max", "and", "or", "xor", "compare_exchange", "user"};
inline constexpr std::array<std::string_view, 6> kPolicyNames = {"trap", "clamp", "modulo", "fill", "drop", "promise"};

/// i, j, k, … for the domain axes.
std::string axis_name(std::size_t axis);

}  // namespace garner
