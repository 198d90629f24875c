#include "garner/draw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "draw/blocks.h"
#include "draw/picture.h"
#include "draw/svg_parts.h"
#include "garner/error.h"

namespace garner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Call call_of(const std::string& text) { return value_or_throw(parse_call(text)); }
Picture painted(const std::string& text) { return value_or_throw(paint(call_of(text))); }
const Panel& panel_named(const Picture& picture, const std::string& name) {
  for (const Panel& panel : picture.scenes[0].panels)
    if (panel.name == name) return panel;
  ADD_FAILURE() << "no panel " << name;
  return picture.scenes[0].panels.front();
}
std::vector<std::string> notes(const Panel& panel) {
  std::vector<std::string> out;
  for (const Cell& cell : panel.cells) out.push_back(cell.note);
  return out;
}

/// Empty when every element of an XML text is closed in order and every attribute quoted; otherwise what is wrong.
std::string xml_fault(const std::string& text) {
  std::vector<std::string> open;
  std::size_t at = 0;
  while ((at = text.find('<', at)) != std::string::npos) {
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return "a tag without an end";
    const std::string tag = text.substr(at + 1, end - at - 1);
    if (std::ranges::count(tag, '"') % 2 != 0 || tag.find('<') != std::string::npos) return "bad tag " + tag;
    const std::string name =
        tag.substr(tag.starts_with('/') ? 1 : 0, tag.find_first_of(" \n/", 1) - (tag.starts_with('/') ? 1 : 0));
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "closes " + tag;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
    at = end + 1;
  }
  for (at = 0; (at = text.find('&', at)) != std::string::npos; ++at)
    if (text.find(';', at) > at + 6) return "a bare ampersand";
  return open.empty() ? "" : "leaves open " + open.back();
}

std::string svg_of(const std::string& text) {
  std::string svg = value_or_throw(draw_svg(call_of(text)));
  EXPECT_EQ(xml_fault(svg), "") << svg;
  EXPECT_THAT(svg, HasSubstr("<title>"));
  EXPECT_THAT(svg, HasSubstr("<desc>"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_EQ(svg, value_or_throw(draw_svg(call_of(text)))) << "not the same twice";
  return svg;
}

// ---- what is on a picture ----

TEST(Draw, AResultCellNamesItsSourceAndHasItsColour) {
  const Picture p = painted("lucid.gather(i64[[10, 20, 30], [40, 50, 60]], dim=1, index=i32[[2, 1], [0, 2]])");
  const Panel &input = panel_named(p, "input_"), &result = panel_named(p, "result");
  EXPECT_EQ(p.scenes[0].equation, "result[i, j] = input_[i, index[i, j]]");
  EXPECT_THAT(notes(result), ElementsAre("←0,2", "←0,1", "←1,0", "←1,2"));
  EXPECT_EQ(result.cells[0].value, "30");
  EXPECT_EQ(result.cells[0].colours, input.cells[2].colours);
  EXPECT_EQ(result.cells[2].colours, input.cells[3].colours);
  EXPECT_TRUE(input.cells[0].colours.empty()) << "nobody reads 10";
  EXPECT_TRUE(p.legend.empty());
}

TEST(Draw, ShowsTheUsersTensorAndNotAPartOfIt) {
  const Picture p = painted("onnx.GatherND(f32[[1, 2], [3, 4]], i64[[0, 1], [1, 0]])");
  ASSERT_EQ(p.scenes[0].panels.size(), 3U) << "both components are one panel";
  EXPECT_EQ(panel_named(p, "indices").shape, (Axes{2, 2}));
  const Picture flat = painted("torch.take(f32[[1, 2], [3, 4]], i64[3])");
  EXPECT_EQ(panel_named(flat, "input").shape, (Axes{2, 2})) << "take sees one row, the user two";
  EXPECT_THAT(notes(panel_named(flat, "result")), ElementsAre("←1,1"));
}

TEST(Draw, OneUpdateMayGoToManyPlacesAndBeDroppedToo) {
  const Picture p = painted("onnx.OneHot(i64[0, 2, 5], i64(3), f32[0, 1])");
  const Cell& on = panel_named(p, "values").cells[1];
  EXPECT_EQ(on.note, "→2 places");
  EXPECT_TRUE(on.marks.contains(Mark::kDropped));
}

TEST(Draw, PlacesFoundByAMaskAreCalledThat) {
  const Picture p = painted("torch.masked_select(iota(f32, 2, 2), bool[[true, false], [false, true]])");
  EXPECT_THAT(notes(panel_named(p, "result")), ElementsAre("←0,0", "←1,1"));
  EXPECT_EQ(panel_named(p, "nonzero(mask)[:, 1]").cells[1].value, "1");
}

struct Marked {
  const char *call, *panel;
  std::size_t cell;
  Mark mark;
  const char* note;
};

TEST(Draw, MarksEveryKindOfPlace) {
  const Marked kRows[] = {
      {"tensorrt.gather(f32[1, 2, 3], i32[-1, 3])", "result", 0, Mark::kWrapped, "←2"},
      {"tensorrt.gather(f32[1, 2, 3], i32[-1, 3])", "indices", 0, Mark::kWrapped, "→2"},
      {"tensorrt.gather(f32[1, 2, 3], i32[-1, 3])", "result", 1, Mark::kFilled, "filled"},
      {"tensorrt.gather(f32[1, 2, 3], i32[-1, 3])", "indices", 1, Mark::kFilled, "outside"},
      {"jax.take(f32[1, 2, 3], i32[7], mode=clip)", "result", 0, Mark::kClamped, "←2"},
      {"numpy.take(f32[1, 2, 3], i64[7], mode=wrap)", "result", 0, Mark::kModulo, "←1"},
      {"cutile.gather(f32[1, 2, 3], i32[1, 1], mask=bool[true, false])", "result", 1, Mark::kMasked, "masked"},
      {"cutile.gather(f32[1, 2, 3], i32[1, 1], mask=bool[true, false])", "mask", 1, Mark::kMasked, ""},
      {"jax.at_add(f32[1, 2, 3], i32[7, 1], f32[10, 20])", "values", 0, Mark::kDropped, "dropped"},
      {"torch.take(f32[1, 2, 3], i64[9])", "result", 0, Mark::kTrapped, "error"},
      {"torch.scatter_add(zeros(f32, 4), 0, i64[2, 0, 2], f32[1, 2, 4])", "result", 2, Mark::kSeveral, "2x add"},
      {"torch.scatter(zeros(f32, 4), 0, i64[2, 0, 2], f32[1, 2, 4])", "result", 2, Mark::kSeveral, "last of 2"},
  };
  for (const Marked& row : kRows) {
    const Picture p = painted(row.call);
    const Cell& cell = panel_named(p, row.panel).cells[row.cell];
    EXPECT_TRUE(cell.marks.contains(row.mark)) << row.call << " " << row.panel << " " << row.cell;
    EXPECT_EQ(cell.note, row.note) << row.call;
    EXPECT_TRUE(std::ranges::any_of(p.legend, [&](const LegendLine& l) { return l.mark == row.mark; })) << row.call;
  }
}

TEST(Draw, LeavesOtherPlacesUnmarked) {
  const Picture p = painted("tensorrt.gather(f32[1, 2, 3], i32[-1, 3, 0])");
  EXPECT_TRUE(panel_named(p, "result").cells[2].marks.empty());
  EXPECT_TRUE(panel_named(p, "indices").cells[2].marks.empty());
  EXPECT_EQ(p.legend.size(), 2U);
}

TEST(Draw, AScatterShowsWhereUpdatesLand) {
  const Picture p = painted("torch.scatter_add(f32[1, 1, 1, 1], 0, i64[2, 0, 2], f32[1, 2, 4])");
  EXPECT_THAT(notes(panel_named(p, "src")), ElementsAre("→2", "→0", "→2"));
  const Panel& result = panel_named(p, "result");
  EXPECT_THAT(notes(result), ElementsAre("←1", "", "2x add", ""));
  EXPECT_EQ(result.cells[2].value, "6");
  EXPECT_EQ(result.cells[2].colours.size(), 2U);
  EXPECT_TRUE(result.cells[1].colours.empty()) << "it keeps what was there";
}

TEST(Draw, AnErrorIsDrawnAndSaid) {
  const Picture p = painted("torch.take(f32[1, 2, 3], i64[9, 1])");
  EXPECT_EQ(panel_named(p, "result").cells[1].value, "2");
  ASSERT_EQ(p.scenes[0].notes.size(), 1U);
  EXPECT_THAT(p.scenes[0].notes[0], HasSubstr("(TO8)"));
}

TEST(Draw, TellsWhatAtomicsGiveBack) {
  const Picture p = painted("cutile.atomic_add(i32[1, 2, 3], i32[1, 1], i32[10, 20])");
  EXPECT_EQ(panel_named(p, "before").cells[1].value, "12");
  EXPECT_EQ(panel_named(p, "result").cells[1].value, "32");
}

// ---- limits ----

TEST(Draw, RefusesWhatDoesNotFit) {
  const auto rule = [](const std::string& text) { return draw_svg(call_of(text)).status().rule; };
  EXPECT_EQ(rule("torch.take(iota(f32, 401), i64[0])"), "DR1");
  EXPECT_EQ(rule("torch.take(iota(f32, 400), i64[0])"), "");
  EXPECT_EQ(rule("torch.take(f32[1], zeros(i64, 401))"), "DR1");
  EXPECT_EQ(rule("torch.take(zeros(f32, 1, 1, 1, 1, 1), i64[0])"), "DR2");
  EXPECT_EQ(rule("torch.argmax(f32[1])"), "A5");
  EXPECT_EQ(rule("nobody.knows(f32[1])"), "A1");
  EXPECT_EQ(rule("torch.gather(f32[1])"), "A2");
}

TEST(Draw, TakesEveryRankAndNoElements) {
  for (const char* text :
       {"torch.take(f32(7), i64(0))", "torch.take(f32[7], i64{0})", "torch.index_select(f32{0, 3}, 0, i64{0})",
        "torch.index_select(iota(f32, 2, 2, 2), 1, i64[1])",
        "torch.index_select(iota(f32, 2, 2, 2, 2), 3, i64[1, 0, 1])"}) {
    svg_of(text);
    EXPECT_TRUE(draw_text(call_of(text), false).ok()) << text;
    EXPECT_TRUE(draw_json(call_of(text)).ok()) << text;
  }
}

// ---- the forms ----

TEST(Draw, SvgShowsMarksAsHatchingAndBadges) {
  const std::string svg = svg_of("tensorrt.gather(f32[1, 2, 3], i32[-1, 3])");
  EXPECT_THAT(svg, HasSubstr("url(#garner-filled)"));
  EXPECT_THAT(svg, HasSubstr("<use href=\"#garner-wrapped\""));
  EXPECT_THAT(svg, Not(HasSubstr("<use href=\"#garner-clamped\"")));
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(svg_of("torch.take(f32[1], i64[3])"), HasSubstr("class=\"bad\""));
}

TEST(Draw, SvgWritesOutWhatXmlReads) {
  EXPECT_EQ(svg::escaped("a<b & \"c\">\x01"), "a&lt;b &amp; &quot;c&quot;&gt;");
  EXPECT_EQ(xml_fault("<a><b/></a>"), "");
  EXPECT_NE(xml_fault("<a><b></a>"), "");  // the check itself can fail
}

TEST(Draw, TextIsPlainWithoutColour) {
  const std::string call = "lucid.gather(i64[[10, 20, 30], [40, 50, 60]], dim=1, index=i32[[2, 1], [0, 2]])";
  EXPECT_EQ(value_or_throw(draw_text(call_of(call), false)), R"(lucid.gather
result[i, j] = input_[i, index[i, j]]

input_ i64 [2,3]
     0   1   2
  0  10  20  30
  1  40  50  60

index i32 [2,2]
     0  1
  0  2  1
  1  0  2

→ result i64 [2,2]
     0        1
  0  30 ←0,2  20 ←0,1
  1  40 ←1,0  60 ←1,2

)");
  EXPECT_THAT(value_or_throw(draw_text(call_of(call), true)), HasSubstr("\x1b[38;5;16;48;5;"));
}

TEST(Draw, JsonHasEveryStep) {
  const auto json =
      nlohmann::json::parse(value_or_throw(draw_json(call_of("tensorrt.gather(f32[1, 2, 3], i32[-1, 3])"))));
  const auto& steps = json["scenes"][0]["steps"];
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0]["position"], (std::vector<int>{2}));
  EXPECT_EQ(steps[0]["indices"][0]["wrapped"], true);
  EXPECT_EQ(steps[1]["fate"], "filled");
  EXPECT_TRUE(steps[1]["position"].is_null());
}

// ---- parts ----

TEST(Blocks, ArrangeRankFour) {
  Panel panel;
  panel.shape = {2, 3, 4, 5};
  panel.cells.resize(120);
  const Blocks blocks = blocks_of(panel);
  EXPECT_EQ(blocks.rows, 4);
  EXPECT_EQ(blocks.columns, 5);
  ASSERT_EQ(blocks.arranged.size(), 2U);
  ASSERT_EQ(blocks.arranged[1].size(), 3U);
  EXPECT_EQ(blocks.arranged[1][2].first, 100);
  EXPECT_EQ(blocks.arranged[1][2].caption, "[1, 2, :, :]");
}

TEST(Blocks, CountCharactersAndNotBytes) { EXPECT_EQ(characters("←0,2"), 4); }

TEST(Palette, TellsRowsApartAndColumnsBySteps) {
  EXPECT_NE(colour_at({2, 3}, 0), colour_at({2, 3}, 3));
  EXPECT_NE(colour_at({2, 3}, 0), colour_at({2, 3}, 1));
  EXPECT_NE(colour_at({3}, 0), colour_at({3}, 1));
  EXPECT_EQ(terminal_colour({0, 0, 0}), 16);
  EXPECT_EQ(terminal_colour({255, 255, 255}), 231);
}

/// Black text needs a contrast of 4.5 at least (WCAG AA).
TEST(Palette, IsLightEnoughForBlackText) {
  const auto linear = [](std::uint8_t part) {
    const double v = part / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  for (Index place = 0; place < 64; ++place) {
    const Rgb c = colour_at({8, 8}, place);
    const double light = 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
    EXPECT_GT((light + 0.05) / (0.01 + 0.05), 4.5) << place;
  }
}

}  // namespace
}  // namespace garner
