#include "translate/python.h"

#include <cmath>
#include <map>
#include <set>

#include "base/fail.h"
#include "dtype/convert.h"

namespace garner::translate_detail {
namespace {

std::string real_text(double value, const std::string& digits) {
  if (std::isnan(value)) return "float('nan')";
  if (std::isinf(value)) return value < 0 ? "-float('inf')" : "float('inf')";
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

/// The shortest digits that give the number back.
template <class T>
std::string element_text(T value) {
  if constexpr (std::is_same_v<T, Bool>) return value ? "True" : "False";
  else if constexpr (is_complex_v<T>)
    return fmt::format("complex({}, {})", element_text(value.real()), element_text(value.imag()));
  else if constexpr (is_index_v<T>) return fmt::format("{}", static_cast<Compute<T>>(value));
  else return real_text(static_cast<double>(to_compute(value)), fmt::format("{}", to_compute(value)));
}

std::string list_text(const Axes& axes) { return fmt::format("{}", fmt::join(axes, ", ")); }

/// "0:2, 1:5:2"
std::string slices_text(const Node& node) {
  std::vector<std::string> parts;
  for (std::size_t a = 0; a < node.shape.size(); ++a) {
    const Index start = node.axes[a], step = node.steps[a], end = start + (node.shape[a] - 1) * step + 1;
    parts.push_back(step == 1 ? fmt::format("{}:{}", start, end) : fmt::format("{}:{}:{}", start, end, step));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

constexpr std::size_t kMaxInline = 70;  // a longer expression gets a line of its own

using Blanks = std::map<std::string, std::string>;

/// Between a function's brackets and commas an expression needs none of its own.
std::string bare(const std::string& text, std::string_view before, std::string_view after) {
  const bool alone =
      (before.ends_with('(') || before.ends_with(", ")) && (after.starts_with(')') || after.starts_with(','));
  return alone && text.starts_with('(') ? text.substr(1, text.size() - 2) : text;
}

/// Fills the {blanks} of a spelling.
std::string filled(std::string_view spelling, const Blanks& blanks) {
  std::string out;
  for (std::size_t at = 0; at < spelling.size();) {
    const auto end = spelling[at] == '{' ? spelling.find('}', at) : std::string_view::npos;
    const auto blank =
        end == std::string_view::npos ? blanks.end() : blanks.find(std::string(spelling.substr(at + 1, end - at - 1)));
    if (blank == blanks.end()) out += spelling[at++];
    else {
      const bool operand = std::isdigit(static_cast<unsigned char>(blank->first[0])) != 0;
      out += operand ? bare(blank->second, spelling.substr(0, at), spelling.substr(end + 1)) : blank->second;
      at = end + 1;
    }
  }
  return out;
}

template <class Key>
std::string_view look_up(const std::vector<std::pair<Key, const char*>>& table, Key key) {
  for (const auto& [k, text] : table)
    if (k == key) return text;
  return "";
}

bool is_number(const Node& node) { return node.op == Op::kConstant && node.dtype == DType::kI64 && node.shape.empty(); }

/// Where a Python integer may stand beside an array.
bool takes_numbers(Op op) { return op == Op::kAdd || op == Op::kMul || op == Op::kLess || op == Op::kSelect; }

/// What may stand inside another expression.
bool is_short(Op op) { return op == Op::kAdd || op == Op::kMul || op == Op::kLess || op == Op::kAnd || op == Op::kNot; }

std::vector<int> uses_of(const Program& program) {
  std::vector<int> uses(program.nodes.size());
  for (const Node& node : program.nodes)
    for (const int a : node.args) ++uses[static_cast<std::size_t>(a)];
  for (const int r : program.results) ++uses[static_cast<std::size_t>(r)];
  return uses;
}

class Writer {
 public:
  Writer(const Program& program, const Words& words)
      : program_(program), words_(words), names_(program.nodes.size()), uses_(uses_of(program)) {}

  std::string write(const std::string& op) {
    std::string out = fmt::format("{}\n\n\ndef call({}):\n", words_.imports, fmt::join(parameters(), ", "));
    out += fmt::format("    \"\"\"{}\"\"\"\n", doc(op));
    for (int n = 0; n < static_cast<int>(program_.nodes.size()); ++n) out += statement(n);
    std::vector<std::string> results;
    for (const int r : program_.results) results.push_back(text_of(r, Op::kReshape));
    return out + fmt::format("    return {}\n", fmt::join(results, ", "));
  }

 private:
  std::vector<std::string> parameters() {
    std::vector<std::string> out;
    for (const int n : program_.inputs) out.push_back(program_[n].name);
    used_.insert(out.begin(), out.end());
    return out;
  }

  std::string doc(const std::string& op) const {
    std::vector<std::string> parts;
    for (const int n : program_.inputs)
      parts.push_back(fmt::format("{} {}{}", program_[n].name, name(program_[n].dtype), list(program_[n].shape)));
    std::string out = fmt::format("{}: {}.", op, fmt::join(parts, ", "));
    for (const std::string& note : program_.notes) out += fmt::format("\n\n    Note: {}.", note);
    return out;
  }

  std::string fresh(const std::string& wanted) {
    const std::string base = wanted.empty() ? "t" : wanted;
    std::string name = wanted;
    for (int n = 0; name.empty() || used_.contains(name); ++n) name = fmt::format("{}{}", base, n);
    used_.insert(name);
    return name;
  }

  std::string text_of(int n, Op user) const {
    const Node& node = program_[n];
    if (node.op == Op::kInput) return node.name;
    if (is_number(node) && takes_numbers(user)) return filled(words_.number, {{"values", number_text(node)}});
    if (node.op == Op::kConstant) return constant_text(node);
    return names_[static_cast<std::size_t>(n)];
  }

  static std::string number_text(const Node& node) { return fmt::format("{}", *node.value.as<Index>()); }

  std::string constant_text(const Node& node) const {
    return filled(words_.array, {{"values", python_list(node.value)},
                                 {"dtype", words_.prefix + numpy_name(node.dtype)},
                                 {"shape", python_tuple(node.shape)}});
  }

  Blanks blanks_of(const Node& node, const std::string& out) const {
    Blanks blanks{{"shape", python_tuple(node.shape)},
                  {"dtype", words_.prefix + numpy_name(node.dtype)},
                  {"number", fmt::format("{}", node.number)},
                  {"low", fmt::format("{}", node.low)},
                  {"high", fmt::format("{}", node.high)},
                  {"axes", list_text(node.axes)},
                  {"message", node.name},
                  {"size", fmt::format("{}", node.shape.empty() ? 1 : node.shape[0])},
                  {"out", out}};
    if (node.op == Op::kSlice) blanks["slices"] = slices_text(node);
    for (std::size_t i = 0; i < node.args.size(); ++i) blanks[fmt::format("{}", i)] = text_of(node.args[i], node.op);
    for (Index a = 0; a < node.number && node.op == Op::kTakeAxis; ++a) blanks["colons"] += ":, ";
    blanks.try_emplace("colons", "");
    return blanks;
  }

  std::string statement(int n) {
    const Node& node = program_[n];
    if (node.op == Op::kInput || node.op == Op::kConstant) return "";
    const std::string_view spelling =
        node.op == Op::kScatter ? look_up(words_.scatter, node.combine) : look_up(words_.spelling, node.op);
    if (node.op == Op::kCheck) return filled(spelling, blanks_of(node, ""));
    const auto at = static_cast<std::size_t>(n);
    if (is_short(node.op) && uses_[at] == 1 && node.name.empty()) {
      const std::string text = filled(spelling, blanks_of(node, ""));
      names_[at] = node.op == Op::kNot ? text : fmt::format("({})", text);
      if (names_[at].size() < kMaxInline) return "";
    }
    const std::string out = names_[at] = fresh(node.name);
    if (spelling.starts_with("    ")) return filled(spelling, blanks_of(node, out));
    return fmt::format("    {} = {}\n", out, filled(spelling, blanks_of(node, out)));
  }

  const Program& program_;
  const Words& words_;
  std::vector<std::string> names_;  // of nodes: a variable, or an expression in brackets
  std::vector<int> uses_;
  std::set<std::string> used_{"np", "torch", "jax", "jnp", "tf", "call"};
};

}  // namespace

std::string python_list(const Tensor& value) {
  std::vector<std::string> parts;
  dispatch(value.dtype(), [&]<class T>() {
    for (Index i = 0; i < value.elements(); ++i) parts.push_back(element_text(value.as<T>()[i]));
  });
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string python_tuple(const Axes& axes) {
  return fmt::format("({}{})", fmt::join(axes, ", "), axes.size() == 1 ? "," : "");
}

std::string numpy_name(DType dtype) {
  const std::string digits = fmt::format("{}", info(dtype).bits);
  switch (kind(dtype)) {
    case Kind::kBool: return "bool";
    case Kind::kInt: return "int" + digits;
    case Kind::kUInt: return "uint" + digits;
    case Kind::kComplex: return "complex" + digits;
    case Kind::kFloat: break;
  }
  if (dtype == DType::kF8E4M3) return "float8_e4m3fn";
  if (dtype == DType::kF8E5M2) return "float8_e5m2";
  return dtype == DType::kBF16 ? "bfloat16" : "float" + digits;
}

std::string python_source(const Program& program, const Words& words, const std::string& op) {
  return Writer(program, words).write(op);
}

}  // namespace garner::translate_detail
