// DeepNet's two ways of showing numbers: the padded table of a tensor, and F# literals.
#include <cmath>
#include <cstring>

#include "base/fail.h"
#include "dtype/convert.h"
#include "garner/deepnet.h"
#include "tensor/print.h"

namespace garner::deepnet {
namespace {

constexpr Index kShown = 10;  // entries per dimension, the ellipsis among them: 5, "...", 4
constexpr Index kLeft = 5, kRight = 4;

struct Style {
  ElementText element;
  std::string separator, ellipsis;
};

/// The source prints NaN through a catch-all that adds a ";"; here it is padded like the numbers around it.
std::string real(double value) {
  if (std::isnan(value)) return fmt::format("{:>9}", "NaN");
  if (std::isinf(value)) return fmt::format("{:>9}", value > 0 ? "Infinity" : "-Infinity");
  return value < 0 ? fmt::format("{:9.3f}", value) : fmt::format("{:9.4f}", value);
}

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// Complex numbers have no form of their own in the source.
template <class T>
ElementText padded_text() {
  if constexpr (is_complex_v<T>) return scalar_text(dtype_of<T>);
  else if constexpr (std::is_same_v<T, Bool>) return [](auto* at) { return load<T>(at) ? "true " : "false"; };
  else if constexpr (std::is_same_v<T, std::uint8_t>) return [](auto* at) { return fmt::format("{:3}", load<T>(at)); };
  else if constexpr (is_index_v<T>) return [](auto* at) { return fmt::format("{:4}", load<T>(at)); };
  else return [](auto* at) { return real(to_compute(load<T>(at))); };
}

std::string ellipsis(DType dtype) {
  if (kind(dtype) == Kind::kFloat) return "      ...";
  return dtype == DType::kI32 ? " ..." : "...";
}

Style padded(DType dtype) {
  return {dispatch(dtype, []<class T>() { return padded_text<T>(); }), " ", ellipsis(dtype)};
}

std::string literal(Index value) { return fmt::format("{}L", value); }

template <class Values, class Text>
std::string fsharp_list(const Values& values, Text&& text) {
  std::string out;
  for (const auto& value : values) out += (out.empty() ? "" : "; ") + text(value);
  return '[' + out + ']';
}

Style literals() {
  return {[](const std::byte* at) { return literal(load<Index>(at)); }, "; ", "..."};
}

std::string show(const View& view, const Style& style, Index depth = 1);

std::vector<std::string> entries(const View& view, const Style& style, Index depth) {
  const Index extent = view.extent(0);
  std::vector<std::string> texts;
  for (Index i = 0; i < extent; ++i) {
    if (extent > kShown && i == kLeft) {
      texts.push_back(style.ellipsis);
      i = extent - kRight;
    }
    texts.push_back(show(slice_at(view, 0, i), style, depth + 1));
  }
  return texts;
}

std::string show(const View& view, const Style& style, Index depth) {
  if (view.rank() == 0) return style.element(static_cast<const std::byte*>(view.data()));
  const std::string row_break = '\n' + std::string(static_cast<std::size_t>(depth), ' ');
  return fmt::format("[{}]", fmt::join(entries(view, style, depth), view.rank() == 1 ? style.separator : row_break));
}

/// A printer has no way to fail; the reason is what helps its reader most.
std::string show_valid(const View& view, const Style& style) {
  const Status status = validate(view, "to_string");
  return status.ok() ? show(view, style) : '<' + status.message + '>';
}

}  // namespace

std::string to_string(const View& view) { return show_valid(view, padded(view.dtype())); }

std::string to_doc_string(const View& view) {
  if (view.dtype() == DType::kI64) return show_valid(view, literals());
  std::string text = show_valid(view, padded(view.dtype()));
  if (view.rank() == 1) text.erase(1, text.find_first_not_of(' ', 1) - 1);
  return text;
}

std::string to_string(const Axes& position) { return fsharp_list(position, literal); }

std::string to_string(const std::optional<Axes>& position) {
  return position ? "Some " + to_string(*position) : "None";
}

std::string to_string(const std::vector<Axes>& positions) {
  return "seq " + fsharp_list(positions, [](const Axes& position) { return to_string(position); });
}

}  // namespace garner::deepnet
