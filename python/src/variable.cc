// garner::grad::Var: an array in a graph that can be differentiated.
#include "arrays.h"
#include "axes.h"
#include "define.h"
#include "garner/grad.h"
#include "garner/lucid.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace garner::python {
namespace {

using grad::Var;

/// The library throws its own errors; Python gets those of its classes.
template <class F>
auto guarded(const F& f, const std::string& dialect = "") {
  try {
    return f();
  } catch (const Error& error) { raise({error.code(), error.rule(), error.what()}, dialect); }
}

/// A leaf with a copy of the array: what happens to the array later is not its business.
Var leaf(nb::handle array, bool requires_grad, bool any_dtype) {
  Inputs inputs;
  const Tensor value = value_or_raise(contiguous(inputs.view(array)));
  return guarded([&] { return requires_grad && any_dtype ? grad::lucid_leaf(value) : Var(value, requires_grad); });
}

nb::object value_of(const Var& var) { return array_of(var.value(), nb::none()); }

nb::object grad_of(const Var& var) { return var.grad() ? array_of(var.grad().value(), nb::none()) : nb::none(); }

void backward(const Var& var, std::optional<Var> seed, bool retain_graph) {
  guarded([&] { var.backward(seed.value_or(Var()), {.retain_graph = retain_graph}); });
}

Var lucid_gather(const Var& input, Index dim, const Var& index) {
  return guarded([&] {
    return grad::call({input},
                      [&](const std::vector<View>& v) { return lucid::lower_gather(v[0], dim, index.value()); });
  }, "lucid");
}

using Unary = Var (*)(const Var&);
using Binary = Var (*)(const Var&, const Var&);
using Reduction = Var (*)(const Var&, const grad::Over&);

auto unary(Unary f) {
  return [f](const Var& a) { return guarded([&] { return f(a); }); };
}
auto binary(Binary f) {
  return [f](const Var& a, const Var& b) { return guarded([&] { return f(a, b); }); };
}
auto reduction(Reduction f) {
  return [f](const Var& a, std::optional<Axes> axes, bool keepdims) {
    return guarded([&] { return f(a, {std::move(axes), keepdims}); });
  };
}

}  // namespace

void define_variable(nb::module_& module) {
  nb::class_<Var> var(module, "Variable", "An array in a graph that can be differentiated.");
  var.def("__init__",
          [](Var* self, nb::handle array, bool requires_grad, bool any_dtype) {
    new (self) Var(leaf(array, requires_grad, any_dtype));
  }, nb::arg("array"), nb::arg("requires_grad") = false, nb::arg("any_dtype") = false)
      .def_prop_ro("value", value_of)
      .def_prop_ro("grad", grad_of)
      .def_prop_ro("requires_grad", &Var::requires_grad)
      .def_prop_ro("is_leaf", &Var::is_leaf)
      .def("zero_grad", &Var::zero_grad)
      .def("detach", &Var::detach)
      .def("backward", backward, nb::arg("seed") = nb::none(), nb::arg("retain_graph") = false)
      .def("lucid_gather", lucid_gather)
      .def("reshape", [](const Var& a, const Axes& s) {
    return guarded([&] { return grad::reshape(a, s); });
  }).def("transpose", [](const Var& a, const Axes& o) { return guarded([&] { return grad::transpose(a, o); }); });
  const std::pair<const char*, Unary> unaries[] = {
      {"neg", grad::neg},   {"exp", grad::exp},         {"log", grad::log},  {"sqrt", grad::sqrt},
      {"tanh", grad::tanh}, {"sigmoid", grad::sigmoid}, {"relu", grad::relu}};
  for (const auto& [name, f] : unaries) var.def(name, unary(f));
  const std::pair<const char*, Binary> binaries[] = {{"add", grad::add},
                                                     {"sub", grad::sub},
                                                     {"mul", grad::mul},
                                                     {"div", grad::div},
                                                     {"pow", static_cast<Binary>(grad::pow)},
                                                     {"matmul", grad::matmul}};
  for (const auto& [name, f] : binaries) var.def(name, binary(f));
  const std::pair<const char*, Reduction> reductions[] = {
      {"sum", grad::sum}, {"mean", grad::mean}, {"max", grad::max}, {"min", grad::min}};
  for (const auto& [name, f] : reductions)
    var.def(name, reduction(f), nb::arg("axes") = nb::none(), nb::arg("keepdims") = false);
}

}  // namespace garner::python
