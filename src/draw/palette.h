// Colours for the cells of a grid: a hue per row, lighter from left to right, so that an element is known again
// elsewhere.
#pragma once
#include <cstdint>

#include "garner/axes.h"

namespace garner {

struct Rgb {
  std::uint8_t red, green, blue;
  bool operator==(const Rgb&) const = default;
};

/// Of the element at a row-major place of a shape. A tensor of one row has a hue per element. Light enough for black
/// text, and told apart by the colour-blind: Paul Tol's light scheme.
Rgb colour_at(const Axes& shape, Index place);

/// The nearest of a terminal's 256 colours.
int terminal_colour(Rgb colour);

}  // namespace garner
