// The way anvil prints an array: a header, one line per row, a footer with place, dtype and shape.
#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "dtype/convert.h"
#include "garner/anvil.h"
#include "tensor/walk.h"

namespace garner::anvil {
namespace {

enum class Style { kWhole, kFixed, kScientific };

/// Whole numbers below a million as such; else four decimals, unless a number is too large or too small for them.
Style style_for(const std::vector<double>& values) {
  bool whole = true, far = false;
  for (const double v : values) {
    const double size = std::abs(v);
    if (!std::isfinite(size)) continue;
    whole = whole && size == std::floor(size);
    far = far || size >= 1e6 || (size > 0 && size < 1e-4);
  }
  if (far) return Style::kScientific;
  return whole ? Style::kWhole : Style::kFixed;
}

std::string text_of(double value, Style style) {
  switch (style) {
    case Style::kWhole: return fmt::format("{:.0f}", value);
    case Style::kFixed: return fmt::format("{:.4f}", value);
    case Style::kScientific: return fmt::format("{:.4e}", value);
  }
  return {};
}

/// f of every value.
template <class T, class F>
auto mapped(const std::vector<T>& values, F&& f) {
  std::vector<decltype(f(values[0]))> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(), f);
  return out;
}

std::vector<std::string> texts_of_reals(const std::vector<double>& values) {
  const Style style = style_for(values);
  return mapped(values, [style](double v) { return text_of(v, style); });
}

template <class T>
std::vector<std::string> texts_of_complex(const std::vector<T>& values) {
  auto out = texts_of_reals(mapped(values, [](const T& v) { return static_cast<double>(v.real()); }));
  const auto right = texts_of_reals(mapped(values, [](const T& v) { return static_cast<double>(v.imag()); }));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += fmt::format("{}{}i", right[i][0] == '-' ? "" : "+", right[i]);
  return out;
}

template <class T>
std::vector<std::string> texts_of(const std::vector<T>& values) {
  constexpr bool whole = is_index_v<T> || std::is_same_v<T, Bool>;
  if constexpr (is_complex_v<T>) return texts_of_complex(values);
  else if constexpr (whole) return mapped(values, [](T v) { return fmt::to_string(+v); });
  else return texts_of_reals(mapped(values, [](T v) { return convert<double>(v); }));
}

template <class T>
std::vector<T> values_of(const View& view) {
  std::vector<T> out;
  walk_bytes(view, [&](const std::byte* element) {
    T value;
    std::memcpy(&value, element, sizeof value);
    out.push_back(value);
  });
  return out;
}

/// Rows of up to two axes; all numbers in it are as wide as the widest. A vector is a column, a scalar a row of one.
std::string block(const View& view) {
  const auto texts = dispatch(view.dtype(), [&]<class T>() { return texts_of(values_of<T>(view)); });
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, text.size());
  const auto columns = static_cast<std::size_t>(view.rank() == 2 ? view.extent(1) : 1);
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i)
    out += fmt::format(" {:>{}}{}", texts[i], width, (i + 1) % columns == 0 ? "\n" : "");
  return out;
}

/// The last two axes at a position of the axes before them, under a heading such as "(1,2,.,.) =".
std::string headed_block(View view, const Axes& position) {
  std::string heading = "(";
  for (const Index i : position) {
    heading += fmt::format("{},", i + 1);
    view = slice_at(view, 0, i);
  }
  return fmt::format("{}.,.) =\n{}", heading, block(view));
}

std::string blocks(const View& view) {
  if (view.rank() <= 2) return block(view);
  std::string out;
  walk_positions({view.shape().begin(), view.shape().end() - 2}, [&](const Axes& position) {
    if (!out.empty()) out += '\n';
    out += headed_block(view, position);
  });
  return out;
}

/// R's names: pred, ui8; the others as everywhere.
std::string type_name(DType dtype) {
  if (dtype == DType::kBool) return "pred";
  if (kind(dtype) == Kind::kUInt) return fmt::format("ui{}", info(dtype).bits);
  return std::string(name(dtype));
}

}  // namespace

std::string to_string(const View& view) {
  if (const Status status = validate(view, "to_string"); !status.ok()) return fmt::format("<{}>", status.message);
  const std::string rows = view.elements() == 0 ? "" : blocks(view);
  return fmt::format("AnvilTensor\n{}[ CPU{}{{{}}} ] ", rows, type_name(view.dtype()), fmt::join(view.shape(), ","));
}

}  // namespace garner::anvil
