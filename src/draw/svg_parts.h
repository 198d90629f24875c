// The pieces an SVG picture is put together from.
#pragma once
#include "draw/picture.h"

namespace garner::svg {

struct Point {
  Index x, y;
};
struct Size {
  Index width, height;
};

/// With the characters that mean something in XML written out, and control characters left away.
std::string escaped(std::string_view text);

/// `style`: class names of the document's style sheet.
std::string text(Point at, std::string_view style, std::string_view content);
/// A name, and smaller behind it what it is.
std::string heading(Point at, std::string_view name, std::string_view kind);
std::string arrow(Point from, Index length);
std::string cell(Point at, Size size, const Cell& cell);

/// A cell for the legend.
Cell sample(Mark mark);

/// The whole file round a body.
std::string document(Size size, std::string_view title, std::string_view description, std::string_view body);

}  // namespace garner::svg
