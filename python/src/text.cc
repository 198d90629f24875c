// The text form of a call, and what can be done with it besides running it. Names in the text are keyword arguments.
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "define.h"
#include "garner/draw.h"
#include "garner/explain.h"
#include "garner/mlir.h"
#include "garner/model.h"
#include "garner/translate.h"

namespace garner::python {
namespace {

/// A text with its names looked up; what it looks at lives as long.
struct Text {
  Text(const std::string& text, const nb::dict& names) {
    Environment values;
    for (const auto& [name, value] : names) values.emplace(nb::cast<std::string>(name), inputs.value(value));
    call = value_or_raise(parse_call(text, values, &files));
  }

  Inputs inputs;
  Files files;
  Call call;
};

nb::object call(const std::string& text, const nb::dict& names) {
  const Text t(text, names);
  const OnStream on(t.inputs.stream());
  const auto results = released([&] { return evaluate(t.call); });
  t.inputs.settle(t.call.dialect);
  return arrays_of(value_or_raise(results, t.call.dialect), t.inputs.kind());
}

std::string explain_text(const std::string& text, const nb::dict& names) {
  const Text t(text, names);
  return to_text(value_or_raise(explain(t.call), t.call.dialect));
}

std::string draw_picture(const std::string& text, const nb::dict& names) {
  const Text t(text, names);
  return value_or_raise(draw_svg(t.call), t.call.dialect);
}

std::string translate_text(const std::string& text, const std::string& to, const nb::dict& names) {
  const Text t(text, names);
  Translation out = value_or_raise(translate(t.call, to), t.call.dialect);
  if (out.refusal)
    raise({Code::kUnsupported, out.refusal->rule, out.refusal->reason + "; for example " + out.refusal->input}, "");
  return std::move(out.source);
}

std::string stablehlo_text(const std::string& text, const nb::dict& names) {
  const Text t(text, names);
  return value_or_raise(to_stablehlo(t.call), t.call.dialect);
}

nb::bytes onnx_bytes(const std::string& text, const nb::dict& names) {
  const Text t(text, names);
  const OnnxGraph graph = value_or_raise(to_onnx(t.call), t.call.dialect);
  const std::string bytes = value_or_raise(model::serialize(graph));
  return nb::bytes(bytes.data(), bytes.size());
}

nb::object run_module(const std::string& text, const nb::tuple& arguments, const std::string& function) {
  Inputs inputs;
  std::vector<View> views;
  for (nb::handle argument : arguments) views.push_back(inputs.view(argument));
  const OnStream on(inputs.stream());
  const auto results = released([&]() -> Result<std::vector<Tensor>> {
    const auto module = mlir::parse(text);
    if (!module.ok()) return module.status();
    return mlir::run(*module, views, function);
  });
  inputs.settle();
  return arrays_of(value_or_raise(results), inputs.kind());
}

}  // namespace

void define_text(nb::module_& module) {
  module.def("call", call, nb::arg("text"), nb::arg("names"));
  module.def("explain", explain_text, nb::arg("text"), nb::arg("names"));
  module.def("draw", draw_picture, nb::arg("text"), nb::arg("names"));
  module.def("translate", translate_text, nb::arg("text"), nb::arg("to"), nb::arg("names"));
  module.def("to_stablehlo", stablehlo_text, nb::arg("text"), nb::arg("names"));
  module.def("to_onnx", onnx_bytes, nb::arg("text"), nb::arg("names"));
  module.def("run_stablehlo", run_module, nb::arg("text"), nb::arg("arguments"), nb::arg("function"));
}

}  // namespace garner::python
