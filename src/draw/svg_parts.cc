#include "draw/svg_parts.h"

#include <algorithm>
#include <array>

#include "base/fail.h"

namespace garner::svg {
namespace {

// Cells keep their light colours and dark text on dark ground, too: only what lies on the ground itself changes.
constexpr const char* kStyle = R"(<style>
text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
.code, .value, .note { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.title { font-size: 17px; font-weight: 600; } .name { font-size: 13px; font-weight: 600; }
.kind { font-size: 12px; font-weight: 400; }
.code, .value { font-size: 13px; } .small { font-size: 12px; } .tiny, .note { font-size: 10px; }
.mid, .value, .note { text-anchor: middle; } .end { text-anchor: end; }
.ink { fill: #1f2328; } .soft { fill: #59636e; } .on { fill: #111418; }
.ground { fill: #ffffff; } .blank { fill: #f6f8fa; stroke: #d1d9e0; } .edge { stroke: #59636e; }
.arrow, .icon { fill: none; stroke: #59636e; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.icon { stroke: #111418; stroke-width: 1.2; } .badge { fill: #ffffff; stroke: #111418; }
.hatch { stroke: #59636e; stroke-width: 1.2; } .dot { fill: #59636e; }
.halo { stroke: #f6f8fa; stroke-width: 3px; stroke-linejoin: round; paint-order: stroke; }
.bad { fill: none; stroke: #d1242f; stroke-width: 2; } .many { fill: none; stroke: #111418; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
  .ink { fill: #f0f6fc; } .soft { fill: #9198a1; } .ground { fill: #0d1117; }
  .blank { fill: #151b23; stroke: #3d444d; } .arrow, .hatch { stroke: #9198a1; } .dot { fill: #9198a1; }
  .bad { stroke: #f85149; } .many { stroke: #f0f6fc; } .halo { stroke: #151b23; }
}
</style>
)";

constexpr const char* kDefs = R"(<defs>
<pattern id="garner-filled" width="7" height="7" patternUnits="userSpaceOnUse">
  <path class="hatch" d="M-1,8 L8,-1 M-1,1 L1,-1 M6,8 L8,6" opacity="0.45"/></pattern>
<pattern id="garner-masked" width="6" height="6" patternUnits="userSpaceOnUse">
  <circle class="dot" cx="3" cy="3" r="1.1" opacity="0.6"/></pattern>
<pattern id="garner-dropped" width="8" height="8" patternUnits="userSpaceOnUse">
  <path class="hatch" d="M0,0 L8,8 M8,0 L0,8" opacity="0.4"/></pattern>
<g id="garner-wrapped"><circle class="badge" r="6.5"/>
  <path class="icon" d="M-2.9,-1.2 A3.2,3.2 0 1 1 -1.9,2.6 M-3.6,-3.6 L-2.9,-1 L-0.4,-1.7"/></g>
<g id="garner-clamped"><circle class="badge" r="6.5"/>
  <path class="icon" d="M-3.8,0 H1.4 M-0.6,-2 L1.4,0 L-0.6,2 M3,-3 V3"/></g>
<g id="garner-modulo"><circle class="badge" r="6.5"/>
  <path class="icon" d="M-2.4,3 L2.4,-3 M-2.6,-1.6 a1,1 0 1 0 0.01,0 M2.6,2.4 a1,1 0 1 0 0.01,0"/></g>
</defs>
)";

std::string hex(Rgb c) { return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue); }

/// The inside of a cell: one pixel free on every side, so that neighbours stand apart.
struct Frame {
  Index x, y, width, height;
};

std::string rect(const Frame& f, std::string_view rest) {
  return fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" {}/>)", f.x, f.y, f.width, f.height, rest);
}

/// One colour fills the cell; several are stripes, the last of which takes what is left.
std::string ground(const Frame& f, const std::vector<Rgb>& colours) {
  if (colours.empty()) return rect(f, R"(rx="3" class="blank")");
  if (colours.size() == 1) return rect(f, fmt::format(R"(rx="3" fill="{}")", hex(colours.front())));
  const auto count = static_cast<Index>(std::min<std::size_t>(colours.size(), 6));
  std::string out;
  for (Index i = 0; i < count; ++i) {
    const Index left = f.width * i / count, right = f.width * (i + 1) / count;
    out += rect({f.x + left, f.y, right - left, f.height},
                fmt::format(R"(fill="{}")", hex(colours[static_cast<std::size_t>(i)])));
  }
  return out;
}

std::string hatched(const Frame& f, const char* pattern) {
  return rect(f, fmt::format("rx=\"3\" fill=\"url(#garner-{})\"", pattern));
}

std::string overlay(const Frame& f, Mark mark) {
  switch (mark) {
    case Mark::kFilled: return hatched(f, "filled");
    case Mark::kMasked: return hatched(f, "masked");
    case Mark::kDropped: return hatched(f, "dropped");
    case Mark::kTrapped:
      return rect(f, R"(rx="3" class="bad")") +
             fmt::format(R"(<path class="bad" opacity="0.35" d="M{0},{1} L{2},{3} M{2},{1} L{0},{3}"/>)", f.x + 3,
                         f.y + 3, f.x + f.width - 3, f.y + f.height - 3);
    case Mark::kSeveral: return rect(f, R"(rx="3" class="many")");
    case Mark::kWrapped:
    case Mark::kClamped:
    case Mark::kModulo: return "";
  }
  return "";
}

const char* badge_of(Mark mark) {
  switch (mark) {
    case Mark::kWrapped: return "wrapped";
    case Mark::kClamped: return "clamped";
    case Mark::kModulo: return "modulo";
    case Mark::kFilled:
    case Mark::kMasked:
    case Mark::kDropped:
    case Mark::kTrapped:
    case Mark::kSeveral: return nullptr;
  }
  return nullptr;
}

/// At the upper right corner, one beside the other.
std::string badges(const Frame& f, const std::set<Mark>& marks) {
  std::string out;
  Index x = f.x + f.width - 5;
  for (const Mark mark : marks) {
    if (badge_of(mark) == nullptr) continue;
    out += fmt::format(R"(<use href="#garner-{}" x="{}" y="{}"/>)", badge_of(mark), x, f.y + 4);
    x -= 13;
  }
  return out;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out;
}

std::string text(Point at, std::string_view style, std::string_view content) {
  return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", at.x, at.y, style, escaped(content));
}

std::string heading(Point at, std::string_view name, std::string_view kind) {
  return fmt::format(
      "<text x=\"{}\" y=\"{}\" class=\"ink name\">{}<tspan class=\"soft kind\" dx=\"8\">{}</tspan></text>\n", at.x,
      at.y, escaped(name), escaped(kind));
}

std::string arrow(Point from, Index length) {
  const Index tip = from.x + length;
  return fmt::format("<path class=\"arrow\" d=\"M{},{} H{} M{},{} L{},{} L{},{}\"/>\n", from.x, from.y, tip, tip - 8,
                     from.y - 6, tip, from.y, tip - 8, from.y + 6);
}

std::string cell(Point at, Size size, const Cell& cell) {
  const Frame f{at.x + 1, at.y + 1, size.width - 2, size.height - 2};
  const Index middle = f.x + f.width / 2;
  const char* ink = !cell.colours.empty() ? "on" : cell.marks.empty() ? "soft" : "ink halo";
  std::string out = "<g>";
  if (!cell.tip.empty()) out += fmt::format("<title>{}</title>", escaped(cell.tip));
  out += ground(f, cell.colours);
  for (const Mark mark : cell.marks) out += overlay(f, mark);
  const Index value_y = f.y + (cell.note.empty() ? f.height / 2 + 5 : 17);
  if (!cell.value.empty()) out += text({middle, value_y}, fmt::format("value {}", ink), cell.value);
  if (!cell.note.empty()) out += text({middle, f.y + 31}, fmt::format("note {}", ink), cell.note);
  return out + badges(f, cell.marks) + "</g>\n";
}

Cell sample(Mark mark) { return {.value = {}, .note = {}, .tip = {}, .colours = {}, .marks = {mark}}; }

std::string document(Size size, std::string_view title, std::string_view description, std::string_view body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n{4}{5}<rect class=\"ground\" width=\"{0}\" height=\"{1}\"/>\n{6}</svg>\n",
      size.width, size.height, escaped(title), escaped(description), kStyle, kDefs, body);
}

}  // namespace garner::svg
