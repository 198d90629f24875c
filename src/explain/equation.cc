#include "explain/equation.h"

#include <algorithm>

#include "base/fail.h"
#include "plan/names.h"
#include "tensor/print.h"

namespace garner {
namespace {

using Texts = std::vector<std::string>;

bool stands_still(const Axes& stride) {
  return std::ranges::all_of(stride, [](Index s) { return s == 0; });
}

/// "input[i, 0]"; a rank-0 tensor has no brackets.
std::string element(const std::string& tensor, const Texts& coordinates) {
  return coordinates.empty() ? tensor : fmt::format("{}[{}]", tensor, fmt::join(coordinates, ", "));
}

void append_part(std::string& out, Index factor, const std::string& what) {
  const bool first = out.empty();
  if (factor < 0) out += first ? "-" : " - ";
  else if (!first) out += " + ";
  const Index size = factor < 0 ? -factor : factor;  // verify() keeps steps and offsets far from the smallest Index
  if (what.empty()) out += fmt::format("{}", size);
  else out += size == 1 ? what : fmt::format("{}*{}", size, what);
}

/// Combines that are written with a sign; the others are functions.
struct Sign {
  Combine combine;
  const char* sign;
};
constexpr Sign kSigns[] = {{Combine::kAssign, "="}, {Combine::kAdd, "+="}, {Combine::kMul, "*="},
                           {Combine::kAnd, "&="},   {Combine::kOr, "|="},  {Combine::kXor, "^="}};

class Speaker {
 public:
  Speaker(const Job& job, const GivenTensors& given) : job_(job), plan_(job.plan), given_(given) {}

  Wording speak() {
    Wording out{is_gather() ? gather_equation() : scatter_equation(), {}};
    for (const AxisMap& map : plan_.indexed) add_bounds(map, out.rules);
    if (plan_.mask_stride) out.rules.push_back(fmt::format("where {} is false, {}", mask(), instead()));
    if (!is_gather()) add_scatter_rules(out.rules);
    return out;
  }

 private:
  bool is_gather() const { return plan_.direction == Direction::kGather; }

  // ---- coordinates ----

  /// "i"; an axis of extent 1 has but one position.
  std::string axis(std::size_t k) const { return plan_.domain[k] == 1 ? "0" : axis_name(k); }

  /// The domain axes that move a tensor.
  Texts moving_axes(const Axes& stride) const {
    Texts names;
    for (std::size_t k = 0; k < stride.size(); ++k)
      if (stride[k] != 0) names.push_back(axis(k));
    return names;
  }

  /// Coordinates in a tensor that lies along the last axes of the domain by NumPy's broadcasting; nothing if it does
  /// not.
  std::optional<Texts> broadcast_coordinates(const View& whole, const Axes& stride) const {
    if (whole.rank() > static_cast<Index>(stride.size())) return std::nullopt;
    const std::size_t lead = stride.size() - static_cast<std::size_t>(whole.rank());
    Texts names;
    for (std::size_t k = 0; k < stride.size(); ++k) {
      const bool stretched = k >= lead && whole.shape()[k - lead] == 1;
      if (k < lead ? stride[k] != 0 : !stretched && stride[k] != whole.stride()[k - lead]) return std::nullopt;
      if (k >= lead) names.push_back(stretched ? "0" : axis(k));
    }
    return names;
  }

  // ---- elements ----

  /// A number that stands for a whole tensor is said as a number, unless the user gave it a name of its own.
  std::string along(const View& view, const Axes& stride, const char* otherwise) const {
    const GivenTensor* whole = given_.holding(view);
    const bool named = whole != nullptr && whole->view.rank() == 0;
    if (!named && stands_still(stride) && !stride.empty() && view.elements() > 0)
      return scalar_text(view.dtype())(static_cast<const std::byte*>(view.data()));
    const auto coordinates = whole == nullptr ? std::nullopt : broadcast_coordinates(whole->view, stride);
    return element(given_.name_of(view, otherwise), coordinates.value_or(moving_axes(stride)));
  }

  std::string mask() const { return along(*job_.mask, *plan_.mask_stride, "mask"); }
  std::string updates() const { return along(*job_.updates, plan_.dense_stride, "updates"); }

  std::string operand() const {
    const View& view = *job_.operand;
    const GivenTensor* whole = given_.holding(view);
    const bool flat = whole != nullptr && whole->view.rank() > 1 && plan_.indexed.size() == 1;
    return fmt::format("{}{}", given_.name_of(view, "operand"), flat ? ".flat" : "");
  }

  std::string start() const {
    if (!job_.operand) return "zeros";
    const View& view = *job_.operand;
    const bool number = stands_still(view.stride()) && view.rank() > 0 && view.elements() > 0;
    return number ? scalar_text(view.dtype())(static_cast<const std::byte*>(view.data())) : operand();
  }

  std::string fill() const { return plan_.fill_stride ? along(*job_.fill, *plan_.fill_stride, "fill") : "0"; }

  /// What the term of an axis reads: "index[i, 0]".
  std::string term(const AxisMap& map) const {
    const auto t = static_cast<std::size_t>(map.term);
    if (t >= job_.labels.size()) return element(fmt::format("%{}", t), moving_axes(plan_.terms[t].stride));
    const TermLabel& label = job_.labels[t];
    Texts coordinates;
    for (std::size_t j = 0; j < label.domain_axis.size(); ++j)
      coordinates.push_back(label.domain_axis[j] < 0 ? fmt::to_string(label.fixed[j])
                                                     : axis(static_cast<std::size_t>(label.domain_axis[j])));
    if (!is_from_mask(job_, given_, t)) return element(label.name, coordinates);
    if (coordinates.size() == 1) coordinates.push_back(fmt::to_string(&map - plan_.indexed.data()));
    return element(fmt::format("nonzero({})", label.name), coordinates);
  }

  /// "index[i, j] + k - 1"
  std::string position(const AxisMap& map) const {
    std::string out;
    if (map.term >= 0) append_part(out, 1, term(map));
    for (std::size_t k = 0; k < map.step.size(); ++k)
      if (map.step[k] != 0 && plan_.domain[k] != 1) append_part(out, map.step[k], axis_name(k));
    if (map.offset != 0 || out.empty()) append_part(out, map.offset, "");
    return out;
  }

  Texts positions() const {
    Texts out;
    for (const AxisMap& map : plan_.indexed) out.push_back(position(map));
    return out;
  }

  std::string here() const {
    Texts names;
    for (std::size_t k = 0; k < plan_.domain.size(); ++k) names.push_back(axis(k));
    return element("result", names);
  }

  // ---- the equation ----

  std::string gather_equation() const { return fmt::format("{} = {}", here(), element(operand(), positions())); }

  std::string scatter_equation() const {
    const std::string to = element("result", positions()), from = updates();
    for (const Sign& known : kSigns)
      if (known.combine == plan_.combine) return fmt::format("{} {} {}", to, known.sign, from);
    if (plan_.combine == Combine::kCompareExchange) return fmt::format("{0} = {1} if {0} == {2}", to, from, fill());
    const std::string_view function = plan_.combine == Combine::kUser ? "f" : name(plan_.combine);
    return fmt::format("{0} = {1}({0}, {2})", to, function, from);
  }

  // ---- what happens to a bad index ----

  /// What a read or a write that does not take place leaves.
  std::string instead() const {
    return is_gather() ? fmt::format("{} is {}", here(), fill()) : "the update is dropped";
  }

  std::string otherwise(std::size_t t, OutOfRange policy) const {
    const std::string rule = t < job_.labels.size() ? job_.labels[t].rule : "P16";
    if (policy == OutOfRange::kTrap) return fmt::format("otherwise an error ({})", rule);
    if (policy == OutOfRange::kPromise) return "which the caller promises and nobody checks";
    return fmt::format("otherwise {}", instead());
  }

  void add_bounds(const AxisMap& map, Texts& rules) const {
    if (map.term < 0 || is_from_mask(job_, given_, static_cast<std::size_t>(map.term))) return;
    const auto t = static_cast<std::size_t>(map.term);
    const Bounds& b = plan_.terms[t].bounds;
    const std::string what = b.scope == Scope::kPosition ? position(map) : term(map);
    if (b.wrap != 0) rules.push_back(fmt::format("a negative {} counts from the end: {} is added", term(map), b.wrap));
    const char* then = b.wrap != 0 ? "then " : "";
    if (b.policy == OutOfRange::kClamp)
      rules.push_back(fmt::format("{}{} is clamped to [{}, {}]", then, what, b.lo, b.hi - 1));
    else if (b.policy == OutOfRange::kModulo)
      rules.push_back(fmt::format("{}{} is taken modulo {} into [{}, {})", then, what, b.hi - b.lo, b.lo, b.hi));
    else rules.push_back(fmt::format("{}{} in [{}, {}), {}", then, what, b.lo, b.hi, otherwise(t, b.policy)));
  }

  void add_scatter_rules(Texts& rules) const {
    rules.push_back(fmt::format("result starts as {}", start()));
    rules.emplace_back(plan_.combine == Combine::kAssign
                           ? "of several updates of one place the last in row-major order stays"
                           : "several updates of one place combine in row-major order");
    if (plan_.fetch_stride) rules.emplace_back("the value before each update is a result, too");
    if (!job_.more_operands.empty())
      rules.push_back(fmt::format("{} more operands are updated by the same function at the same places",
                                  job_.more_operands.size()));
  }

  const Job& job_;
  const IndexPlan& plan_;
  const GivenTensors& given_;
};

}  // namespace

bool is_from_mask(const Job& job, const GivenTensors& given, std::size_t term) {
  if (term >= job.labels.size() || given.holding(job.indices[term]) != nullptr) return false;
  const GivenTensor* source = given.named(job.labels[term].name);
  return source != nullptr && source->view.dtype() == DType::kBool;
}

Wording put_in_words(const Job& job, const GivenTensors& given) { return Speaker(job, given).speak(); }

}  // namespace garner
