// StableHLO's operations that a scatter's body may consist of, and the engine's combine for each.
#pragma once
#include <optional>
#include <string_view>

#include "garner/plan.h"

namespace garner::stablehlo {

struct CombineWord {
  Combine combine;
  std::string_view op;
};
inline constexpr CombineWord kCombineWords[] = {
    {Combine::kAdd, "add"}, {Combine::kMul, "multiply"}, {Combine::kMin, "minimum"}, {Combine::kMax, "maximum"},
    {Combine::kAnd, "and"}, {Combine::kOr, "or"},        {Combine::kXor, "xor"}};

constexpr std::optional<Combine> combine_of(std::string_view op) {
  for (const CombineWord& word : kCombineWords)
    if (word.op == op) return word.combine;
  return std::nullopt;
}

/// Empty: there is no such operation.
constexpr std::string_view op_of(Combine combine) {
  for (const CombineWord& word : kCombineWords)
    if (word.combine == combine) return word.op;
  return {};
}

}  // namespace garner::stablehlo
