// Which target is written by whom.
#include "garner/translate.h"

#include "base/fail.h"
#include "translate/garner.h"
#include "translate/layers.h"
#include "translate/onnx.h"
#include "translate/python.h"
#include "translate/stablehlo.h"

namespace garner {
namespace translate_detail {
namespace {

struct Written {
  std::string source;
  std::vector<std::string> notes;
};

Result<Written> write_python(const Call& call, const Words& words, Context& context) {
  GARNER_ASSIGN(const Subject subject, study(call, context));
  GARNER_ASSIGN(const Program program, lower(subject, words.target, context));
  GARNER_ASSIGN(const std::string text, call_text(call));
  return Written{python_source(program, words, text), program.notes};
}

Result<Written> write_numpy(const Call& call, Context& c) { return write_python(call, numpy_words(), c); }
Result<Written> write_torch(const Call& call, Context& c) { return write_python(call, torch_words(), c); }
Result<Written> write_jax(const Call& call, Context& c) { return write_python(call, jax_words(), c); }
Result<Written> write_tensorflow(const Call& call, Context& c) { return write_python(call, tensorflow_words(), c); }

Result<Written> write_stablehlo(const Call& call, Context& context) {
  GARNER_ASSIGN(const Subject subject, study(call, context));
  GARNER_ASSIGN(const Program program, lower(subject, stablehlo_target(), context));
  GARNER_ASSIGN(const std::string text, call_text(call));
  return Written{stablehlo_module(program, text), program.notes};
}

Result<Written> write_onnx(const Call& call, Context& context) {
  GARNER_ASSIGN(const Subject subject, study(call, context));
  GARNER_ASSIGN(const Program program, lower(subject, onnx_target(), context));
  GARNER_ASSIGN(const std::string text, call_text(call));
  return Written{onnx_source(onnx_graph(program), program, text), program.notes};
}

Result<Written> write_lucid(const Call& call, Context& context) {
  GARNER_ASSIGN(const Subject subject, study(call, context));
  GARNER_ASSIGN(std::string source, matching(subject, lucid_candidates(subject), context));
  return Written{std::move(source), {}};
}

Result<Written> write_tensorrt(const Call& call, Context& context) {
  GARNER_ASSIGN(const Subject subject, study(call, context));
  GARNER_ASSIGN(std::string source, matching(subject, tensorrt_candidates(subject), context));
  return Written{std::move(source), {}};
}

Result<Written> write_garner(const Call& call, Context&) {
  GARNER_TRY(find_op(call.dialect, call.op));
  GARNER_ASSIGN(std::string source, garner_source(call));
  return Written{std::move(source), {}};
}

struct Writer {
  const char* to;
  const char* language;
  Result<Written> (*write)(const Call& call, Context& context);
};

constexpr Writer kWriters[] = {
    {"garner", "cpp", write_garner},
    {"jax", "python", write_jax},
    {"lucid", "python", write_lucid},
    {"numpy", "python", write_numpy},
    {"onnx", "python", write_onnx},
    {"stablehlo", "mlir", write_stablehlo},
    {"tensorflow", "python", write_tensorflow},
    {"tensorrt", "cpp", write_tensorrt},
    {"torch", "python", write_torch},
};

/// Other rules are the call's own and stay errors.
bool is_refusal(const Status& status) {
  return status.rule.size() == 2 && status.rule[0] == 'T' && status.rule[1] >= '2' && status.rule[1] <= '8';
}

}  // namespace
}  // namespace translate_detail

namespace d = translate_detail;

std::vector<std::string> translation_targets() {
  std::vector<std::string> names;
  for (const d::Writer& writer : d::kWriters) names.emplace_back(writer.to);
  return names;
}

Result<Translation> translate(const Call& call, std::string_view to) {
  for (const d::Writer& writer : d::kWriters) {
    if (writer.to != to) continue;
    Translation out{
        .to = writer.to, .language = writer.language, .source = {}, .inputs = {}, .notes = {}, .refusal = {}};
    d::Context context{.to = writer.to, .input = {}};
    GARNER_ASSIGN(out.inputs, d::inputs_of(call));
    Result<d::Written> written = writer.write(call, context);
    if (!written.ok() && !d::is_refusal(written.status())) return written.status();
    if (!written.ok()) out.refusal = Refusal{written.status().rule, written.status().message, context.input};
    else {
      out.source = std::move(written->source);
      out.notes = std::move(written->notes);
    }
    return out;
  }
  return fail(Code::kInvalidArgument, "T1", "translate: target is {}, allowed {}", to,
              fmt::join(translation_targets(), " "));
}

Result<std::string> to_stablehlo(const Call& call) {
  d::Context context{.to = "stablehlo", .input = {}};
  GARNER_ASSIGN(d::Written written, d::write_stablehlo(call, context));
  return std::move(written.source);
}

Result<OnnxGraph> to_onnx(const Call& call) {
  d::Context context{.to = "onnx", .input = {}};
  GARNER_ASSIGN(const d::Subject subject, d::study(call, context));
  GARNER_ASSIGN(const d::Program program, d::lower(subject, d::onnx_target(), context));
  return d::onnx_graph(program);
}

}  // namespace garner
