// The plan as text. What is printed is all there is: parse_plan gives the same plan back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/fail.h"
#include "plan/names.h"

namespace garner {
namespace {

std::string comma(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ", ")); }

std::string print_domain(const Axes& domain) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < domain.size(); ++k) parts.push_back(fmt::format("{}:{}", axis_name(k), domain[k]));
  return fmt::format("({})", comma(parts));
}

/// "[10,64] = (i, k) stride (64,1)": the domain axes that move it. A stride of 0 is not listed.
std::string print_strides(const Axes& domain, const Axes& stride) {
  std::vector<std::string> names;
  Axes extents, moving;
  for (std::size_t k = 0; k < stride.size(); ++k) {
    if (stride[k] == 0) continue;
    names.push_back(axis_name(k));
    extents.push_back(domain[k]);
    moving.push_back(stride[k]);
  }
  return fmt::format("{} = ({}) stride ({})", list(extents), comma(names), fmt::join(moving, ","));
}

void append_part(std::string& out, Index factor, const std::string& what) {
  const bool first = out.empty();
  if (factor < 0) out += first ? "-" : " - ";
  else if (!first) out += " + ";
  // Unsigned negation is right for the smallest Index too.
  const auto size = factor < 0 ? 0 - static_cast<std::uint64_t>(factor) : static_cast<std::uint64_t>(factor);
  if (what.empty()) out += fmt::format("{}", size);
  else out += size == 1 ? what : fmt::format("{}*{}", size, what);
}

/// "%0 + 2*i - 1"
std::string print_axis(const AxisMap& map) {
  std::string out;
  if (map.term >= 0) append_part(out, 1, fmt::format("%{}", map.term));
  for (std::size_t k = 0; k < map.step.size(); ++k)
    if (map.step[k] != 0) append_part(out, map.step[k], axis_name(k));
  if (map.offset != 0 || out.empty()) append_part(out, map.offset, "");
  return out;
}

std::string print_indexed(const IndexPlan& plan) {
  std::vector<std::string> maps;
  Axes extents, strides;
  for (const AxisMap& map : plan.indexed) {
    maps.push_back(print_axis(map));
    extents.push_back(map.extent);
    strides.push_back(map.stride);
  }
  std::string out = fmt::format("{} = ({}) stride ({})", list(extents), comma(maps), fmt::join(strides, ","));
  if (plan.indexed_base != 0) out += fmt::format(" base {}", plan.indexed_base);
  return out;
}

std::string print_bounds(const Bounds& b) {
  std::string out = fmt::format("in [{},{})", b.lo, b.hi);
  if (b.wrap != 0) out += fmt::format(" wrap {}", b.wrap);
  out += fmt::format(" {}", name(b.policy));
  if (b.scope == Scope::kPosition) out += " at position";
  return out;
}

void append_optional(std::string& out, const char* what, const Axes& domain, const std::optional<Axes>& stride) {
  if (stride) out += fmt::format("  {} {}\n", what, print_strides(domain, *stride));
}

}  // namespace

std::string print(const IndexPlan& plan) {
  const bool gather = plan.direction == Direction::kGather;
  std::string out = gather ? fmt::format("gather {} ", name(plan.dtype))
                           : fmt::format("scatter {} {} ", name(plan.dtype), name(plan.combine));
  out += print_domain(plan.domain) + "\n";
  out += fmt::format("  indexed {}\n", print_indexed(plan));
  out += fmt::format("  dense {}\n", print_strides(plan.domain, plan.dense_stride));
  for (std::size_t t = 0; t < plan.terms.size(); ++t)
    out += fmt::format("  %{} {} {} {}\n", t, name(plan.terms[t].dtype),
                       print_strides(plan.domain, plan.terms[t].stride), print_bounds(plan.terms[t].bounds));
  append_optional(out, "mask", plan.domain, plan.mask_stride);
  append_optional(out, "fill", plan.domain, plan.fill_stride);
  append_optional(out, "fetch", plan.domain, plan.fetch_stride);
  return out;
}

}  // namespace garner
