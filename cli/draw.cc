// garner draw: which element comes from where, in the terminal or as an SVG file.
#include "garner/draw.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "cli/common.h"
#include "cli/explain.h"
#include "format/file.h"

namespace garner::cli {
namespace {

Result<std::string> drawn(const DrawRequest& request) {
  Files files;
  GARNER_ASSIGN(const Environment names, bind_names(request.bindings, files));
  GARNER_ASSIGN(const Call call, parse_call(request.text, names, &files));
  if (request.json) return draw_json(call);
  return request.out.empty() ? draw_text(call, has_colours(stdout)) : draw_svg(call);
}

Status save_text(const std::string& path, const std::string& text) {
  GARNER_ASSIGN(auto file, format::NewFile::create(path));
  GARNER_TRY(file.write(text.data(), text.size()));
  return file.commit();
}

}  // namespace

CLI::App* add_draw(CLI::App& app, DrawRequest& request) {
  CLI::App* command = app.add_subcommand("draw", "which element comes from where: in the terminal, or as an SVG file");
  command->add_option("CALL", request.text, "dialect.op(arguments), as in garner call")->required();
  command->add_option("NAME=VALUE", request.bindings, "names the call uses");
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
  const Status saved = save_text(request.out, *picture);
  return saved.ok() ? static_cast<int>(kDone) : report(saved);
}

}  // namespace garner::cli
