// Index tensors that were looked at once (garner/analysis.h).
#include "garner/analysis.h"

#include <nanobind/stl/optional.h>

#include "arrays.h"
#include "define.h"

namespace garner::python {
namespace {

/// The values as bytes that nobody can write to: NumPy's array over them cannot be made writable.
int get_buffer(PyObject* self, Py_buffer* buffer, int flags) {
  const View& view = nb::inst_ptr<AnalysedIndices>(self)->view();
  const Index bytes = view.elements() * width(view.dtype());
  return PyBuffer_FillInfo(buffer, self, const_cast<void*>(view.data()), bytes, 1, flags);
}

PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)}, {0, nullptr}};

AnalysedIndices analyse_array(nb::handle indices, Index extent) {
  Inputs inputs;
  const View view = inputs.view(indices);
  const auto analysed = [&] {
    nb::gil_scoped_release release;
    return analyse(view, extent);
  }();
  return value_or_raise(analysed);
}

nb::tuple shape_of(const AnalysedIndices& a) {
  nb::list out;
  for (const Index extent : a.view().shape()) out.append(extent);
  return nb::tuple(out);
}

}  // namespace

void define_analysis(nb::module_& module) {
  nb::class_<AnalysedIndices>(module, "AnalysedIndices", nb::type_slots(slots),
                              "A copy of an index array that nobody can write to, with what is known of it.")
      .def_prop_ro("dtype", [](const AnalysedIndices& a) { return name(a.view().dtype()).data(); })
      .def_prop_ro("shape", shape_of)
      .def_prop_ro("extent", [](const AnalysedIndices& a) { return a.facts().extent; })
      .def_prop_ro("min", [](const AnalysedIndices& a) { return a.facts().min; })
      .def_prop_ro("max", [](const AnalysedIndices& a) { return a.facts().max; })
      .def_prop_ro("in_range", [](const AnalysedIndices& a) { return a.facts().in_range; })
      .def_prop_ro("sorted", [](const AnalysedIndices& a) { return a.facts().sorted; })
      .def_prop_ro("unique", [](const AnalysedIndices& a) { return a.facts().unique; })
      .def("permutation",
           [](const AnalysedIndices& a) { return array_of(value_or_raise(a.permutation()), nb::none()); },
           "Positions in order of their values, equal values in order of position.")
      .def("segments", [](const AnalysedIndices& a) { return array_of(value_or_raise(a.segments()), nb::none()); },
           "Where each run of equal values begins in the permutation, and the number of values at the end.");
  module.def("analyse", analyse_array, nb::arg("indices"), nb::arg("extent"));
}

}  // namespace garner::python
