// garner run: a StableHLO module or an ONNX model on files, its results printed or saved.
#include "cli/run.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "base/fail.h"
#include "cli/arguments.h"
#include "cli/common.h"
#include "format/file.h"
#include "garner/format.h"
#include "garner/mlir.h"
#include "garner/model.h"

namespace garner::cli {
namespace {

/// What came out of one function or model.
struct Outcome {
  std::string function;            // "@main"; empty for a model
  std::vector<std::string> names;  // of the results; empty: they have none
  std::vector<Tensor> results;
};

/// A failure, and whether it was in reading the program or in running it.
struct Failure {
  Status status;
  bool reading = false;
};
using Outcomes = std::variant<std::vector<Outcome>, Failure>;

using Arguments = std::vector<std::optional<Value>>;

RunOptions options_of(const RunRequest& request) { return {.threads = request.threads, .kernel = request.kernel}; }

// ---- ONNX ----

std::vector<Expected> expected_by(const model::Model& model) {
  std::vector<Expected> out;
  for (const model::Port& port : model.inputs()) out.push_back({port.name, *port.dtype, port.optional});
  return out;
}

Result<Outcome> run_model(const model::Model& model, const RunRequest& request) {
  Files files;
  GARNER_ASSIGN(const Arguments arguments, read_arguments(request.arguments, expected_by(model), files));
  std::map<std::string, View> inputs;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i]) inputs.emplace(model.inputs()[i].name, *arguments[i]->memory());
  Outcome out;
  GARNER_ASSIGN(out.results, model::run(model, inputs, options_of(request)));
  for (const model::Port& port : model.outputs()) out.names.push_back(port.name);
  return out;
}

Outcomes run_onnx(const RunRequest& request) {
  const auto model = model::load(request.file);
  if (!model.ok()) return Failure{model.status(), model::is_available()};
  auto outcome = run_model(*model, request);
  if (!outcome.ok()) return Failure{outcome.status()};
  return std::vector<Outcome>{*std::move(outcome)};
}

// ---- StableHLO ----

/// A module is JAX's when it says what only XLA reads. There a scatter's window that hangs over the edge is left out
/// whole; StableHLO leaves out the elements outside.
stablehlo::OutOfBounds windows_of(const RunRequest& request, std::string_view text) {
  using stablehlo::OutOfBounds;
  const bool is_xla = text.find("mhlo.num_partitions") != std::string_view::npos;
  const bool whole = request.windows == "auto" ? is_xla : request.windows == "whole";
  return whole ? OutOfBounds::kSkipWindow : OutOfBounds::kSkipElement;
}

/// The function the request names; when it names none: main, the only public one, or all of them, where none takes
/// arguments (files of checks). Empty: not in this module.
std::vector<mlir::Signature> functions_of(const mlir::Module& module, const RunRequest& request) {
  const auto named = module.function(request.function.empty() ? "main" : request.function);
  if (named) return {*named};
  if (!request.function.empty()) return {};
  std::vector<mlir::Signature> all = module.functions();
  std::erase_if(all, [](const mlir::Signature& f) { return !f.is_public; });
  const bool checks = std::ranges::all_of(all, [](const mlir::Signature& f) { return f.arguments.empty(); });
  return all.size() == 1 || checks ? all : std::vector<mlir::Signature>{};
}

std::vector<Expected> expected_by(const mlir::Signature& function) {
  std::vector<Expected> out;
  for (const mlir::Argument& argument : function.arguments) {
    const std::size_t sign = argument.name.starts_with('%') ? 1 : 0;
    out.push_back({argument.name.substr(sign), argument.type.dtype});
  }
  return out;
}

/// A function of a module that has been read, to be run.
struct Work {
  std::string title;  // "file f.mlir, module 2: ": a message about one of several counts lines from its first
  mlir::Module module;
  mlir::Signature function;
  stablehlo::OutOfBounds windows;
};

Status with_title(const std::string& title, Status status) {
  status.message = fmt::format("{}{}", title, status.message);
  return status;
}

Result<std::vector<Work>> read_mlir(const RunRequest& request) {
  GARNER_ASSIGN(const auto file, format::MappedFile::open(request.file));
  const std::string_view text(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  const auto pieces = mlir::pieces(text);
  std::vector<Work> out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string title = pieces.size() == 1 ? fmt::format("file {}: ", request.file)
                                                 : fmt::format("file {}, module {}: ", request.file, i + 1);
    auto module = mlir::parse(pieces[i]);
    if (!module.ok()) return with_title(title, module.status());
    for (const mlir::Signature& function : functions_of(*module, request))
      out.push_back({title, *module, function, windows_of(request, pieces[i])});
  }
  return out;
}

Result<Outcome> run_work(const Work& work, const RunRequest& request) {
  Files files;
  GARNER_ASSIGN(const Arguments arguments, read_arguments(request.arguments, expected_by(work.function), files));
  std::vector<View> views;
  for (const auto& argument : arguments) views.push_back(*argument->memory());
  auto results = mlir::run(work.module, views, work.function.name, options_of(request), work.windows);
  if (!results.ok()) return with_title(work.title, results.status());
  return Outcome{fmt::format("@{}", work.function.name), {}, *std::move(results)};
}

Outcomes run_mlir(const RunRequest& request) {
  const auto all = read_mlir(request);
  if (!all.ok()) return Failure{all.status(), true};
  if (all->empty())
    return Failure{fail(Code::kInvalidArgument, "R2", "run: file {} has no function @{}", request.file,
                        request.function.empty() ? "main, nor only one that is public, nor only such without arguments"
                                                 : request.function)};
  std::vector<Outcome> out;
  for (const Work& work : *all) {
    auto outcome = run_work(work, request);
    if (!outcome.ok()) return Failure{outcome.status()};
    out.push_back(*std::move(outcome));
  }
  return out;
}

// ---- results ----

std::vector<format::NamedView> named(const Outcome& outcome) {
  std::vector<format::NamedView> out;
  for (std::size_t i = 0; i < outcome.results.size(); ++i) out.push_back({outcome.names[i], outcome.results[i]});
  return out;
}

/// A model's outputs keep their names where the format has names.
Status save_outcome(const std::string& path, const Outcome& outcome) {
  if (outcome.names.empty() || path.ends_with(".npy")) return save(path, outcome.results);
  if (path.ends_with(".npz")) return format::write_npz(path, named(outcome));
  return format::write_safetensors(path, named(outcome));
}

nlohmann::ordered_json json_of(const Outcome& outcome, const std::vector<std::string>& files) {
  auto results = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    nlohmann::ordered_json one;
    if (!outcome.names.empty()) one["name"] = outcome.names[i];
    one.update(type_json(outcome.results[i]));
    if (files.empty()) one["values"] = values_json(outcome.results[i]);
    else one["file"] = files[i];
    results.push_back(std::move(one));
  }
  nlohmann::ordered_json out;
  if (!outcome.function.empty()) out["function"] = outcome.function.substr(1);
  out["results"] = std::move(results);
  return out;
}

void print_text(const Outcome& outcome, const std::vector<std::string>& files) {
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    const std::string type = type_text(outcome.results[i]);
    const std::string title = outcome.names.empty() ? type : fmt::format("{}: {}", outcome.names[i], type);
    if (files.empty()) fmt::print("{}\n{}\n", coloured(stdout, "2", title), to_string(outcome.results[i]));
    else fmt::print("{} in {}\n", coloured(stdout, "2", title), files[i]);
  }
}

int show(const RunRequest& request, const std::vector<Outcome>& outcomes) {
  auto all = nlohmann::ordered_json::array();
  for (const Outcome& outcome : outcomes) {
    std::vector<std::string> files;
    if (!request.out.empty()) {
      if (const Status saved = save_outcome(request.out, outcome); !saved.ok()) return report(saved);
      files = files_for(request.out, outcome.results.size());
    }
    if (request.json) all.push_back(json_of(outcome, files));
    else print_text(outcome, files);
  }
  if (request.json)
    fmt::print("{}\n",
               (all.size() == 1 ? all[0] : all).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return kDone;
}

constexpr const char* kHelp =
    "Arguments behind FILE: @x.npy, @d.npz:name, @d.safetensors:name, f32[[1, 2], [3, 4]]; [1, 2] and 7 take the dtype "
    "that is\n"
    "asked for. In order, or name=value with the names of the model's inputs or of the function's arguments (arg0).\n\n"
    "Examples:\n"
    "  garner run gather.mlir @x.npy arg1='[2, 0]' -o out.npy\n"
    "  garner run model.onnx data=@x.npy indices=@rows.npy -o out.npz\n"
    "  garner run interpret_tests.mlir --json\n\n"
    "A check.expect_* that fails is reported, and the exit status is 1.";

/// What CLI11 did not know and is no number.
std::optional<std::string> unknown_option(const RunRequest& request) {
  for (const std::string& text : request.arguments)
    if (text.size() > 1 && text[0] == '-' && (text[1] == '-' || (std::isalpha(text[1]) != 0 && text != "-inf")))
      return text;
  return std::nullopt;
}

}  // namespace

CLI::App* add_run(CLI::App& app, RunRequest& request) {
  CLI::App* command = app.add_subcommand("run", "run a StableHLO module (.mlir) or an ONNX model (.onnx) on files");
  command->add_option("FILE", request.file, "a .onnx; anything else is read as StableHLO text")->required();
  // Not an option of several values: CLI11 takes the brackets of "[1, 2]" for its own.
  command->allow_extras();
  command->final_callback([command, &request] { request.arguments = command->remaining(); });
  command->add_option("-o,--output", request.out,
                      "a .npy, .npz or .safetensors; several results: out_0.npy, out_1.npy, …");
  command->add_option("--function", request.function,
                      "of an .mlir; left out: main, the only public one, or all when none takes arguments");
  command
      ->add_option("--windows", request.windows,
                   "of an .mlir's scatters, which hang over the edge: the elements outside are left out (element),\n"
                   "or the whole window, as XLA does (whole; auto: when JAX wrote the file)")
      ->check(CLI::IsMember({"auto", "element", "whole"}));
  command->add_flag("--json", request.json, "{function, results: [{name, dtype, shape, values or file}]}");
  command->add_option("--threads", request.threads, "0: one per core")->check(CLI::Range(0, 4096));
  command->add_option("--kernel", request.kernel, "force one by name (garner info lists them)");
  command->footer(kHelp);
  return command;
}

int run(const RunRequest& request) {
  if (const auto unknown = unknown_option(request))
    return report_usage(fmt::format("run: there is no option {}", *unknown));
  if (!request.out.empty() && !is_savable(request.out))
    return report_usage(fmt::format("output is {}, allowed .npy .npz .safetensors", request.out));
  const Outcomes outcomes = request.file.ends_with(".onnx") ? run_onnx(request) : run_mlir(request);
  if (const auto* failure = std::get_if<Failure>(&outcomes)) {
    const int status = report(failure->status);
    return failure->reading ? static_cast<int>(kFile) : status;
  }
  const auto& done = std::get<0>(outcomes);
  if (done.size() > 1 && !request.out.empty())
    return report_usage(
        fmt::format("run: {} functions have results, allowed 1 with -o; name it with --function", done.size()));
  return show(request, done);
}

}  // namespace garner::cli
