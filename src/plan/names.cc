#include "plan/names.h"

#include <fmt/format.h>

namespace garner {

std::string_view name(Combine combine) { return kCombineNames[static_cast<std::size_t>(combine)]; }
std::string_view name(OutOfRange policy) { return kPolicyNames[static_cast<std::size_t>(policy)]; }

std::string axis_name(std::size_t axis) {
  constexpr std::string_view kLetters = "ijklmnpqrstuvw";
  return axis < kLetters.size() ? std::string(kLetters.substr(axis, 1)) : fmt::format("d{}", axis);
}

}  // namespace garner
