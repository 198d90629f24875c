#include "call/literal.h"

#include <charconv>
#include <cmath>

#include "base/checked_math.h"
#include "dtype/convert.h"
#include "garner/format.h"

namespace garner {
namespace {

template <class... Args>
Status syntax(fmt::format_string<Args...> text, Args&&... args) {
  return fail(Code::kInvalidArgument, "A4", "call: {}", fmt::format(text, std::forward<Args>(args)...));
}

/// from_chars takes no leading plus.
std::string_view without_plus(std::string_view text) { return text.starts_with('+') ? text.substr(1) : text; }

template <class T>
std::optional<T> parse_number(std::string_view text) {
  text = without_plus(text);
  T out{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

/// "1+2j", "3j", "1.5": where the imaginary part begins, if there is one.
std::optional<std::complex<double>> parse_complex(std::string_view text) {
  if (!text.ends_with('j')) {
    const auto real = parse_number<double>(text);
    return real ? std::optional(std::complex<double>(*real, 0)) : std::nullopt;
  }
  text.remove_suffix(1);
  std::size_t split = text.find_last_of("+-");
  if (split != std::string_view::npos && split > 0 && (text[split - 1] == 'e' || text[split - 1] == 'E'))
    split = text.find_last_of("+-", split - 1);
  if (split == std::string_view::npos || split == 0) split = 0;
  const auto real = split == 0 ? std::optional(0.0) : parse_number<double>(text.substr(0, split));
  const auto imaginary = parse_number<double>(text.substr(split));
  return real && imaginary ? std::optional(std::complex<double>(*real, *imaginary)) : std::nullopt;
}

/// One element from its text, exactly: an integer dtype takes integers in its range, bool takes true, false, 0 and 1.
template <class T>
std::optional<T> parse_element(std::string_view text) {
  if constexpr (std::is_same_v<T, Bool>) {
    if (text == "true" || text == "True" || text == "1") return Bool(true);
    if (text == "false" || text == "False" || text == "0") return Bool(false);
    return std::nullopt;
  } else if constexpr (is_index_v<T> || std::is_floating_point_v<T>) {
    return parse_number<T>(text);
  } else if constexpr (is_complex_v<T>) {
    const auto z = parse_complex(text);
    return z ? std::optional(T(*z)) : std::nullopt;
  } else {
    const auto f = parse_number<float>(text);
    if (!f) return std::nullopt;
    const T element = convert<T>(*f);
    if (std::isfinite(*f) && !std::isfinite(to_compute(element))) return std::nullopt;  // too large for the dtype
    return element;
  }
}

/// Leaves of nested lists in order, with the shape; rows must agree.
struct Leaves {
  Axes shape;
  std::vector<std::string_view> texts;

  Status add(const Node& node, std::size_t depth) {
    if (!node.is_type<grammar::list>()) {
      if (depth != shape.size()) return syntax("rows of a tensor differ in depth at '{}'", node.string_view());
      texts.push_back(node.string_view());
      return {};
    }
    const auto n = static_cast<Index>(node.children.size());
    if (depth == shape.size() && texts.empty()) shape.push_back(n);
    if (depth >= shape.size() || shape[depth] != n)
      return syntax("rows of a tensor differ in length at '{}'", node.string_view());
    for (const auto& child : node.children) GARNER_TRY(add(*child, depth + 1));
    return {};
  }
};

Result<DType> dtype_of_name(std::string_view text) {
  const auto dtype = dtype_named(text);
  if (!dtype) return syntax("'{}' is no dtype", text);
  return *dtype;
}

Result<Tensor> tensor_of(DType dtype, const Axes& shape, std::span<const std::string_view> texts) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(dtype, shape));
  GARNER_TRY(dispatch(dtype, [&]<class T>() -> Status {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto element = parse_element<T>(texts[i]);
      if (!element) return syntax("'{}' is no {}", texts[i], name(dtype));
      out.as<T>()[i] = *element;
    }
    return {};
  }));
  return out;
}

Result<Value> typed_list(const Node& node) {
  GARNER_ASSIGN(const DType dtype, dtype_of_name(node.children[0]->string_view()));
  Leaves leaves;
  GARNER_TRY(leaves.add(*node.children[1], 0));
  GARNER_ASSIGN(Tensor t, tensor_of(dtype, leaves.shape, leaves.texts));
  return Value{std::move(t)};
}

Result<Axes> extents_of(std::span<const std::unique_ptr<Node>> nodes) {
  Axes shape;
  for (const auto& node : nodes) {
    const auto n = parse_number<Index>(node->string_view());
    if (!n || *n < 0) return syntax("'{}' is no extent", node->string_view());
    shape.push_back(*n);
  }
  return shape;
}

Result<Value> no_elements(const Node& node) {
  GARNER_ASSIGN(const DType dtype, dtype_of_name(node.children[0]->string_view()));
  GARNER_ASSIGN(const Axes shape, extents_of(std::span(node.children).subspan(1)));
  if (checked_product(shape) != 0) return syntax("'{}' has elements: one extent must be 0", node.string_view());
  GARNER_ASSIGN(Tensor t, Tensor::empty(dtype, shape));
  return Value{std::move(t)};
}

/// f32(7): rank 0.
Result<Value> rank_0(DType dtype, const Node& arguments) {
  if (arguments.children.size() != 1) return syntax("'{}' takes one number", name(dtype));
  const std::string_view text = arguments.children[0]->string_view();
  GARNER_ASSIGN(Tensor t, tensor_of(dtype, {}, std::span(&text, 1)));
  return Value{std::move(t)};
}

/// iota(f32, 2, 3), zeros(f32, 2, 3), full(f32, 7, 2, 3)
Result<Value> maker(const Node& node) {
  const std::string_view kind = node.children[0]->string_view();
  const Node& arguments = *node.children[1];
  if (const auto dtype = dtype_named(kind)) return rank_0(*dtype, arguments);
  const bool full = kind == "full";
  if (kind != "iota" && kind != "zeros" && !full)
    return syntax("'{}' makes no tensor; iota, zeros, full and dtypes do", kind);
  const std::size_t lead = full ? 2 : 1;
  if (arguments.children.size() < lead) return syntax("'{}' needs a dtype{}", kind, full ? " and a value" : "");
  GARNER_ASSIGN(const DType dtype, dtype_of_name(arguments.children[0]->string_view()));
  GARNER_ASSIGN(const Axes shape, extents_of(std::span(arguments.children).subspan(lead)));
  const auto count = checked_product(shape);
  if (!count || *count > (Index{1} << 24)) return syntax("'{}' is larger than 2^24 elements", node.string_view());
  std::vector<std::string> texts(static_cast<std::size_t>(*count), full ? arguments.children[1]->string() : "0");
  for (std::size_t i = 0; kind == "iota" && i < texts.size(); ++i) texts[i] = std::to_string(i);
  GARNER_ASSIGN(Tensor t, tensor_of(dtype, shape, std::vector<std::string_view>(texts.begin(), texts.end())));
  return Value{std::move(t)};
}

Result<Value> number(std::string_view text) {
  if (const auto i = parse_number<Index>(text)) return Value{*i};
  // Digits alone are an integer; one that does not fit must not turn into a rounded real.
  const bool real = text.find_first_not_of("+-0123456789") != std::string_view::npos;
  if (const auto d = parse_number<double>(text); d && real) return Value{*d};
  return syntax("'{}' is no 64-bit number", text);
}

Value word(const std::string& text, const Environment& names) {
  if (const auto at = names.find(text); at != names.end()) return at->second;
  if (text == "None") return {};
  if (text == "true" || text == "True") return {true};
  if (text == "false" || text == "False") return {false};
  return {Word{text}};
}

/// Without quotes, if there are any.
std::string plain(std::string_view text) {
  if (!text.starts_with('"')) return std::string(text);
  std::string out;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    out += text[i];
  }
  return out;
}

/// Children: a dtype's name, the path, the member; the first and the last may be missing.
Result<Value> file(const Node& node, Files* files) {
  std::optional<DType> dtype;
  std::string path, member;
  for (const auto& child : node.children) {
    if (child->is_type<grammar::name>()) { GARNER_ASSIGN(dtype, dtype_of_name(child->string_view())); }
    if (child->is_type<grammar::path>()) path = plain(child->string_view());
    if (child->is_type<grammar::member>()) member = plain(child->string_view());
  }
  GARNER_ASSIGN(format::Mapped mapped, format::read(path, member, dtype));
  if (files != nullptr) {
    files->push_back(std::move(mapped.keeper));
    return Value{std::move(mapped.view)};
  }
  GARNER_ASSIGN(Tensor copy, contiguous(mapped.view));
  return Value{std::move(copy)};
}

Result<Value> sequence(const Node& node, const Environment& names, Files* files) {
  auto items = std::make_shared<Values>();
  for (const auto& child : node.children) {
    GARNER_ASSIGN(Value item, value_of(*child, names, files));
    items->push_back(std::move(item));
  }
  return Value{std::move(items)};
}

}  // namespace

Result<Value> value_of(const Node& node, const Environment& names, Files* files) {
  if (node.is_type<grammar::number>()) return number(node.string_view());
  if (node.is_type<grammar::name>()) return word(node.string(), names);
  if (node.is_type<grammar::typed_list>()) return typed_list(node);
  if (node.is_type<grammar::no_elements>()) return no_elements(node);
  if (node.is_type<grammar::maker>()) return maker(node);
  if (node.is_type<grammar::file>()) return file(node, files);
  return sequence(node, names, files);
}

Result<Value> parse_value(std::string_view text, const Environment& names, Files* files) {
  GARNER_ASSIGN(const auto node, parse_tree<grammar::value>(text));
  return value_of(*node, names, files);
}

Result<Call> parse_call(std::string_view text, const Environment& names, Files* files) {
  GARNER_ASSIGN(const auto node, parse_tree<grammar::call>(text));
  Call call{node->children[0]->string(), node->children[1]->string(), {}};
  for (const auto& child : std::span(node->children).subspan(2)) {
    const bool keyed = child->is_type<grammar::keyword>();
    GARNER_ASSIGN(Value value, value_of(keyed ? *child->children[1] : *child, names, files));
    call.arguments.push_back({keyed ? child->children[0]->string() : "", std::move(value)});
  }
  return call;
}

}  // namespace garner
