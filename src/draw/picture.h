// What a picture shows, before anybody decides how: panels of cells with their colours, notes and marks.
#pragma once
#include <set>

#include "draw/palette.h"
#include "draw/trace.h"
#include "garner/call.h"

namespace garner {

/// What may have happened to an element, an index or an update. In the order of the legend.
enum class Mark { kWrapped, kClamped, kModulo, kFilled, kMasked, kDropped, kTrapped, kSeveral };

struct Cell {
  std::string value;         // the number
  std::string note;          // small, below it: where it comes from or goes to
  std::string tip;           // the same as a sentence
  std::vector<Rgb> colours;  // none: it takes no part
  std::set<Mark> marks;
};

struct Panel {
  std::string name;          // "input"
  DType dtype = DType::kF32;
  Axes shape;
  std::vector<Cell> cells;   // row-major
  bool is_result = false;
};

/// One plan of the call.
struct Scene {
  Job job;
  std::vector<Step> steps;
  std::string equation;
  std::vector<Panel> panels;       // the operand first, the result last
  std::vector<std::string> notes;  // what the panels do not say
};

struct LegendLine {
  Mark mark;
  std::string text;
};

struct Picture {
  std::string op;
  std::vector<Scene> scenes;
  std::vector<LegendLine> legend;  // only what appears
  std::string colours;             // what a colour means
};

/// Rules: garner/draw.h.
Result<Picture> paint(const Call& call);

}  // namespace garner
