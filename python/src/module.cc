// garner._core: the compiled half of the Python package.
#include "arrays.h"
#include "define.h"
#include "garner/version.h"

NB_MODULE(_core, module) {
  using namespace garner::python;
  nanobind::set_leak_warnings(false);  // operations live as long as the modules that hold them, to the very end
  load_arrays(module);
  define_operation(module);
  define_quick(module);
  define_variable(module);
  define_index(module);
  define_analysis(module);
  define_determinism(module);
  define_text(module);
  define_table(module);
  module.attr("__version__") = GARNER_VERSION;
}
