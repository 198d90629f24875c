#include "numpy.h"

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#include <numpy/arrayobject.h>

#include <algorithm>
#include <array>
#include <bit>
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
std::optional<DType> dtype_like(const PyArray_Descr* descr, Index bytes) {
  const auto kind = kind_of(descr->kind);
  for (const DTypeInfo& d : kDTypes)
    if (d.kind == kind && d.bits == 8 * bytes) return d.dtype;
  return std::nullopt;
}

/// By the numbers that NumPy has for types of its own; made once, when the module is loaded.
std::array<std::optional<DType>, NPY_NTYPES_LEGACY> dtype_of_number;

void load_dtypes() {
  for (int number = 0; number < NPY_NTYPES_LEGACY; ++number) {
    PyArray_Descr* const descr = PyArray_DescrFromType(number);
    if (descr == nullptr) nb::raise_python_error();
    dtype_of_number[static_cast<std::size_t>(number)] = dtype_like(descr, PyDataType_ELSIZE(descr));
    Py_DECREF(descr);
  }
}

std::optional<DType> dtype_of(PyArrayObject* array) {
  const int number = PyArray_TYPE(array);
  if (number < 0 || number >= NPY_NTYPES_LEGACY || PyArray_ISBYTESWAPPED(array)) return std::nullopt;
  return dtype_of_number[static_cast<std::size_t>(number)];
}

/// Elements of so many bytes, a power of two: divisions would be most of the work.
struct ElementSize {
  explicit ElementSize(PyArrayObject* array)
      : bytes(static_cast<Index>(PyArray_ITEMSIZE(array))), log(std::countr_zero(static_cast<std::uint64_t>(bytes))) {}
  bool divides(Index n) const { return (n & (bytes - 1)) == 0; }
  Index bytes;
  int log;
};

bool has_whole_strides(PyArrayObject* array) {
  const npy_intp* strides = PyArray_STRIDES(array);
  const ElementSize size(array);
  const auto address = reinterpret_cast<std::uintptr_t>(PyArray_DATA(array));
  return std::all_of(strides, strides + PyArray_NDIM(array), [&](npy_intp stride) { return size.divides(stride); }) &&
         (address & static_cast<std::uintptr_t>(std::min<Index>(size.bytes, 8) - 1)) == 0;
}

View view_of(PyArrayObject* array, DType dtype) {
  const int rank = PyArray_NDIM(array);
  Axes shape(PyArray_DIMS(array), PyArray_DIMS(array) + rank),
      stride(PyArray_STRIDES(array), PyArray_STRIDES(array) + rank);
  const ElementSize size(array);
  for (Index& s : stride) s >>= size.log;
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
  load_dtypes();
}

}  // namespace garner::python
