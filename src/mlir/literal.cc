#include "mlir/literal.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "base/checked_math.h"
#include "dtype/convert.h"
#include "index/order.h"
#include "mlir/tree.h"

namespace garner::mlir {
namespace {

namespace peg = tao::pegtl;

// ---- one element from its text ----

std::string_view without_plus(std::string_view text) { return text.starts_with('+') ? text.substr(1) : text; }

template <class T, class... Base>
std::optional<T> from_text(std::string_view text, Base... base) {
  T out{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base...);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

bool is_hexadecimal(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

/// 0x7FC00000: the bits of a float or of an integer. Nothing when they are more than T has.
template <class T>
std::optional<T> from_bits(std::string_view text) {
  using Bits = typename index::UIntOf<sizeof(T)>::type;
  const auto bits = from_text<Bits>(text.substr(2), 16);
  return bits ? std::optional(std::bit_cast<T>(*bits)) : std::nullopt;
}

/// A number too small for the type is 0, as the nearest one is; a number too large is refused.
template <class T>
std::optional<T> float_from(std::string_view text) {
  if (is_hexadecimal(text)) return from_bits<T>(text);
  const auto number = read_real(text);
  if (!number) return std::nullopt;
  const T element = convert<T>(*number);
  if (std::isfinite(*number) && !std::isfinite(to_compute(element))) return std::nullopt;
  return element;
}

/// -0x80 is a number, 0x80 the bits of one.
template <class T>
std::optional<T> integer_from(std::string_view text) {
  if (is_hexadecimal(text)) return from_bits<T>(text);
  if (text.starts_with('-') && is_hexadecimal(text.substr(1))) {
    const auto magnitude = from_text<std::uint64_t>(text.substr(3), 16);
    if (!magnitude || *magnitude > (std::uint64_t{1} << (8 * sizeof(T) - 1)) || !std::is_signed_v<T>) return {};
    return static_cast<T>(~*magnitude + 1);
  }
  return from_text<T>(without_plus(text));
}

template <class T>
std::optional<T> element_from(std::string_view text) {
  if constexpr (std::is_same_v<T, Bool>) {
    if (text == "true" || text == "1") return Bool(true);
    return text == "false" || text == "0" ? std::optional(Bool(false)) : std::nullopt;
  } else if constexpr (is_index_v<T>) {
    return integer_from<T>(text);
  } else if constexpr (is_complex_v<T>) {
    const auto real = float_from<typename T::value_type>(text);  // (1, 0) without its zero
    return real ? std::optional(T(*real)) : std::nullopt;
  } else {
    return float_from<T>(text);
  }
}

// ---- the elements in order, with the shape of the rows ----

/// What the grammar's actions fill in. Texts of complex numbers come in pairs.
struct Rows {
  std::vector<std::string_view> texts;
  std::string_view bytes;
  Axes shape;  // of the first row of each depth
  std::vector<Index> open;  // items so far in each row that is open
  bool even = true, pairs = false;
  std::size_t elements = 0;
  Index leaves = 0;  // one more than the depth of the elements; 0 before the first

  void item() {
    if (!open.empty()) ++open.back();
  }
  void element(std::string_view text) {
    texts.push_back(text);
    ++elements;
    if (leaves != depth() + 1 && leaves != 0) even = false;
    leaves = depth() + 1;
    item();
  }
  void close() {
    const auto at = open.size() - 1;
    if (shape.size() < open.size()) shape.resize(open.size(), -1);
    if (shape[at] >= 0 && shape[at] != open.back()) even = false;
    shape[at] = open.back();
    open.pop_back();
    item();
  }
  Index depth() const { return static_cast<Index>(open.size()); }
  bool is_even() const {
    return even && texts.size() == (pairs ? 2 : 1) * elements &&
           (leaves == 0 || leaves - 1 == static_cast<Index>(shape.size()));
  }
  bool is_splat() const { return shape.empty() && elements == 1; }
};

template <class Rule> struct RowAction : DepthAction<Rule> {};
template <> struct RowAction<grammar::number> {
  template <class Input> static void apply(const Input& in, Rows& rows) { rows.element(in.string_view()); }
};
template <> struct RowAction<grammar::true_or_false> : RowAction<grammar::number> {};
template <> struct RowAction<grammar::part_of_complex> {
  template <class Input> static void apply(const Input& in, Rows& rows) {
    rows.pairs = true;
    rows.texts.push_back(in.string_view());
  }
};
template <> struct RowAction<grammar::complex_number> {
  static void apply0(Rows& rows) {
    const std::string_view last = rows.texts.back();
    rows.texts.pop_back();
    rows.element(last);
  }
};
template <> struct RowAction<grammar::open_row> {
  static void apply0(Rows& rows) { rows.open.push_back(0); }
};
template <> struct RowAction<grammar::close_row> {
  static void apply0(Rows& rows) { rows.close(); }
};
template <> struct RowAction<grammar::bytes> {
  template <class Input> static void apply(const Input& in, Rows& rows) {
    rows.bytes = in.string_view().substr(3, in.size() - 4);
  }
};

std::optional<Rows> rows_of(std::string_view body) {
  Rows rows;
  peg::memory_input in(body.data(), body.size(), "dense");
  try {
    if (!peg::parse<grammar::dense_text, RowAction>(in, rows)) return std::nullopt;
  } catch (const peg::parse_error&) { return std::nullopt; }  // nested too deeply
  return rows;
}

// ---- the tensor ----

/// dense<…> as messages show it.
std::string shown(std::string_view body) {
  return fmt::format("dense<{}{}>", body.substr(0, 40), body.size() > 40 ? "…" : "");
}

struct Target {
  std::string_view body;
  const TensorType& type;
  Place at;

  Status misshapen(const Axes& shape) const {
    return fail_at(at, "M1", "{} has shape {}, allowed {} or one number", shown(body), list(shape), list(type.shape));
  }
  Status wrong(std::string_view text) const { return fail_at(at, "M1", "'{}' is no {}", text, name(type.dtype)); }
};

template <class T>
std::optional<T> element_at(const Rows& rows, std::size_t i) {
  if constexpr (is_complex_v<T>) {
    if (!rows.pairs) return element_from<T>(rows.texts[i]);
    using Part = typename T::value_type;
    const auto real = float_from<Part>(rows.texts[2 * i]), imaginary = float_from<Part>(rows.texts[2 * i + 1]);
    return real && imaginary ? std::optional(T(*real, *imaginary)) : std::nullopt;
  } else {
    return rows.pairs ? std::nullopt : element_from<T>(rows.texts[i]);
  }
}

template <class T>
Status fill_from(const Rows& rows, const Target& target, Tensor& out) {
  for (std::size_t i = 0; i < rows.elements; ++i) {
    const auto element = element_at<T>(rows, i);
    if (!element) return target.wrong(rows.texts[rows.pairs ? 2 * i : i]);
    out.as<T>()[i] = *element;
  }
  return {};
}

Result<Tensor> from_rows(const Rows& rows, const Target& target) {
  if (!rows.is_even()) return target.misshapen(rows.shape);
  const bool none = rows.shape.empty() && rows.elements == 0, fits = rows.is_splat() || rows.shape == target.type.shape;
  if (none ? checked_product(target.type.shape) != 0 : !fits) return target.misshapen(none ? Axes{0} : rows.shape);
  GARNER_ASSIGN(Tensor out, Tensor::empty(target.type.dtype, rows.is_splat() ? Axes{} : target.type.shape));
  GARNER_TRY(dispatch(target.type.dtype, [&]<class T>() { return fill_from<T>(rows, target, out); }));
  return out;
}

std::uint8_t byte_at(std::string_view hexadecimal, Index i) {
  return *from_text<std::uint8_t>(hexadecimal.substr(static_cast<std::size_t>(2 * i), 2), 16);
}

/// Truth values are a bit each (the first is the lowest), or a byte each.
void fill_truth(std::string_view bytes, Tensor& out) {
  const bool packed = static_cast<Index>(bytes.size()) / 2 != out.elements();
  for (Index i = 0; i < out.elements(); ++i)
    out.as<Bool>()[i] = packed ? ((byte_at(bytes, i / 8) >> (i % 8)) & 1) != 0 : byte_at(bytes, i) != 0;
}

Result<Tensor> from_bytes(std::string_view bytes, const Target& target) {
  const auto elements = checked_product(target.type.shape);
  const auto given = static_cast<Index>(bytes.size()) / 2;
  const Index one = width(target.type.dtype), all = elements ? checked_mul(*elements, one).value_or(-1) : -1;
  const bool truth = target.type.dtype == DType::kBool, bits = truth && elements && given == (*elements + 7) / 8;
  if (bytes.size() % 2 != 0 || (given != all && given != one && !bits))
    return fail_at(target.at, "M1", "{} has {} bytes, allowed {} or {}", shown(target.body), given, all, one);
  const bool splat = given != all && !bits;
  GARNER_ASSIGN(Tensor out, Tensor::empty(target.type.dtype, splat ? Axes{} : target.type.shape));
  if (truth) fill_truth(bytes, out);
  else
    for (Index i = 0; i < out.bytes(); ++i) out.as<std::uint8_t>()[i] = byte_at(bytes, i);
  return out;
}

}  // namespace

std::optional<Index> read_integer(std::string_view text) { return integer_from<Index>(text); }

std::optional<double> read_real(std::string_view text) {
  double out = 0;
  text = without_plus(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc()) return out;
  // Out of range: from_chars does not say on which side. Below 1 the nearest number is 0.
  return text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos ? std::optional(0.0)
                                                                                                : std::nullopt;
}

Result<Tensor> read_dense(std::string_view body, const TensorType& type, Place at) {
  const Target target{body, type, at};
  const auto rows = rows_of(body);
  if (!rows) return fail_at(at, "M1", "cannot read {}", shown(body));
  return rows->bytes.data() != nullptr ? from_bytes(rows->bytes, target) : from_rows(*rows, target);
}

}  // namespace garner::mlir
