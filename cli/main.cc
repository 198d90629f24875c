// The garner command. One file per subcommand; each returns the exit status (cli/common.h).
// 0: done. 1: the call was refused (a bad argument, an index out of range). 2: the command line or a text is wrong.
// 3: a file cannot be read or written.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/explain.h"
#include "cli/lookup.h"
#include "cli/run.h"
#include "cli/translate.h"
#include "garner/error.h"
#include "garner/version.h"

namespace {

constexpr const char* kExits =
    "Exit status: 0 done; 1 the call was refused; 2 the command line, or a text that is no call; 3 a file cannot be\n"
    "read or written. Errors are one line on stderr with their rule (docs/rules.md), and leave no file behind.";

constexpr const char* kCallHelp =
    "Values: 3, 0.5, inf, true, None, a word (ND), [1, 2], f32[[1, 2], [3, 4]], f32(7), iota(f32, 2, 3), and arrays "
    "of\n"
    "files: @d.npy, @d.npz:name, @d.safetensors:name, @\"my file.npy\", bf16@d.npy (where the file does not know the "
    "dtype).\n\n"
    "Examples:\n"
    "  garner call 'lucid.gather(i64[[10, 20, 30], [40, 50, 60]], dim=1, index=[[2, 1], [0, 2]])'\n"
    "  garner call 'tensorrt.gather(data, index, mode=ND)' data=@d.npy index='i32[[1, 0, 2], [0, 2, -1]]' -o out.npy\n"
    "  garner call 'torch.index_select(t, 0, rows)' t=@model.safetensors:embed rows=@rows.npy -o rows_of_t.npy\n"
    "  garner call 'numpy.argwhere(@x.npy)' --json\n\n";

CLI::App* add_call(CLI::App& app, garner::cli::CallRequest& request) {
  CLI::App* call = app.add_subcommand("call", "run a call on literals and files; print or save its results");
  garner::cli::add_call_text(*call, request.call);
  call->add_option("-o,--output", request.out,
                   "a .npy, .npz or .safetensors; several results: out_0.npy, out_1.npy, …");
  call->add_flag("--json", request.json, "{op, results: [{dtype, shape, values or file}], seconds}");
  call->add_option("--threads", request.threads, "0: one per core")->check(CLI::Range(0, 4096));
  call->add_option("--kernel", request.kernel, "force one by name (garner info lists them)");
  call->footer(std::string(kCallHelp) + kExits);
  return call;
}

int run(int argc, char** argv) {
  CLI::App app{"Every gather, scatter and index call, in whatever dialect it is written, as one plan.", "garner"};
  app.set_version_flag("--version", GARNER_VERSION);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& e) { return fmt::format("garner: {}\n", e.what()); });
  app.footer(std::string("Examples:\n  garner tour\n  garner tour --no-plan\n  garner info\n"
                         "  garner call 'lucid.gather(i64[[10, 20], [30, 40]], dim=1, index=[[1], [0]])'\n"
                         "  garner explain 'torch.gather(x, 1, i64[[2, 1], [0, 2]])' x='iota(f32, 2, 3)'\n"
                         "  garner draw 'torch.gather(x, 1, i64[[2, 1], [0, 2]])' x='iota(f32, 2, 3)' -o picture.svg\n"
                         "  garner translate 'torch.gather(x, 1, i64[[2, 1], [0, 2]])' x='iota(f32, 2, 3)' --to jax\n"
                         "  garner run module.mlir @x.npy -o out.npy\n"
                         "  garner lookup model.safetensors:emb ids.npy -o rows.npy\n\n") +
             kExits);

  bool plans = true, info_json = false, tour_json = false;
  garner::cli::CallRequest to_call;
  garner::cli::ExplainRequest to_explain;
  garner::cli::DrawRequest to_draw;
  garner::cli::TranslateRequest to_translate;
  garner::cli::RunRequest to_run;
  garner::cli::LookupRequest to_look_up;
  CLI::App* tour =
      app.add_subcommand("tour", "the examples of the founding documents, each beside the plan it becomes");
  tour->add_flag("!--no-plan", plans, "leave the plans out");
  tour->add_flag("--json", tour_json, "[{document, call, output, plan, normal_form, kernel}]");
  const CLI::App* call = add_call(app, to_call);
  const CLI::App* explain = garner::cli::add_explain(app, to_explain);
  const CLI::App* draw = garner::cli::add_draw(app, to_draw);
  const CLI::App* translate = garner::cli::add_translate(app, to_translate);
  const CLI::App* run_file = garner::cli::add_run(app, to_run);
  const CLI::App* lookup = garner::cli::add_lookup(app, to_look_up);
  CLI::App* info =
      app.add_subcommand("info", "version, SIMD target, devices, threads, kernels, dtypes, formats, dialects");
  info->add_flag("--json", info_json, "{version, simd, threads, devices, kernels, dtypes, formats, dialects}");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) { return app.exit(e) == 0 ? 0 : 2; }
  if (call->parsed()) return garner::cli::call(to_call);
  if (explain->parsed()) return garner::cli::explain(to_explain);
  if (draw->parsed()) return garner::cli::draw(to_draw);
  if (translate->parsed()) return garner::cli::translate(to_translate);
  if (run_file->parsed()) return garner::cli::run(to_run);
  if (lookup->parsed()) return garner::cli::lookup(to_look_up);
  if (tour->parsed()) return garner::cli::tour(plans, tour_json);
  return info->parsed() ? garner::cli::info(info_json) : 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "garner: {}\n", e.what());
    return 1;
  }
}
