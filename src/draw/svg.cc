// A picture as SVG. Sizes are whole numbers of pixels, so that the text is the same everywhere.
#include <algorithm>

#include "base/fail.h"
#include "draw/blocks.h"
#include "draw/svg_parts.h"
#include "garner/draw.h"

namespace garner {
namespace {

using svg::Point;

constexpr Index kMargin = 24, kGap = 40, kBlockGap = 16, kMostWidth = 1160;
constexpr Index kLabel = 20, kHeader = 16, kCaption = 16, kTitle = 24;
constexpr Index kLine = 22;

/// A panel with its sizes.
struct Placed {
  const Panel* panel;
  Blocks blocks = {};
  Index cell_width = 0, cell_height = 0, width = 0, height = 0;

  bool captioned() const { return panel->shape.size() > 2; }
  Index block_width() const { return kLabel + blocks.columns * cell_width; }
  Index block_height() const { return (captioned() ? kCaption : 0) + kHeader + blocks.rows * cell_height; }
};

std::string type_text(const Panel& panel) { return fmt::format("{} {}", name(panel.dtype), list(panel.shape)); }

Placed measured(const Panel& panel) {
  Placed p{.panel = &panel, .blocks = blocks_of(panel)};
  Index value = 0, note = 0;
  for (const Cell& cell : panel.cells) {
    value = std::max(value, characters(cell.value));
    note = std::max(note, characters(cell.note));
  }
  p.cell_width = std::max({Index{36}, 8 * value + 14, 6 * note + 12});
  p.cell_height = note > 0 ? 40 : 30;
  const auto down = static_cast<Index>(p.blocks.arranged.size());
  const auto across = down == 0 ? 0 : static_cast<Index>(p.blocks.arranged.front().size());
  const Index title = 9 * characters(panel.name) + 7 * characters(type_text(panel)) + 16;
  p.width = std::max(title, across * (p.block_width() + kBlockGap) - kBlockGap);
  p.height = kTitle + std::max<Index>(down * (p.block_height() + kBlockGap) - kBlockGap, 24);
  return p;
}

class Drawing {
 public:
  explicit Drawing(const Picture& picture) : picture_(picture) {}

  std::string draw() {
    body_ += svg::text({kMargin, y_ + 16}, "ink title", picture_.op);
    widen(10 * characters(picture_.op));
    y_ += 28;
    for (const Scene& scene : picture_.scenes) draw_scene(scene);
    draw_legend();
    return svg::document({width_ + kMargin, y_ + kMargin}, picture_.op, description(), body_);
  }

 private:
  void widen(Index right) { width_ = std::max(width_, kMargin + right); }

  std::string description() const {
    std::string out;
    for (const Scene& scene : picture_.scenes) out += scene.equation + ". ";
    return out + picture_.colours;
  }

  void line(const char* style, const std::string& text) {
    body_ += svg::text({kMargin, y_ + 14}, style, text);
    widen(8 * characters(text));
    y_ += kLine;
  }

  // ---- panels ----

  void draw_scene(const Scene& scene) {
    line("ink code", scene.equation);
    y_ += 10;
    Index x = kMargin, tallest = 0;
    for (const Panel& panel : scene.panels) {
      const Placed placed = measured(panel);
      const Index before = panel.is_result ? kGap : 0;
      if (x > kMargin && x + before + placed.width > kMargin + kMostWidth) {
        x = kMargin;
        y_ += tallest + 24;
        tallest = 0;
      }
      if (panel.is_result) x = draw_arrow(x, placed);
      draw_panel(placed, {x, y_});
      x += placed.width + kGap;
      widen(x - kGap - kMargin);
      tallest = std::max(tallest, placed.height);
    }
    y_ += tallest + 20;
    for (const std::string& note : scene.notes) line("ink small", note);
  }

  Index draw_arrow(Index x, const Placed& placed) {
    const Index middle = y_ + kTitle + (placed.height - kTitle) / 2;
    body_ += svg::arrow({x - (x > kMargin ? kGap - 10 : 0), middle}, 44);
    return x + (x > kMargin ? 30 : 60);
  }

  void draw_panel(const Placed& p, Point at) {
    body_ += svg::heading({at.x, at.y + 12}, p.panel->name, type_text(*p.panel));
    if (p.panel->cells.empty()) body_ += svg::text({at.x, at.y + kTitle + 14}, "soft small", "no elements");
    Index y = at.y + kTitle;
    for (const auto& row : p.blocks.arranged) {
      Index x = at.x;
      for (const Block& block : row) {
        draw_block(p, block, {x, y});
        x += p.block_width() + kBlockGap;
      }
      y += p.block_height() + kBlockGap;
    }
  }

  void draw_block(const Placed& p, const Block& block, Point at) {
    if (p.captioned()) {
      body_ += svg::text({at.x + kLabel, at.y + 10}, "soft tiny", block.caption);
      at.y += kCaption;
    }
    const Point origin{at.x + kLabel, at.y + kHeader};
    const bool has_rows = p.panel->shape.size() > 1, has_columns = !p.panel->shape.empty();
    for (Index c = 0; has_columns && c < p.blocks.columns; ++c)
      body_ +=
          svg::text({origin.x + c * p.cell_width + p.cell_width / 2, origin.y - 5}, "soft tiny mid", fmt::to_string(c));
    for (Index r = 0; r < p.blocks.rows; ++r) {
      const Index y = origin.y + r * p.cell_height;
      if (has_rows) body_ += svg::text({origin.x - 6, y + p.cell_height / 2 + 4}, "soft tiny end", fmt::to_string(r));
      for (Index c = 0; c < p.blocks.columns; ++c) {
        const Cell& cell = p.panel->cells[static_cast<std::size_t>(block.first + r * p.blocks.columns + c)];
        body_ += svg::cell({origin.x + c * p.cell_width, y}, {p.cell_width, p.cell_height}, cell);
      }
    }
  }

  // ---- below the panels ----

  void draw_legend() {
    line("soft small", picture_.colours);
    y_ += 6;
    for (const LegendLine& entry : picture_.legend) {
      body_ += svg::cell({kMargin, y_ - 2}, {26, 20}, svg::sample(entry.mark));
      body_ += svg::text({kMargin + 38, y_ + 13}, "ink small", entry.text);
      widen(38 + 7 * characters(entry.text));
      y_ += 26;
    }
  }

  const Picture& picture_;
  std::string body_;
  Index y_ = kMargin, width_ = 0;
};

}  // namespace

Result<std::string> draw_svg(const Call& call) {
  GARNER_ASSIGN(const Picture picture, paint(call));
  return Drawing(picture).draw();
}

}  // namespace garner
