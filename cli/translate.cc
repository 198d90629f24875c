// garner translate: what the command line says, and what comes back.
#include "cli/translate.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "base/fail.h"
#include "cli/common.h"
#include "format/file.h"
#include "garner/model.h"
#include "garner/translate.h"
#include "translate/samples.h"

namespace garner::cli {
namespace {

using Json = nlohmann::ordered_json;

// ---- JSON ----

/// The bytes in hexadecimal: every dtype, bit for bit.
Json exact_json(const Tensor& tensor) {
  std::string bytes;
  for (Index i = 0; i < tensor.bytes(); ++i) bytes += fmt::format("{:02x}", tensor.as<unsigned char>()[i]);
  Json out = type_json(tensor);
  out["hex"] = bytes;
  return out;
}

template <class Items, class F>
Json list_json(const Items& items, F&& json_of) {
  Json out = Json::array();
  for (const auto& item : items) out.push_back(json_of(item));
  return out;
}

Json sample_json(const Sample& sample) {
  return {{"inputs", list_json(sample.inputs, exact_json)}, {"results", list_json(sample.results, exact_json)}};
}

Json input_json(const TranslatedInput& input) {
  return {{"name", input.name}, {"dtype", std::string(name(input.dtype))}, {"shape", input.shape}};
}

Json translation_json(const Translation& t) {
  Json out{{"to", t.to}, {"language", t.language}, {"inputs", list_json(t.inputs, input_json)}};
  if (t.refusal) {
    out["refused"] = {{"rule", t.refusal->rule}, {"reason", t.refusal->reason}, {"input", t.refusal->input}};
  } else {
    out["source"] = t.source;
    out["notes"] = t.notes;
  }
  return out;
}

// ---- the command ----

/// "numpy,torch", or "all".
std::vector<std::string> targets_of(const std::string& to) {
  if (to == "all") return translation_targets();
  std::vector<std::string> targets;
  std::istringstream in(to);
  for (std::string target; std::getline(in, target, ',');) targets.push_back(target);
  return targets;
}

Result<std::vector<Translation>> all_translations(const Call& call, const std::string& to) {
  std::vector<Translation> out;
  for (const std::string& target : targets_of(to)) {
    GARNER_ASSIGN(Translation translation, translate(call, target));
    out.push_back(std::move(translation));
  }
  return out;
}

Result<std::string> json_text(const TranslateRequest& request, const Call& call,
                              const std::vector<Translation>& translations) {
  Json out{{"translations", list_json(translations, translation_json)}};
  if (request.samples > 0) {
    GARNER_ASSIGN(const std::vector<Sample> all, samples(call, request.samples, request.seed));
    out["samples"] = list_json(all, sample_json);
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string source_text(const std::vector<Translation>& translations) {
  std::string out;
  for (const Translation& t : translations) out += t.source;
  return out;
}

Status put(const std::string& path, const std::string& text) {
  if (path.empty()) {
    fmt::print("{}", text);
    return {};
  }
  return format::write_whole(path, text);
}

/// The first refusal as an error, in one line.
Status first_refusal(const std::vector<Translation>& translations) {
  for (const Translation& t : translations)
    if (t.refusal)
      return fail(Code::kUnsupported, t.refusal->rule, "{}; for example {}", t.refusal->reason, t.refusal->input);
  return {};
}

/// The model itself, not the Python that makes it.
bool is_model(const TranslateRequest& request) { return request.out.ends_with(".onnx"); }

Status save_model(const Call& call, const std::string& path) {
  GARNER_ASSIGN(const OnnxGraph graph, to_onnx(call));
  return model::save(graph, path);
}

Status run(const TranslateRequest& request) {
  Files files;
  GARNER_ASSIGN(const Call call, read_call(request.call, files));
  GARNER_ASSIGN(const std::vector<Translation> translations, all_translations(call, request.to));
  const Status refused = first_refusal(translations);
  if (is_model(request)) return refused.ok() ? save_model(call, request.out) : refused;
  if (!request.json) return refused.ok() ? put(request.out, source_text(translations)) : refused;
  GARNER_ASSIGN(const std::string text, json_text(request, call, translations));
  GARNER_TRY(put(request.out, text));
  return refused;
}

}  // namespace

CLI::App* add_translate(CLI::App& app, TranslateRequest& request) {
  CLI::App* command =
      app.add_subcommand("translate", "the same call in another library's words, or why that library cannot say it");
  add_call_text(*command, request.call);
  command->add_option("--to", request.to, fmt::format("{}, or all", fmt::join(translation_targets(), ", ")))
      ->required();
  command->add_option("-o,--output", request.out, "a file for the source; an .onnx is the model itself");
  command->add_flag("--json", request.json,
                    "{translations: [{to, language, inputs, source and notes, or refused: {rule, reason, input}}]}");
  command
      ->add_option("--samples", request.samples, "with --json: so many random inputs, and the call's results, in hex")
      ->check(CLI::Range(0, 1000));
  command->add_option("--seed", request.seed, "of the samples");
  command->footer(
      "Examples:\n"
      "  garner translate 'torch.gather(x, 1, i64[[2, 1], [0, 2]])' x='iota(f32, 2, 3)' --to jax\n"
      "  garner translate 'onnx.GatherND(x, i)' x='iota(f32, 2, 3)' i='i64[[1, 2]]' --to onnx -o call.onnx\n"
      "  garner translate 'numpy.take(x, [0, 5], mode=clip)' x='iota(f32, 4)' --to all --json\n\n"
      "The exit status is 1 when a target cannot say the call for every value of its tensors.");
  return command;
}

int translate(const TranslateRequest& request) {
  if (is_model(request) && (request.to != "onnx" || request.json))
    return report_usage(fmt::format("translate: output is {}, allowed with --to onnx and without --json", request.out));
  const Status status = run(request);
  return status.ok() ? kDone : report(status);
}

}  // namespace garner::cli
