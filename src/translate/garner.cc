#include "translate/garner.h"

#include <cmath>

#include "base/fail.h"

namespace garner::translate_detail {
namespace {

std::string real_text(double value) {
  const std::string digits = fmt::format("{}", value);
  const bool plain = std::isfinite(value) && digits.find_first_of(".e") == std::string::npos;
  return plain ? digits + ".0" : digits;
}

/// Names of the tensors, one after another, in the order in which they stand in the call.
class TextWriter {
 public:
  explicit TextWriter(const std::vector<TranslatedInput>& inputs) : inputs_(inputs) {}

  std::string text(const Value& value) {
    if (value.memory()) return inputs_[next_++].name;
    if (const auto* b = std::get_if<bool>(&value.held)) return *b ? "true" : "false";
    if (const auto* i = std::get_if<Index>(&value.held)) return fmt::format("{}", *i);
    if (const auto* d = std::get_if<double>(&value.held)) return real_text(*d);
    if (const auto* word = std::get_if<Word>(&value.held)) return word->text;
    const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held);
    return list == nullptr ? "None" : list_text(**list);
  }

 private:
  std::string list_text(const Values& values) {
    std::vector<std::string> parts;
    for (const Value& value : values) parts.push_back(text(value));
    return fmt::format("[{}]", fmt::join(parts, ", "));
  }

  const std::vector<TranslatedInput>& inputs_;
  std::size_t next_ = 0;
};

}  // namespace

Result<std::string> call_text(const Call& call) {
  GARNER_ASSIGN(const std::vector<TranslatedInput> inputs, inputs_of(call));
  TextWriter writer(inputs);
  std::vector<std::string> parts;
  for (const CallArgument& argument : call.arguments) {
    const std::string text = writer.text(argument.value);
    parts.push_back(argument.name.empty() ? text : fmt::format("{}={}", argument.name, text));
  }
  return fmt::format("{}.{}({})", call.dialect, call.op, fmt::join(parts, ", "));
}

Result<std::string> garner_source(const Call& call) {
  GARNER_ASSIGN(const std::vector<TranslatedInput> inputs, inputs_of(call));
  GARNER_ASSIGN(const std::string text, call_text(call));
  std::vector<std::string> parameters, names;
  for (const TranslatedInput& input : inputs) {
    parameters.push_back(fmt::format("const garner::Tensor& {}", input.name));
    names.push_back(fmt::format("{{\"{}\", {{{}}}}}", input.name, input.name));
  }
  return fmt::format(
      "#include \"garner/call.h\"\n#include \"garner/error.h\"\n\n"
      "std::vector<garner::Tensor> call({}) {{\n"
      "  const garner::Environment names{{{}}};\n"
      "  const char* text = \"{}\";\n"
      "  return garner::value_or_throw(garner::evaluate(garner::value_or_throw(garner::parse_call(text, names))));\n"
      "}}\n",
      fmt::join(parameters, ", "), fmt::join(names, ", "), text);
}

}  // namespace garner::translate_detail
