// garner draw: which element comes from where, in the terminal or as an SVG file.
#include "garner/draw.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/fail.h"
#include "cli/common.h"
#include "cli/explain.h"
#include "format/file.h"

namespace garner::cli {
namespace {

Result<std::string> drawn(const DrawRequest& request) {
  Files files;
  GARNER_ASSIGN(const Call call, read_call(request.call, files));
  if (request.json) return draw_json(call);
  return request.out.empty() ? draw_text(call, has_colours(stdout)) : draw_svg(call);
}

}  // namespace

CLI::App* add_draw(CLI::App& app, DrawRequest& request) {
  CLI::App* command = app.add_subcommand("draw", "which element comes from where: in the terminal, or as an SVG file");
  add_call_text(*command, request.call);
  command->add_option("-o,--output", request.out, "a file for the picture, as SVG");
  command->add_flag("--json", request.json, "{op, scenes: [{equation, steps: [{at, fate, position, indices}]}]}");
  command->footer(
      "Examples:\n"
      "  garner draw 'lucid.gather(i64[[10, 20, 30], [40, 50, 60]], dim=1, index=[[2, 1], [0, 2]])'\n"
      "  garner draw 'torch.scatter_add(x, 0, i64[2, 0, 2], f32[1, 2, 4])' x='zeros(f32, 4)' -o picture.svg");
  return command;
}

int draw(const DrawRequest& request) {
  const auto picture = drawn(request);
  if (!picture.ok()) return report(picture.status());
  if (request.out.empty()) {
    fmt::print("{}", *picture);
    return kDone;
  }
  const Status saved = format::write_whole(request.out, *picture);
  return saved.ok() ? static_cast<int>(kDone) : report(saved);
}

}  // namespace garner::cli
