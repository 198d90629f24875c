// Nested-bracket text of a view, shared by the printers of all dialects.
#pragma once
#include <cstddef>
#include <functional>
#include <limits>
#include <string>

#include "garner/view.h"

namespace garner {

/// The text of the element at a pointer. The pointer need not be aligned.
using ElementText = std::function<std::string(const std::byte*)>;

/// What stands between two rows, and between two blocks of rows.
enum class Rows {
  kSameLine,    // the separator of the elements
  kNewLine,     // a newline and one space per open bracket
  kBlankLines,  // the same, with one more newline for each axis below the row
};

struct Nesting {
  std::string separator = " ";  // between elements
  Rows rows = Rows::kNewLine;
  Index line_width = std::numeric_limits<Index>::max();       // a longer row continues on the next line
  Index summarise_above = std::numeric_limits<Index>::max();  // with more elements than this, long axes are cut
  Index edge_items = 3;                                       // what a cut axis shows at either end of its "..."
};

/// "[[0 1]\n [4 5]]", or "[[0, 1], [4, 5]]" with separator ", " and kSameLine. Rank 0 has no brackets.
std::string nested(const View& view, const ElementText& text, const Nesting& nesting);

/// One element the way NumPy prints a scalar: shortest digits, no padding ("1.0", "1e+20", "(1+2j)", "True").
ElementText scalar_text(DType dtype);

}  // namespace garner
