// The classes and functions the module offers, one function to define each group.
#pragma once
#include <nanobind/nanobind.h>

namespace garner::python {

void define_operation(nanobind::module_& module);
void define_quick(nanobind::module_& module);
void define_variable(nanobind::module_& module);
void define_index(nanobind::module_& module);
void define_analysis(nanobind::module_& module);
void define_determinism(nanobind::module_& module);
void define_text(nanobind::module_& module);
void define_table(nanobind::module_& module);

}  // namespace garner::python
