// The garner command. One file per subcommand; each returns the exit status.
// 0: done. 1: the work failed (a bad call, an index out of range). 2: the command line is wrong.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "garner/error.h"
#include "garner/version.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app{"Every gather, scatter and index call, in whatever dialect it is written, as one plan.", "garner"};
  app.set_version_flag("--version", GARNER_VERSION);
  app.require_subcommand(1);
  app.footer("Examples:\n  garner tour\n  garner tour --no-plan\n  garner info");

  bool plans = true;
  CLI::App* tour =
      app.add_subcommand("tour", "the examples of the founding documents, each beside the plan it becomes");
  tour->add_flag("!--no-plan", plans, "leave the plans out");
  CLI::App* info = app.add_subcommand("info", "version, SIMD target, threads, kernels, dtypes, dialects");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) { return app.exit(e) == 0 ? 0 : 2; }
  if (tour->parsed()) return garner::cli::tour(plans);
  return info->parsed() ? garner::cli::info() : 2;
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
