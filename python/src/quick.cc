// A call on another library's tensors where that library has nothing to follow: the arguments are looked at once, and
// nothing of it happens in Python.
#include "define.h"

#include <algorithm>
#include <vector>

#include "arrays.h"

namespace garner::python {
namespace {

/// Of one operation. `forms`: the types each argument may have. `signs`: functions, of which each says something true
/// while the library looks at every call. `written`: called with a tuple of what was written to.
struct Quick {
  Operation operation;
  std::vector<std::vector<PyObject*>> forms;  // these three are never released, as the module that has them is not
  std::vector<PyObject*> signs;
  PyObject* written;
};

PyObject* kept(nb::handle object) { return object.inc_ref().ptr(); }

void make(Quick* self, const Operation& operation, nb::handle forms, nb::handle signs, nb::handle written) {
  new (self) Quick{operation, {}, {}, kept(written)};
  for (nb::handle types : forms) {
    auto& form = self->forms.emplace_back();
    for (nb::handle type : types) form.push_back(kept(type));
  }
  for (nb::handle sign : signs) self->signs.push_back(kept(sign));
}

bool fits(const std::vector<PyObject*>& form, nb::handle argument) {
  return std::ranges::find(form, reinterpret_cast<PyObject*>(Py_TYPE(argument.ptr()))) != form.end();
}

bool says_something(PyObject* sign) {
  const nb::object answer = nb::steal(PyObject_CallFunctionObjArgs(sign, nullptr));
  const int is_true = answer.is_valid() ? PyObject_IsTrue(answer.ptr()) : -1;
  if (is_true < 0) nb::raise_python_error();
  return is_true != 0;
}

/// None where the library itself must make the call.
std::optional<Values> values_of(const Quick& quick, Inputs& inputs, const nb::args& arguments, nb::handle out = {},
                                const MutableView* target = nullptr) {
  if (arguments.size() > quick.forms.size()) return std::nullopt;
  Values values;
  values.reserve(quick.forms.size());
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const nb::handle argument = arguments[k];
    if (!fits(quick.forms[k], argument)) return std::nullopt;
    auto value = argument.is(out) ? Value{View(*target)} : inputs.quick_value(argument);
    if (!value) return std::nullopt;
    values.push_back(*std::move(value));
  }
  if (std::ranges::any_of(quick.signs, says_something)) return std::nullopt;
  return values;
}

nb::object not_ours() { return nb::borrow(Py_NotImplemented); }

nb::object call(const Quick& quick, const nb::args& arguments) {
  Inputs inputs;
  auto values = values_of(quick, inputs, arguments);
  if (!values) return not_ours();
  const OnStream on(inputs.stream());
  const auto results = released(inputs, [&] { return quick.operation.call(*std::move(values)); });
  return arrays_of(value_or_raise(results, quick.operation.dialect()), inputs.kind());
}

void note_written(const Quick& quick, nb::handle out) {
  static PyObject* const is_inference = PyUnicode_InternFromString("is_inference");
  const nb::object quiet = nb::steal(PyObject_CallMethodObjArgs(out.ptr(), is_inference, nullptr));
  if (!quiet.is_valid()) nb::raise_python_error();
  if (quiet.ptr() == Py_False) nb::handle(quick.written)(nb::make_tuple(out));
}

nb::object into(const Quick& quick, nb::object out, const nb::args& arguments) {
  Inputs inputs;
  const auto target = inputs.quick_target(out);
  if (!target) return not_ours();
  auto values = values_of(quick, inputs, arguments);
  if (!values) return not_ours();
  const OnStream on(inputs.stream());
  const auto results = released(inputs, [&] { return quick.operation.call_into(*std::move(values), *target); });
  const std::vector<Tensor> before = value_or_raise(results, quick.operation.dialect());
  note_written(quick, out);
  return before.empty() ? out : arrays_of(before, inputs.kind());
}

}  // namespace

void define_quick(nb::module_& module) {
  nb::class_<Quick>(module, "Quick", "A call that returns NotImplemented where the arguments' library must make it.")
      .def("__init__", make, nb::arg("operation"), nb::arg("forms"), nb::arg("signs"), nb::arg("written"))
      .def("__call__", call, "The result, or a tuple of several.")
      .def("into", into, "Writes the result to an array the caller has.");
}

}  // namespace garner::python
