// A picture for a terminal.
#include <algorithm>

#include "base/fail.h"
#include "draw/blocks.h"
#include "garner/draw.h"

namespace garner {
namespace {

const char* symbol(Mark mark) {
  switch (mark) {
    case Mark::kWrapped: return "↺";
    case Mark::kClamped: return "⇥";
    case Mark::kModulo: return "%";
    case Mark::kFilled: return "░";
    case Mark::kMasked: return "▒";
    case Mark::kDropped: return "✗";
    case Mark::kTrapped: return "!";
    case Mark::kSeveral: return "≡";
  }
  return "";
}

/// "20 ←0,1 ↺"
std::string cell_text(const Cell& cell) {
  std::string out = cell.value;
  if (!cell.note.empty()) out += " " + cell.note;
  if (!cell.marks.empty()) out += " ";
  for (const Mark mark : cell.marks) out += symbol(mark);
  return out;
}

std::string padded(const std::string& text, Index width) {
  return fmt::format("{}{:{}}", text, "", std::max<Index>(width - characters(text), 0));
}

class TextDrawing {
 public:
  explicit TextDrawing(bool colour) : colour_(colour) {}

  std::string draw(const Picture& picture) const {
    std::string out = styled("1", picture.op) + "\n";
    for (const Scene& scene : picture.scenes) {
      out += scene.equation + "\n";
      for (const Panel& panel : scene.panels) out += fmt::format("\n{}", panel_text(panel));
      for (const std::string& note : scene.notes) out += fmt::format("\n{}\n", note);
    }
    out += "\n";
    for (const LegendLine& line : picture.legend) out += fmt::format("{}  {}\n", symbol(line.mark), line.text);
    return colour_ ? out + picture.colours + "\n" : out;
  }

 private:
  std::string styled(const std::string& sgr, const std::string& text) const {
    return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", sgr, text) : text;
  }

  /// Black on the last of its colours: what is stored over others is what one sees.
  std::string cell_styled(const Cell& cell, Index width) const {
    const std::string text = fmt::format(" {} ", padded(cell_text(cell), width));
    if (!cell.colours.empty())
      return styled(fmt::format("38;5;16;48;5;{}", terminal_colour(cell.colours.back())), text);
    return cell.marks.empty() ? styled("2", text) : text;
  }

  std::string panel_text(const Panel& panel) const {
    const Blocks blocks = blocks_of(panel);
    Index width = 1;
    for (const Cell& cell : panel.cells) width = std::max(width, characters(cell_text(cell)));
    std::string out = fmt::format("{}{} {} {}\n", panel.is_result ? "→ " : "", styled("1", panel.name),
                                  name(panel.dtype), list(panel.shape));
    if (panel.cells.empty()) out += "  no elements\n";
    for (const auto& row : blocks.arranged)
      for (const Block& block : row) out += block_text(panel, blocks, block, width);
    return out;
  }

  std::string block_text(const Panel& panel, const Blocks& blocks, const Block& block, Index width) const {
    std::string out = block.caption.empty() ? "" : styled("2", fmt::format("  {}", block.caption)) + "\n";
    if (!panel.shape.empty()) {
      std::string header = "    ";
      for (Index c = 0; c < blocks.columns; ++c) header += fmt::format(" {} ", padded(fmt::to_string(c), width));
      out += styled("2", header.substr(0, header.find_last_not_of(' ') + 1)) + "\n";
    }
    for (Index r = 0; r < blocks.rows; ++r) out += row_text(panel, blocks, block.first + r * blocks.columns, r, width);
    return out;
  }

  std::string row_text(const Panel& panel, const Blocks& blocks, Index first, Index row, Index width) const {
    std::string out = panel.shape.size() > 1 ? styled("2", fmt::format("{:>3} ", row)) : "    ";
    for (Index c = 0; c < blocks.columns; ++c)
      out += cell_styled(panel.cells[static_cast<std::size_t>(first + c)], width);
    return out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  }

  bool colour_;
};

}  // namespace

Result<std::string> draw_text(const Call& call, bool colour) {
  GARNER_ASSIGN(const Picture picture, paint(call));
  return TextDrawing(colour).draw(picture);
}

}  // namespace garner
