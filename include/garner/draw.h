// Which element comes from where, as a picture.
#pragma once
#include "garner/call.h"

namespace garner {

/// The most a picture holds: elements of one tensor, axes of one tensor, plans of one call.
inline constexpr Index kDrawnElements = 400, kDrawnAxes = 4, kDrawnJobs = 8;

/// The operand, the index tensors and the result as grids. An element of the result is coloured like the element it
/// came from and names it; what is wrapped, clamped, taken modulo, filled, masked, dropped or an error is marked, with
/// a legend. A scatter shows its updates, where each lands, and how many land on one place. An index that is out of
/// range where that is an error is drawn, too. Rules as evaluate(), A5 no plan; DR1 too many elements, DR2 too many
/// axes, DR3 too many plans, DR4 a promised index is out of range.

/// SVG that needs nothing else: no scripts, no fonts of its own, legible on light and dark ground. The same call gives
/// the same bytes.
Result<std::string> draw_svg(const Call& call);

/// For a terminal, in UTF-8. `colour`: with ANSI escapes (256 colours).
Result<std::string> draw_text(const Call& call, bool colour);

/// What the pictures are made from: every position with its source or target and what happened there.
Result<std::string> draw_json(const Call& call);

}  // namespace garner
