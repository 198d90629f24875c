// The level of determinism that calls run at.
#include "define.h"
#include "garner/run.h"

namespace garner::python {

void define_determinism(nanobind::module_& module) {
  module.def("set_determinism", [](int level) {
    const Determinism before = default_determinism();
    set_default_determinism(static_cast<Determinism>(level));
    return static_cast<int>(before);
  }, nanobind::arg("level"), "Sets the level (0 fast, 1 repeatable, 2 exact) and returns the one before.");
}

}  // namespace garner::python
