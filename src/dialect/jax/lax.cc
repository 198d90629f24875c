#include "dialect/jax/lax.h"

#include "base/fail.h"

namespace garner::jax {
namespace {

constexpr std::size_t kLeastLists = 3, kMostLists = 5;

const Values* as_list(const Value& v) {
  const auto* held = std::get_if<std::shared_ptr<Values>>(&v.held);
  return held == nullptr ? nullptr : held->get();
}

std::optional<Axes> integers_of(const Value& v) {
  const Values* items = as_list(v);
  if (items == nullptr) return std::nullopt;
  Axes out;
  for (const Value& item : *items) {
    if (!std::holds_alternative<Index>(item.held)) return std::nullopt;
    out.push_back(std::get<Index>(item.held));
  }
  return out;
}

}  // namespace

Status check_indices(const char* op, const char* called, const View& indices) {
  if (!is_integer(indices.dtype()))
    return fail(Code::kInvalidArgument, "JX5", "{}: {} is {}, allowed an integer dtype", op, called,
                name(indices.dtype()));
  if (indices.rank() == 0)
    return fail(Code::kType, "JX6", "{}: {} has rank 0, allowed [1, inf) (the last axis holds index vectors)", op,
                called);
  return {};
}

Result<std::vector<Axes>> read_dimension_numbers(Arguments& a) {
  const Values* lists = as_list(a.value("dimension_numbers"));
  std::vector<Axes> out;
  for (std::size_t i = 0; lists != nullptr && i < lists->size(); ++i)
    if (auto axes = integers_of((*lists)[i])) out.push_back(*std::move(axes));
  if (lists == nullptr || out.size() != lists->size() || out.size() < kLeastLists || out.size() > kMostLists)
    return fail(Code::kType, "JX29", "{}: dimension_numbers has {} lists of integers, allowed {} to {}", a.op(),
                out.size(), kLeastLists, kMostLists);
  out.resize(kMostLists);
  return out;
}

std::vector<Bounds> fitting(const stablehlo::Words& words, const Axes& map, const Axes& operand, const Axes& sizes,
                            OutOfRange outside) {
  std::vector<Bounds> out;
  for (const Index d : map)
    out.push_back(stablehlo::fitting(words, stablehlo::at(operand, d), stablehlo::at(sizes, d), outside));
  return out;
}

}  // namespace garner::jax
