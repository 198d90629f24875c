// NumPy's arrays by their own C structure: a third of what the buffer protocol takes, which matters in small calls.
#pragma once
#include <nanobind/nanobind.h>

#include <optional>

#include "garner/view.h"

namespace garner::python {

namespace nb = nanobind;

/// An ndarray itself, none of its subclasses.
bool is_ndarray(nb::handle object);

/// What Garner can see of an ndarray without a copy.
struct Seen {
  DType dtype;
  bool read_only;
  View view;
};

/// Nothing where elements are not Garner's (objects, dates, ml_dtypes, another machine's order) or lie at odd
/// addresses. dtype: when the bytes are those of another one than the array's own.
std::optional<Seen> see(nb::handle ndarray, std::optional<DType> dtype);

/// An array of NumPy's dtype number with elements that nobody has set.
struct FreshArray {
  nb::object array;
  void* data;
};
FreshArray fresh_array(nb::handle dtype, const Axes& shape);

/// Once, when the module is loaded.
void load_numpy();

}  // namespace garner::python
