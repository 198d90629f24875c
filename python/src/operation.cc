// An operation of a dialect as a Python callable. Arguments come by position, in the order of the operation's
// parameters: the dialect modules have the signatures.
#include "define.h"

#include <algorithm>

#include "arrays.h"

namespace garner::python {
namespace {

Values values_of(const Operation& operation, Inputs& inputs, const nb::args& arguments) {
  Values values;
  values.reserve(operation.parameters().size());
  for (nb::handle argument : arguments) values.push_back(inputs.value(argument));
  return values;
}

Operation find(const std::string& dialect, const std::string& name) {
  return value_or_raise(Operation::find(dialect, name));
}

/// A torch tensor that requires gradients, a JAX tracer: then the framework makes the call, and comes back with arrays.
template <class F>
nb::object or_traced(nb::handle operation, const nb::args& arguments, const F& f) {
  try {
    return f();
  } catch (nb::python_error& error) {
    if (!error.matches(traced_error())) throw;
    return error.value().attr("kind").attr("traced")(operation, arguments);
  }
}

/// A small call that is kept ready: straight into an array of NumPy's. Null when there is none.
nb::object small_call(const Operation& operation, const Inputs& inputs, const Values& values) {
  const auto ready = operation.prepare(values);
  if (!ready) return {};
  return small_array(ready->dtype(), ready->shape(), kDirect,
                     [&](void* out) { return released(inputs, [&] { return ready->run(values, out); }); });
}

nb::object call_arrays(const Operation& operation, const nb::args& arguments) {
  Inputs inputs;
  Values values = values_of(operation, inputs, arguments);
  if (inputs.kind().is_none())
    if (nb::object result = small_call(operation, inputs, values)) return result;
  const OnStream on(inputs.stream());
  const auto results = released(inputs, [&] { return operation.call(std::move(values)); });
  inputs.settle(operation.dialect());
  return arrays_of(value_or_raise(results, operation.dialect()), inputs.kind());
}

nb::object call(nb::handle self, const nb::args& arguments) {
  return or_traced(self, arguments, [&] { return call_arrays(nb::cast<const Operation&>(self), arguments); });
}

/// One array, or a tuple of them.
std::vector<MutableView> targets_of(Inputs& inputs, nb::handle out) {
  std::vector<MutableView> targets;
  if (!nb::isinstance<nb::tuple>(out)) targets.push_back(inputs.writable(out));
  else
    for (nb::handle one : out) targets.push_back(inputs.writable(one));
  return targets;
}

/// Into `out`; what a fetching operation found there before, or `out` itself.
nb::object call_into(const Operation& operation, nb::object out, const nb::args& arguments) {
  Inputs inputs;
  const std::vector<MutableView> targets = targets_of(inputs, out);
  Values values = values_of(operation, inputs, arguments);
  const OnStream on(inputs.stream());
  const auto results = released(inputs, [&] { return operation.call_into(std::move(values), targets); });
  inputs.settle(operation.dialect());
  const std::vector<Tensor> before = value_or_raise(results, operation.dialect());
  return before.empty() ? out : arrays_of(before, inputs.kind());
}

nb::object vjp(const Operation& operation, nb::handle cotangents, const nb::args& arguments) {
  Inputs inputs;
  Values values = values_of(operation, inputs, arguments);
  std::vector<Tensor> seeds;
  const OnStream on(inputs.stream());
  for (nb::handle cotangent : cotangents)
    seeds.push_back(value_or_raise(contiguous(inputs.view(cotangent)), operation.dialect()));
  const auto gradients = released(inputs, [&] { return operation.vjp(std::move(values), seeds); });
  inputs.settle(operation.dialect());
  nb::list out;
  for (const Value& gradient : value_or_raise(gradients, operation.dialect()))
    out.append(object_of(gradient, inputs.kind()));
  return nb::tuple(out);
}

nb::list parameter_names(const Operation& operation) {
  nb::list names;
  for (const Parameter& parameter : operation.parameters()) names.append(parameter.name.c_str());
  return names;
}

}  // namespace

void define_operation(nb::module_& module) {
  nb::class_<Operation>(module, "Operation", "An operation of a dialect: Operation(dialect, name).")
      .def("__init__",
           [](Operation* self, const char* dialect, const char* name) { new (self) Operation(find(dialect, name)); })
      .def_prop_ro("name", [](const Operation& o) { return o.name().c_str(); })
      .def_prop_ro("parameters", parameter_names)
      .def("__call__", call, "The result, or a tuple of several.")
      .def("into", call_into, "Writes the result to an array the caller has; several to a tuple of them.")
      .def("vjp", vjp, "What cotangents of the results say of each argument; None where nothing flows.");
}

}  // namespace garner::python
