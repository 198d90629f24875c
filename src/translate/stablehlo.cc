// One operation a line, as JAX prints them. StableHLO leaves the order of a scatter's updates open; programs ask for
// nothing that depends on it.
#include "translate/stablehlo.h"

#include <cmath>
#include <cstring>

#include "base/fail.h"
#include "dialect/stablehlo/combine_words.h"
#include "dtype/convert.h"
#include "tensor/print.h"

namespace garner::translate_detail {
namespace {

bool combines(Combine c) { return is_arithmetic(c) || is_bitwise(c); }

std::string element_type(DType t) {
  switch (kind(t)) {
    case Kind::kBool: return "i1";
    case Kind::kInt: return fmt::format("i{}", info(t).bits);
    case Kind::kUInt: return fmt::format("ui{}", info(t).bits);
    case Kind::kComplex: return fmt::format("complex<f{}>", info(t).bits / 2);
    case Kind::kFloat: break;
  }
  if (t == DType::kF8E4M3) return "f8E4M3FN";
  if (t == DType::kF8E5M2) return "f8E5M2";
  return std::string(name(t));
}

std::string type_text(DType t, const Axes& shape) {
  std::string out = "tensor<";
  for (const Index n : shape) out += fmt::format("{}x", n);
  return out + element_type(t) + ">";
}

/// Digits enough to give the number back; the bits of what has no digits.
template <class T>
std::string real_text(T value) {
  const auto number = static_cast<double>(to_compute(value));
  if (std::isfinite(number)) return fmt::format("{:.17e}", number);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return fmt::format("0x{:0{}X}", bits, sizeof(T) * 2);
}

template <class T>
std::string element_text(T value) {
  if constexpr (std::is_same_v<T, Bool>) return value ? "true" : "false";
  else if constexpr (is_complex_v<T>) return fmt::format("({}, {})", real_text(value.real()), real_text(value.imag()));
  else if constexpr (is_index_v<T>) return fmt::format("{}", value);
  else return real_text(value);
}

std::string dense_text(const Tensor& value) {
  if (value.elements() == 0) return "dense<>";
  const ElementText text = [&](const std::byte* at) {
    return dispatch(value.dtype(), [&]<class T>() {
      T element;
      std::memcpy(&element, at, sizeof(T));
      return element_text(element);
    });
  };
  return fmt::format("dense<{}>", nested(value, text, {.separator = ", ", .rows = Rows::kSameLine}));
}

class ModuleWriter {
 public:
  explicit ModuleWriter(const Program& program) : program_(program), names_(program.nodes.size()) {}

  std::string write(const std::string& op) {
    for (const int n : program_.inputs) names_[static_cast<std::size_t>(n)] = fmt::format("%arg{}", program_[n].number);
    for (int n = 0; n < static_cast<int>(program_.nodes.size()); ++n) write_node(n);
    return head(op) + body_ + tail();
  }

 private:
  std::string head(const std::string& op) const {
    std::string out = fmt::format("// {}\n", op);
    for (const std::string& note : program_.notes) out += fmt::format("// Note: {}.\n", note);
    std::vector<std::string> parameters;
    for (const int n : program_.inputs) parameters.push_back(fmt::format("{}: {}", name_of(n), type_of(n)));
    return out + fmt::format("module @call {{\n  func.func public @main({}) -> ({}) {{\n", fmt::join(parameters, ", "),
                             fmt::join(result_types(), ", "));
  }

  std::string tail() const {
    std::vector<std::string> results;
    for (const int n : program_.results) results.push_back(name_of(n));
    return fmt::format("    return {} : {}\n  }}\n}}\n", fmt::join(results, ", "), fmt::join(result_types(), ", "));
  }

  std::vector<std::string> result_types() const {
    std::vector<std::string> types;
    for (const int n : program_.results) types.push_back(type_of(n));
    return types;
  }

  const std::string& name_of(int n) const { return names_[static_cast<std::size_t>(n)]; }
  std::string type_of(int n) const { return type_text(program_[n].dtype, program_[n].shape); }

  /// A line of its own; gives the name of what it computes.
  std::string assign(const std::string& what) {
    std::string name = fmt::format("%{}", next_++);
    body_ += fmt::format("    {} = {}\n", name, what);
    return name;
  }

  template <class... Args>
  std::string line(fmt::format_string<Args...> text, Args&&... args) {
    return assign(fmt::format("stablehlo.{}", fmt::format(text, std::forward<Args>(args)...)));
  }

  std::string number(Index value) { return line("constant dense<{}> : tensor<i64>", value); }

  std::string spread(const std::string& value, const std::string& type, std::size_t rank, const std::string& to,
                     std::size_t to_rank) {
    Axes dims;
    for (std::size_t a = 0; a < rank; ++a) dims.push_back(static_cast<Index>(to_rank - rank + a));
    return line("broadcast_in_dim {}, dims = [{}] : ({}) -> {}", value, fmt::join(dims, ", "), type, to);
  }

  /// The operand in the shape of the result.
  std::string wide(int n, const Axes& shape) {
    const Node& node = program_[n];
    if (node.shape == shape) return name_of(n);
    return spread(name_of(n), type_of(n), node.shape.size(), type_text(node.dtype, shape), shape.size());
  }

  std::string number_like(Index value, const Node& node) {
    return spread(number(value), "tensor<i64>", 0, type_text(DType::kI64, node.shape), node.shape.size());
  }

  std::string same(const char* op, const Node& node) {
    const std::string a = wide(node.args[0], node.shape), b = wide(node.args[1], node.shape);
    return line("{} {}, {} : {}", op, a, b, type_text(node.dtype, node.shape));
  }

  std::string unary(const std::string& op, const Node& node) {
    return line("{} {} : ({}) -> {}", op, name_of(node.args[0]), type_of(node.args[0]),
                type_text(node.dtype, node.shape));
  }

  std::string slice(const Node& node) {
    std::vector<std::string> parts;
    for (std::size_t a = 0; a < node.shape.size(); ++a) {
      const Index start = node.axes[a], step = node.steps[a], end = start + (node.shape[a] - 1) * step + 1;
      parts.push_back(fmt::format("{}:{}{}", start, end, step == 1 ? "" : fmt::format(":{}", step)));
    }
    return line("slice {} [{}] : ({}) -> {}", name_of(node.args[0]), fmt::join(parts, ", "), type_of(node.args[0]),
                type_text(node.dtype, node.shape));
  }

  std::string less(const std::string& a, const std::string& b, const Axes& shape) {
    return line("compare LT, {}, {}, SIGNED : ({}, {}) -> {}", a, b, type_text(DType::kI64, shape),
                type_text(DType::kI64, shape), type_text(DType::kBool, shape));
  }

  /// stablehlo.remainder has the sign of the dividend.
  std::string mod(const Node& node) {
    const std::string type = type_text(DType::kI64, node.shape), n = number_like(node.number, node);
    const std::string rest = line("remainder {}, {} : {}", name_of(node.args[0]), n, type);
    const std::string negative = less(rest, number_like(0, node), node.shape);
    const std::string up = line("add {}, {} : {}", rest, n, type);
    return line("select {}, {}, {} : {}, {}", negative, up, rest, type_text(DType::kBool, node.shape), type);
  }

  std::string clamp(const Node& node) {
    const std::string low = number(node.low), high = number(node.high), type = type_text(DType::kI64, node.shape);
    return line("clamp {}, {}, {} : (tensor<i64>, {}, tensor<i64>) -> {}", low, name_of(node.args[0]), high, type,
                type);
  }

  std::string select(const Node& node) {
    const std::string c = wide(node.args[0], node.shape), a = wide(node.args[1], node.shape),
                      b = wide(node.args[2], node.shape);
    return line("select {}, {}, {} : {}, {}", c, a, b, type_text(DType::kBool, node.shape),
                type_text(node.dtype, node.shape));
  }

  /// Whole slices along one axis; with a vector and axis 0, single elements.
  std::string take(const Node& node) {
    const Node &from = program_[node.args[0]], &index = program_[node.args[1]];
    Axes offset_dims, sizes = from.shape;
    const auto middle = static_cast<Index>(index.shape.size());
    for (Index a = 0; a + 1 < static_cast<Index>(from.shape.size()); ++a)
      offset_dims.push_back(a < node.number ? a : a + middle);
    sizes[static_cast<std::size_t>(node.number)] = 1;
    return assign(
        fmt::format("\"stablehlo.gather\"({}, {}) <{{dimension_numbers = #stablehlo.gather<{}collapsed_slice_dims = "
                    "[{}], start_index_map = "
                    "[{}], index_vector_dim = {}>, slice_sizes = array<i64: {}>}}> : ({}, {}) -> {}",
                    name_of(node.args[0]), name_of(node.args[1]),
                    offset_dims.empty() ? "" : fmt::format("offset_dims = [{}], ", fmt::join(offset_dims, ", ")),
                    node.number, node.number, middle, fmt::join(sizes, ", "), type_of(node.args[0]),
                    type_of(node.args[1]), type_text(node.dtype, node.shape)));
  }

  std::string scatter(const Node& node) {
    const std::string element = type_text(node.dtype, {});
    const std::string work = node.combine == Combine::kAssign
                                 ? ""
                                 : fmt::format("      %sum = stablehlo.{} %current, %update : {}\n",
                                               stablehlo::op_of(node.combine), element);
    return assign(fmt::format(
        "\"stablehlo.scatter\"({}, {}, {}) <{{indices_are_sorted = false, scatter_dimension_numbers = "
        "#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, "
        "unique_indices = false}}> ({{\n    ^bb0(%current: {}, %update: {}):\n{}      stablehlo.return {} : {}\n    "
        "}}) "
        ": ({}, {}, {}) -> {}",
        name_of(node.args[0]), name_of(node.args[1]), name_of(node.args[2]), element, element, work,
        work.empty() ? "%update" : "%sum", element, type_of(node.args[0]), type_of(node.args[1]), type_of(node.args[2]),
        type_text(node.dtype, node.shape)));
  }

  void write_node(int n) {
    const std::string result = text(program_[n]);
    if (!result.empty()) names_[static_cast<std::size_t>(n)] = result;
  }

  std::string text(const Node& node) {
    const std::string type = type_text(node.dtype, node.shape);
    switch (node.op) {
      case Op::kInput: return "";
      case Op::kConstant: return line("constant {} : {}", dense_text(node.value), type);
      case Op::kIota: return line("iota dim = 0 : {}", type);
      case Op::kReshape: return unary("reshape", node);
      case Op::kBroadcast: return wide(node.args[0], node.shape);
      case Op::kTranspose:
        return line("transpose {}, dims = [{}] : ({}) -> {}", name_of(node.args[0]), fmt::join(node.axes, ", "),
                    type_of(node.args[0]), type);
      case Op::kSlice: return slice(node);
      case Op::kConvert: return unary("convert", node);
      case Op::kBitcast: return unary("bitcast_convert", node);
      case Op::kAdd: return same("add", node);
      case Op::kMul: return same("multiply", node);
      case Op::kClamp: return clamp(node);
      case Op::kMod: return mod(node);
      case Op::kLess: return less(wide(node.args[0], node.shape), wide(node.args[1], node.shape), node.shape);
      case Op::kAnd: return same("and", node);
      case Op::kNot: return line("not {} : {}", name_of(node.args[0]), type);
      case Op::kSelect: return select(node);
      case Op::kTake:
      case Op::kTakeAxis: return take(node);
      case Op::kTakeElements: return "";  // the target has it not
      case Op::kConcat:
        return line("concatenate {}, {}, dim = 0 : ({}, {}) -> {}", name_of(node.args[0]), name_of(node.args[1]),
                    type_of(node.args[0]), type_of(node.args[1]), type);
      case Op::kScatter: return scatter(node);
      case Op::kCheck: return "";
    }
    return "";
  }

  const Program& program_;
  std::vector<std::string> names_;
  std::string body_;
  int next_ = 0;
};

}  // namespace

const Target& stablehlo_target() {
  static const Target kTarget{.name = "stablehlo",
                              .has = has_all,
                              .moved_as = as_itself,
                              .combines = combines,
                              .take_elements = false,
                              .can_check = false};
  return kTarget;
}

std::string stablehlo_module(const Program& program, const std::string& op) { return ModuleWriter(program).write(op); }

}  // namespace garner::translate_detail
