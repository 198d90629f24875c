// garner explain: what a call does and what it costs.
#include "cli/explain.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/fail.h"
#include "cli/common.h"
#include "garner/explain.h"

namespace garner::cli {
namespace {

Result<Explanation> explained(const ExplainRequest& request) {
  Files files;
  GARNER_ASSIGN(const Call call, read_call(request.call, files));
  return garner::explain(call);
}

}  // namespace

CLI::App* add_explain(CLI::App& app, ExplainRequest& request) {
  CLI::App* command =
      app.add_subcommand("explain", "the index equation, the plan, the kernels, the bytes and the time of a call");
  add_call_text(*command, request.call);
  command->add_flag("--json", request.json, "{op, signature, promise, bytes_per_second, jobs: [{equation, rules, …}]}");
  command->footer(
      "Examples:\n"
      "  garner explain 'torch.gather(x, 1, i64[[2, 1], [0, 2]])' x='iota(f32, 2, 3)'\n"
      "  garner explain 'jax.take(table, rows, axis=0, mode=clip)' table=@t.npy rows=@rows.npy --json");
  return command;
}

int explain(const ExplainRequest& request) {
  const auto explanation = explained(request);
  if (!explanation.ok()) return report(explanation.status());
  fmt::print("{}", request.json ? to_json(*explanation) : to_text(*explanation));
  return kDone;
}

}  // namespace garner::cli
