// What a picture is made from, for programs.
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "draw/picture.h"
#include "garner/draw.h"

namespace garner {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has the u64 above the largest i64, too.
Json number(Wide value) {
  return value < 0 ? Json(static_cast<std::int64_t>(value)) : Json(static_cast<std::uint64_t>(value));
}

Json read_json(const Job& job, const IndexRead& read) {
  const std::string label = read.term < job.labels.size() ? job.labels[read.term].name : "index";
  return {{"name", label},           {"value", number(read.value)}, {"used", read.outside ? Json() : Json(read.used)},
          {"wrapped", read.wrapped}, {"clamped", read.clamped},     {"modulo", read.folded}};
}

Json step_json(const Job& job, const Step& step) {
  Json reads = Json::array();
  for (const IndexRead& read : step.reads) reads.push_back(read_json(job, read));
  const bool done = step.fate == Fate::kDone;
  return {{"at", step.at},
          {"fate", name(step.fate)},
          {"position", done ? Json(step.position) : Json()},
          {"indices", reads}};
}

Json scene_json(const Scene& scene) {
  const IndexPlan& plan = scene.job.plan;
  Json steps = Json::array();
  for (const Step& step : scene.steps) steps.push_back(step_json(scene.job, step));
  Axes indexed;
  for (const AxisMap& map : plan.indexed) indexed.push_back(map.extent);
  return {{"equation", scene.equation},
          {"direction", plan.direction == Direction::kGather ? "gather" : "scatter"},
          {"combine", name(plan.combine)},
          {"domain", plan.domain},
          {"indexed", indexed},
          {"notes", scene.notes},
          {"steps", steps}};
}

}  // namespace

Result<std::string> draw_json(const Call& call) {
  GARNER_ASSIGN(const Picture picture, paint(call));
  Json scenes = Json::array();
  for (const Scene& scene : picture.scenes) scenes.push_back(scene_json(scene));
  const Json out = {{"op", picture.op}, {"scenes", scenes}};
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace garner
