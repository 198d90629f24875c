// Tensors of a library that offers DLPack's C exchange API (PyTorch from 2.10 on): looked at and made by calls in C,
// where capsules and NumPy's arrays take ten microseconds and more of Python.
#pragma once
#include <nanobind/nanobind.h>

#include <optional>

#include "garner/tensor.h"

namespace garner::python {

struct ExchangeApi;

/// What is known of one type of tensors.
struct Exchange {
  PyTypeObject* type;
  const ExchangeApi* api;
  PyObject *there, *here;  // garner._arrays.DeviceKind and Kind of such tensors
  PyObject* is_followed;   // a function: are tensors that require gradients followed now?

  PyObject* kind(Device device) const { return device.is_cpu() ? here : there; }
};

/// By the type of a tensor, or by its kind; null where no such library has been met.
const Exchange* exchange_of(nanobind::handle tensor);
const Exchange* exchange_of_kind(nanobind::handle kind);

/// A tensor as it lies in the CPU's memory or on a CUDA device; none where only its library can say what it holds: it
/// is followed by autograd, its elements stand for their conjugates or negatives, or it lies elsewhere.
std::optional<MutableView> look_at(const Exchange& exchange, nanobind::handle tensor);

/// Where that library's work on a device goes now.
void* stream_on(const Exchange& exchange, int device);

/// A tensor of that library over a result, which was made on the library's current stream.
nanobind::object made_by(const Exchange& exchange, const Tensor& tensor);

/// garner._core.remember_exchange
void define_exchange(nanobind::module_& module);

}  // namespace garner::python
