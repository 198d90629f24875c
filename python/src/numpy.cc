#include "numpy.h"

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#include <numpy/arrayobject.h>

#include <algorithm>
#include <type_traits>

namespace garner::python {
namespace {

std::optional<Kind> kind_of(char letter) {
  switch (letter) {
    case 'b': return Kind::kBool;
    case 'i': return Kind::kInt;
    case 'u': return Kind::kUInt;
    case 'f': return Kind::kFloat;
    case 'c': return Kind::kComplex;
  }
  return std::nullopt;
}

/// The first dtype of a kind and width: of the two floats of 16 bits f16, bf16 being ml_dtypes'.
std::optional<DType> dtype_of(PyArrayObject* array) {
  const PyArray_Descr* descr = PyArray_DESCR(array);
  const auto kind = kind_of(descr->kind);
  if (!kind || PyTypeNum_ISUSERDEF(descr->type_num) || PyArray_ISBYTESWAPPED(array)) return std::nullopt;
  for (const DTypeInfo& d : kDTypes)
    if (d.kind == *kind && d.bits == 8 * PyArray_ITEMSIZE(array)) return d.dtype;
  return std::nullopt;
}

bool has_whole_strides(PyArrayObject* array) {
  const npy_intp* strides = PyArray_STRIDES(array);
  const npy_intp size = PyArray_ITEMSIZE(array);
  const auto whole = [&](npy_intp stride) { return stride % size == 0; };
  return std::all_of(strides, strides + PyArray_NDIM(array), whole) &&
         reinterpret_cast<std::uintptr_t>(PyArray_DATA(array)) %
                 static_cast<std::uintptr_t>(std::min<npy_intp>(size, 8)) ==
             0;
}

View view_of(PyArrayObject* array, DType dtype) {
  const int rank = PyArray_NDIM(array);
  Axes shape(PyArray_DIMS(array), PyArray_DIMS(array) + rank),
      stride(PyArray_STRIDES(array), PyArray_STRIDES(array) + rank);
  for (Index& s : stride) s /= PyArray_ITEMSIZE(array);
  return View(dtype, PyArray_DATA(array), std::move(shape), std::move(stride));
}

}  // namespace

bool is_ndarray(nb::handle object) { return PyArray_CheckExact(object.ptr()); }

std::optional<Seen> see(nb::handle ndarray, std::optional<DType> dtype) {
  auto* array = reinterpret_cast<PyArrayObject*>(ndarray.ptr());
  if (!dtype) dtype = dtype_of(array);
  if (!dtype || !has_whole_strides(array)) return std::nullopt;
  return Seen{*dtype, !PyArray_ISWRITEABLE(array), view_of(array, *dtype)};
}

FreshArray fresh_array(nb::handle dtype, const Axes& shape) {
  static_assert(std::is_same_v<npy_intp, Index>);
  auto* dims = const_cast<npy_intp*>(shape.data());  // which NumPy only reads
  auto* descr = reinterpret_cast<PyArray_Descr*>(dtype.inc_ref().ptr());  // the reference is NumPy's then
  PyObject* array = PyArray_Empty(static_cast<int>(shape.size()), dims, descr, 0);
  if (array == nullptr) nb::raise_python_error();
  return {nb::steal(array), PyArray_DATA(reinterpret_cast<PyArrayObject*>(array))};
}

void load_numpy() {
  if (_import_array() < 0) nb::raise_python_error();
}

}  // namespace garner::python
