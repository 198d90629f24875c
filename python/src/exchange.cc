#include "exchange.h"

#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstdint>
#include <deque>

#include "garner/dlpack.h"

namespace nb = nanobind;

namespace garner::python {

// ---- what DLPack 1.3 lays down; the headers of older versions have none of it ----

struct DLVersion {
  std::uint32_t major, minor;
};

struct ManagedTensor {
  DLVersion version;
  void* manager_ctx;
  void (*deleter)(ManagedTensor*);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

struct ExchangeApi {
  DLVersion version;
  const ExchangeApi* older;
  int (*allocate)(DLTensor*, ManagedTensor**, void*, void (*)(void*, const char*, const char*));
  int (*export_managed)(void* object, ManagedTensor** out);
  int (*import_managed)(ManagedTensor* tensor, void** out);
  int (*export_plain)(void* object, DLTensor* out);  // may be missing
  int (*current_stream)(DLDeviceType type, std::int32_t device, void** out);
};

namespace {

constexpr std::uint32_t kMajor = 1;

/// Under the interpreter's lock. Never released, as all that belongs to other modules.
std::deque<Exchange>& known() {
  static auto* const all = new std::deque<Exchange>;
  return *all;
}

template <class Matches>
const Exchange* found(const Matches& matches) {
  for (const Exchange& one : known())
    if (matches(one)) return &one;
  return nullptr;
}

/// False also where there was no answer.
bool says_no(PyObject* answer) {
  if (answer == nullptr) PyErr_Clear();
  const bool no = answer == Py_False;
  Py_XDECREF(answer);
  return no;
}

/// Weights require gradients also where nobody asks for any.
bool is_followed(const Exchange& exchange, nb::handle tensor) {
  static PyObject* const requires_grad = PyUnicode_InternFromString("requires_grad");
  return !says_no(PyObject_GetAttr(tensor.ptr(), requires_grad)) &&
         !says_no(PyObject_CallFunctionObjArgs(exchange.is_followed, nullptr));
}

/// Are its elements what its memory holds? Those of integers always are, and nothing but a complex number has a
/// conjugate.
bool is_plain(nb::handle tensor, const DLTensor& seen) {
  static PyObject* const is_conj = PyUnicode_InternFromString("is_conj");
  static PyObject* const is_neg = PyUnicode_InternFromString("is_neg");
  const auto code = seen.dtype.code;
  if (code == kDLInt || code == kDLUInt) return true;
  return (code != kDLComplex || says_no(PyObject_CallMethodObjArgs(tensor.ptr(), is_conj, nullptr))) &&
         says_no(PyObject_CallMethodObjArgs(tensor.ptr(), is_neg, nullptr));
}

/// Others are copied first, by the library itself.
bool is_aligned(const View& view) {
  const auto unit = static_cast<std::uintptr_t>(std::min(width(view.dtype()), 8));
  return reinterpret_cast<std::uintptr_t>(view.data()) % unit == 0;
}

/// A result, for as long as the other library has it.
struct Handed {
  explicit Handed(const Tensor& t) : tensor(t), managed{} {
    managed.version = {kMajor, 0};
    managed.dl_tensor = to_dlpack(tensor.view());
    managed.manager_ctx = this;
    managed.deleter = [](ManagedTensor* self) { delete static_cast<Handed*>(self->manager_ctx); };
  }
  Tensor tensor;
  ManagedTensor managed;
};

/// Called by garner._arrays for the type of the first tensor that it meets.
void remember(nb::handle type, nb::handle capsule, nb::handle there, nb::handle here, nb::handle is_followed) {
  const auto* api = static_cast<const ExchangeApi*>(PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  if (api == nullptr) nb::raise_python_error();
  while (api != nullptr && api->version.major > kMajor) api = api->older;
  if (api == nullptr || api->version.major != kMajor || api->export_plain == nullptr) return;
  const auto kept = [](nb::handle object) { return object.inc_ref().ptr(); };
  known().push_back({reinterpret_cast<PyTypeObject*>(kept(type)), api, kept(there), kept(here), kept(is_followed)});
}

}  // namespace

const Exchange* exchange_of(nb::handle tensor) {
  return found([&](const Exchange& one) { return one.type == Py_TYPE(tensor.ptr()); });
}
const Exchange* exchange_of_kind(nb::handle kind) {
  return found([&](const Exchange& one) { return one.there == kind.ptr() || one.here == kind.ptr(); });
}

std::optional<MutableView> look_at(const Exchange& exchange, nb::handle tensor) {
  DLTensor seen{};
  if (is_followed(exchange, tensor)) return std::nullopt;
  if (exchange.api->export_plain(tensor.ptr(), &seen) != 0) {
    PyErr_Clear();  // whoever asks in Python is told why
    return std::nullopt;
  }
  if (!is_plain(tensor, seen)) return std::nullopt;
  if (seen.device.device_type != kDLCUDA && seen.device.device_type != kDLCPU) return std::nullopt;
  Result<MutableView> view = mutable_from_dlpack(seen);
  if (!view.ok() || !is_aligned(*view)) return std::nullopt;
  return *std::move(view);
}

void* stream_on(const Exchange& exchange, int device) {
  void* stream = nullptr;
  if (exchange.api->current_stream(kDLCUDA, device, &stream) != 0) nb::raise_python_error();
  return stream;
}

nb::object made_by(const Exchange& exchange, const Tensor& tensor) {
  auto* handed = new Handed(tensor);
  void* made = nullptr;
  if (exchange.api->import_managed(&handed->managed, &made) != 0) {
    delete handed;
    nb::raise_python_error();
  }
  return nb::steal(static_cast<PyObject*>(made));
}

void define_exchange(nb::module_& module) {
  module.def("remember_exchange", remember, nb::arg("type"), nb::arg("capsule"), nb::arg("there"), nb::arg("here"),
             nb::arg("is_followed"), "Tensors of this type are looked at and made through DLPack's C exchange API.");
}

}  // namespace garner::python
