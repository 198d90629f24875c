#include "draw/picture.h"

#include "base/fail.h"
#include "draw/painter.h"
#include "explain/equation.h"
#include "garner/draw.h"

namespace garner {
namespace {

bool all_gather(const Jobs& jobs) {
  for (const Job& job : jobs)
    if (job.plan.direction == Direction::kScatter) return false;
  return true;
}

std::string meaning(Mark mark, bool gather) {
  switch (mark) {
    case Mark::kWrapped: return "a negative index, counted from the end";
    case Mark::kClamped: return "an index clamped into its range";
    case Mark::kModulo: return "an index taken modulo its range";
    case Mark::kFilled: return "index out of range: filled";
    case Mark::kMasked: return gather ? "mask is false: not read" : "mask is false: not written";
    case Mark::kDropped: return "index out of range: the update is dropped";
    case Mark::kTrapped: return "index out of range: an error";
    case Mark::kSeveral: return "several updates on one place";
  }
  return "";
}

std::vector<LegendLine> legend_of(const std::vector<Scene>& scenes, bool gather) {
  std::set<Mark> seen;
  for (const Scene& scene : scenes)
    for (const Panel& panel : scene.panels)
      for (const Cell& cell : panel.cells) seen.insert(cell.marks.begin(), cell.marks.end());
  std::vector<LegendLine> legend;
  for (const Mark mark : seen) legend.push_back({mark, meaning(mark, gather)});
  return legend;
}

Result<Scene> paint_scene(const Job& job, const GivenTensors& given) {
  GARNER_TRY(check_room(job, given));
  Scene scene{.job = job, .steps = {}, .equation = put_in_words(job, given).equation, .panels = {}, .notes = {}};
  GARNER_ASSIGN(scene.steps, trace(job));
  GARNER_TRY(paint_panels(given, scene));
  return scene;
}

}  // namespace

Result<Picture> paint(const Call& call) {
  GARNER_ASSIGN(const LoweredCall lowered, lower_with_names(call));
  if (!lowered.has_plan)
    return fail(Code::kUnsupported, "A5", "call: {} does not become a plan, so there is nothing to draw", lowered.op);
  if (lowered.jobs.size() > static_cast<std::size_t>(kDrawnJobs))
    return fail(Code::kUnsupported, "DR3", "{}: {} plans, allowed [0, {}] in a picture", lowered.op,
                lowered.jobs.size(), kDrawnJobs);
  const bool gather = all_gather(lowered.jobs);
  Picture picture{.op = lowered.op, .scenes = {}, .legend = {}, .colours = {}};
  for (const Job& job : lowered.jobs) {
    GARNER_ASSIGN(Scene scene, paint_scene(job, lowered.given));
    if (!lowered.promise.empty()) scene.notes.push_back(lowered.promise);
    picture.scenes.push_back(std::move(scene));
  }
  picture.legend = legend_of(picture.scenes, gather);
  picture.colours = gather ? "A cell of the result has the colour of the element it was read from."
                           : "A cell of the result has the colours of the updates that reach it; the others stay.";
  return picture;
}

}  // namespace garner
