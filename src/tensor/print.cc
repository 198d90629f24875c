// NumPy's array printing. The rules are those of NumPy 2.3 and later, where the magnitude at which scientific notation
// begins depends on the dtype.
#include "tensor/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>

#include "dtype/convert.h"
#include "garner/tensor.h"

namespace garner {
namespace {

constexpr int kPrecision = 8;  // digits after the point, at most
constexpr Index kGap = -1;     // stands for the positions that "..." replaces

/// A function, so that a static initialiser elsewhere may print.
const Nesting& numpy() {
  static const Nesting nesting{.rows = Rows::kBlankLines, .line_width = 75, .summarise_above = 1000};
  return nesting;
}

std::string spaces(Index count) { return std::string(static_cast<std::size_t>(std::max<Index>(count, 0)), ' '); }
Index length(const std::string& text) { return static_cast<Index>(text.size()); }

std::string trimmed(std::string text, char c) {
  text.erase(text.find_last_not_of(c) + 1);
  return text;
}

// ---- nesting ----

/// One row of elements, broken into lines of at most `limit` characters.
struct Wrapped {
  Index limit;
  std::string indent, done = {}, line = indent;

  void add(const std::string& word) {
    // The first word of a line stays on it however long it is.
    if (length(line) > length(indent) && length(word) > limit - length(line)) {
      done += trimmed(line, ' ') + '\n';
      line = indent;
    }
    line += word;
  }
  std::string text() const { return (done + line).substr(indent.size()); }
};

class Nester {
 public:
  Nester(const View& view, const ElementText& text, const Nesting& nesting)
      : text_(text), nesting_(nesting), cut_(view.elements() > nesting.summarise_above) {}

  std::string print(const View& view, Index depth) const {
    if (view.rank() == 0) return text_(static_cast<const std::byte*>(view.data()));
    return '[' + (view.rank() == 1 ? row(view, depth) : block(view, depth)) + ']';
  }

 private:
  std::vector<Index> shown(Index extent) const {
    const Index edge = nesting_.edge_items;
    const bool cut = cut_ && extent > 2 * edge;
    std::vector<Index> at(static_cast<std::size_t>(cut ? 2 * edge + 1 : extent));
    std::iota(at.begin(), at.end(), cut ? extent - 2 * edge - 1 : 0);  // right for the trailing edge
    if (cut) {
      std::iota(at.begin(), at.begin() + edge, Index{0});
      at[static_cast<std::size_t>(edge)] = kGap;
    }
    return at;
  }

  std::string item(const View& view, Index at, Index depth) const {
    return at == kGap ? "..." : print(slice_at(view, 0, at), depth + 1);
  }

  std::string row(const View& view, Index depth) const {
    // Room for the bracket (or separator) after the element, and for those that close the axes above.
    const Index after = std::max<Index>(length(trimmed(nesting_.separator, ' ')), 1);
    Wrapped out{nesting_.line_width - depth - after, spaces(depth + 1)};
    bool first = true;
    for (const Index at : shown(view.extent(0))) {
      if (!first) out.line += nesting_.separator;
      first = false;
      out.add(item(view, at, depth));
    }
    return out.text();
  }

  std::string block(const View& view, Index depth) const {
    const std::string between = row_break(view.rank(), depth);
    std::string out;
    for (const Index at : shown(view.extent(0))) {
      if (!out.empty()) out += between;
      out += item(view, at, depth);
    }
    return out;
  }

  std::string row_break(Index rank, Index depth) const {
    if (nesting_.rows == Rows::kSameLine) return nesting_.separator;
    const Index newlines = nesting_.rows == Rows::kBlankLines ? rank - 1 : 1;
    return trimmed(nesting_.separator, ' ') + std::string(static_cast<std::size_t>(newlines), '\n') + spaces(depth + 1);
  }

  const ElementText& text_;
  const Nesting& nesting_;
  bool cut_;
};

// ---- digits of one number ----

enum class Notation { kPositional, kScientific };

/// The type NumPy compares and divides T in. bfloat16 and the 8-bit floats are none of its own; they print like float.
template <class T>
using Judge = std::conditional_t<std::is_same_v<T, Eigen::half>, T, Compute<T>>;

template <class... Format>
std::string chars(Format... format) {
  char buffer[64];  // the longest is a fixed number below 1e8: the printer writes larger ones scientifically
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), format...).ptr;
  return {std::begin(buffer), end};
}

template <class T>
bool reads_back(const std::string& text, T value) {
  Compute<T> read{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
  return error == std::errc() && to_compute(static_cast<T>(read)) == to_compute(value);
}

int exponent_of(const std::string& scientific) { return std::stoi(scientific.substr(scientific.find('e') + 1)); }

/// d.ddde+XX with this many digits after the point.
template <class T>
std::string scientific(T value, int precision) {
  const double exact = to_compute(value);
  std::string nearest = chars(exact, std::chars_format::scientific, precision);
  if (exact == 0 || reads_back(nearest, value)) return nearest;
  // Below a power of two the next number is closer than above, so that the nearest decimal may name that one while the
  // decimal after it still names this one.
  const double unit = std::pow(10.0, exponent_of(nearest) - precision);
  const std::string outward = chars(exact + std::copysign(unit, exact), std::chars_format::scientific, precision);
  return reads_back(outward, value) ? outward : nearest;
}

/// d.ddde+XX with the fewest digits that name this number among those of its type.
template <class T>
std::string shortest(T value) {
  // Of an 8-bit float two digits name the number, but hide its value: 448 would print as 450.
  if constexpr (std::is_same_v<T, Compute<T>> || is_float8_v<T>)
    return chars(to_compute(value), std::chars_format::scientific);
  int precision = 0;
  while (!reads_back(scientific(value, precision), value)) ++precision;
  return scientific(value, precision);
}

/// "1" becomes "1.", "1.50" becomes "1.5", "1e+10" becomes "1.e+10".
std::string with_point(const std::string& number) {
  const std::size_t e = std::min(number.find('e'), number.size());
  std::string mantissa = number.substr(0, e);
  mantissa = mantissa.find('.') == std::string::npos ? mantissa + '.' : trimmed(mantissa, '0');
  return mantissa + number.substr(e);
}

/// d.ddde+XX without the exponent: digits moved past the point, zeros where there are none.
std::string unscientific(const std::string& number) {
  const bool negative = number[0] == '-';
  std::string digits = number.substr(negative ? 1 : 0, number.find('e') - (negative ? 1 : 0));
  if (digits.size() > 1) digits.erase(1, 1);
  const int exponent = exponent_of(number);
  if (exponent < 0) digits.insert(0, static_cast<std::size_t>(-exponent), '0');
  const auto whole = static_cast<std::size_t>(std::max(exponent, 0)) + 1;
  if (digits.size() < whole) digits.append(whole - digits.size(), '0');
  return (negative ? "-" : "") + digits.insert(whole, 1, '.');
}

std::string signed_text(std::string text, bool plus) { return plus && text[0] != '-' ? '+' + text : text; }

Index digits_after_point(const std::string& number) {
  return static_cast<Index>(std::min(number.find('e'), number.size()) - number.find('.')) - 1;
}

/// The shortest digits, cut to kPrecision after the point; always with a point.
template <class T>
std::string draft(T value, Notation notation) {
  const bool positional = notation == Notation::kPositional;
  const std::string text = positional ? unscientific(shortest(value)) : with_point(shortest(value));
  if (digits_after_point(text) <= kPrecision) return text;
  const auto format = positional ? std::chars_format::fixed : std::chars_format::scientific;
  return with_point(chars(static_cast<double>(to_compute(value)), format, kPrecision));
}

template <class T>
std::string non_finite(T value) {
  if (std::isnan(to_compute(value))) return "nan";
  return to_compute(value) < 0 ? "-inf" : "inf";
}

template <class T>
bool finite(T value) {
  return std::isfinite(to_compute(value));
}

// ---- elements aligned with each other ----

/// Scientific when large, small, or too far apart; the arithmetic rounds as the dtype's own does.
template <class T>
Notation notation_for(const std::vector<T>& values) {
  using Wide = Compute<T>;
  Wide low = std::numeric_limits<Wide>::infinity(), high = 0;
  for (const T v : values) {
    const Wide magnitude = std::abs(to_compute(v));
    if (!finite(v) || magnitude == 0) continue;
    low = std::min(low, magnitude);
    high = std::max(high, magnitude);
  }
  if (high == 0) return Notation::kPositional;
  const auto round = [](Wide x) { return static_cast<Wide>(static_cast<Judge<T>>(x)); };
  constexpr int kDigits = std::numeric_limits<Judge<T>>::digits10;  // Eigen's member has no address to bind to
  const double largest = std::pow(10.0, std::min(kPrecision, kDigits));
  const bool far = high >= largest || low < round(static_cast<Wide>(0.0001)) || round(high / low) > 1000;
  return far ? Notation::kScientific : Notation::kPositional;
}

/// How wide the numbers of one array are.
struct Widths {
  Index before_point = 0, after_point = 0;  // after_point counts the exponent, too
  Index digits = 0, exponent = 0;  // digits after the point; digits of the exponent
};

template <class T>
class Aligned {
 public:
  Aligned(const std::vector<T>& values, bool plus) : notation_(notation_for(values)), plus_(plus) {
    for (const T v : values)
      if (finite(v)) measure(signed_text(draft(v, notation_), plus_));
    const bool scientific = notation_ == Notation::kScientific;
    widths_.after_point = widths_.digits + (scientific ? widths_.exponent + 2 : 0);  // 2 for "e+"
    for (const T v : values)
      if (!finite(v)) make_room(v);
  }

  std::string operator()(T value) const {
    if (!finite(value)) return fmt::format("{:>{}}", signed_text(non_finite(value), plus_), total());
    const std::string text = notation_ == Notation::kScientific ? full(value) : draft(value, notation_);
    return padded(signed_text(text, plus_));
  }

 private:
  Index total() const { return widths_.before_point + 1 + widths_.after_point; }

  void measure(const std::string& text) {
    widths_.before_point = std::max(widths_.before_point, static_cast<Index>(text.find('.')));
    widths_.digits = std::max(widths_.digits, digits_after_point(text));
    const std::size_t e = text.find('e');
    if (e != std::string::npos) widths_.exponent = std::max(widths_.exponent, length(text) - static_cast<Index>(e) - 2);
  }

  /// NumPy leaves room for the sign of an infinity as soon as signs are always shown, even when there are only NaNs.
  void make_room(T value) {
    const Index needed = length(plus_ ? "+inf" : non_finite(value));
    widths_.before_point += std::max<Index>(needed - total(), 0);
  }

  /// All digits of the mantissa: past the shortest ones come those of the exact value, not zeros, as in NumPy.
  std::string full(T value) const {
    const std::string text = scientific(value, static_cast<int>(widths_.digits));
    const std::size_t e = text.find('e');
    const std::string point = widths_.digits == 0 ? "." : "";
    return text.substr(0, e) + point + text.substr(e, 2) + fmt::format("{:0>{}}", text.substr(e + 2), widths_.exponent);
  }

  std::string padded(const std::string& text) const {
    const auto point = static_cast<Index>(text.find('.'));
    return spaces(widths_.before_point - point) + text + spaces(widths_.after_point + point + 1 - length(text));
  }

  Notation notation_;
  bool plus_;
  Widths widths_;
};

template <class T>
T load(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof(T));
  return value;
}

template <class T>
ElementText aligned_float(const std::vector<T>& values) {
  return [format = Aligned<T>(values, false)](const std::byte* e) { return format(load<T>(e)); };
}

/// The j stands directly after the digits, before the padding.
std::string with_j(const std::string& imaginary) {
  const std::string digits = trimmed(imaginary, ' ');
  return digits + 'j' + spaces(length(imaginary) - length(digits));
}

template <class T>
ElementText aligned_complex(const std::vector<std::complex<T>>& values) {
  std::vector<T> real, imaginary;
  for (const auto& v : values) {
    real.push_back(v.real());
    imaginary.push_back(v.imag());
  }
  return [left = Aligned<T>(real, false), right = Aligned<T>(imaginary, true)](const std::byte* e) {
    const auto value = load<std::complex<T>>(e);
    return left(value.real()) + with_j(right(value.imag()));
  };
}

template <class T>
ElementText aligned_integer(const std::vector<T>& values) {
  std::size_t width = 0;
  for (const T v : values) width = std::max(width, fmt::to_string(+v).size());
  return [width](const std::byte* e) { return fmt::format("{:{}}", +load<T>(e), width); };
}

template <class T>
ElementText aligned(const std::vector<T>& values) {
  if constexpr (std::is_same_v<T, Bool>) return [](const std::byte* e) { return load<T>(e) ? " True" : "False"; };
  else if constexpr (is_index_v<T>) return aligned_integer(values);
  else if constexpr (is_complex_v<T>) return aligned_complex(values);
  else return aligned_float(values);
}

/// Only the elements that are shown take part in the alignment.
template <class T>
std::vector<T> shown_values(const View& view) {
  std::vector<T> values;
  nested(view, [&](const std::byte* e) {
    values.push_back(load<T>(e));
    return std::string();
  }, numpy());
  return values;
}

// ---- a number by itself ----

/// All the shortest digits; "1." is left for the caller to finish.
template <class T>
std::string scalar_digits(T value) {
  if (!finite(value)) return non_finite(value);
  const double magnitude = std::abs(static_cast<double>(to_compute(value)));
  const int digits = std::is_same_v<T, double> ? 16 : std::numeric_limits<Judge<T>>::digits10;
  const bool positional = magnitude == 0 || (magnitude >= 0.0001 && magnitude < std::pow(10.0, digits));
  return positional ? unscientific(shortest(value)) : shortest(value);
}

template <class T>
std::string scalar(T value) {
  const std::string text = scalar_digits(value);
  return text.back() == '.' ? text + '0' : text;
}

template <class T>
std::string scalar(std::complex<T> value) {
  const std::string imaginary = trimmed(scalar_digits(value.imag()), '.') + 'j';
  if (value.real() == 0 && !std::signbit(value.real())) return imaginary;
  return '(' + trimmed(scalar_digits(value.real()), '.') + signed_text(imaginary, true) + ')';
}

template <class T>
std::string scalar_of(T value) {
  if constexpr (std::is_same_v<T, Bool>) return value ? "True" : "False";
  else if constexpr (is_index_v<T>) return fmt::to_string(+value);
  else return scalar(value);
}

}  // namespace

std::string nested(const View& view, const ElementText& text, const Nesting& nesting) {
  return Nester(view, text, nesting).print(view, 0);
}

ElementText scalar_text(DType dtype) {
  return dispatch(dtype,
                  []<class T>() -> ElementText { return [](const std::byte* e) { return scalar_of(load<T>(e)); }; });
}

std::string to_string(const View& view) {
  // There is nothing to print and no way to fail; a debugger's user is helped most by the reason.
  if (const Status status = validate(view, "to_string"); !status.ok()) return '<' + status.message + '>';
  if (view.rank() == 0) return nested(view, scalar_text(view.dtype()), numpy());
  if (view.elements() == 0) return "[]";
  const ElementText text = dispatch(view.dtype(), [&]<class T>() { return aligned(shown_values<T>(view)); });
  return nested(view, text, numpy());
}

}  // namespace garner
