#include "device_memory.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "garner/cuda.h"
#include "garner/dlpack.h"

namespace garner::python {
namespace {

constexpr const char* kCapsule = "dltensor";

struct DeviceMemory {
  Tensor tensor;
  void* stream;
};

/// A tensor for as long as somebody else's library has it.
struct Handed {
  explicit Handed(const Tensor& t) : tensor(t), managed{} {
    managed.dl_tensor = to_dlpack(tensor.view());
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* self) { delete static_cast<Handed*>(self->manager_ctx); };
  }
  Tensor tensor;
  DLManagedTensor managed;
};

/// Who took the tensor has renamed the capsule, and drops it himself.
void drop_untaken(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, kCapsule) == 0) return;
  auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kCapsule));
  managed->deleter(managed);
}

/// DLPack's numbers for streams: 1 is the default one, 2 the thread's own; -1: no waiting.
nb::object hand_over(const DeviceMemory& memory, std::optional<std::intptr_t> stream, const nb::kwargs&) {
  const std::intptr_t theirs = stream.value_or(1);
  if (theirs != -1) {
    void* then = theirs == 0 || theirs == 1 ? nullptr : reinterpret_cast<void*>(theirs);
    if (const Status status = cuda::order(memory.stream, then, memory.tensor.device().number); !status.ok())
      raise(status, "");
  }
  return nb::steal(PyCapsule_New(&(new Handed(memory.tensor))->managed, kCapsule, drop_untaken));
}

/// The addresses of an array, from its first byte to past its last.
std::pair<std::uintptr_t, std::uintptr_t> bounds(const View& view) {
  Index first = 0, last = 0;
  for (std::size_t a = 0; a < view.shape().size(); ++a) {
    const Index reach = view.stride()[a] * (view.shape()[a] - 1);
    (reach < 0 ? first : last) += reach;
  }
  const auto at = reinterpret_cast<std::uintptr_t>(view.data());
  const auto bytes = [&](Index elements) { return static_cast<std::uintptr_t>(elements * width(view.dtype())); };
  return {at + bytes(first), at + bytes(last + 1)};
}

bool may_share_memory(nb::handle left, nb::handle right) {
  Inputs inputs;
  const View a = inputs.view(left), b = inputs.view(right);
  if (a.elements() == 0 || b.elements() == 0) return false;
  const auto [a_first, a_end] = bounds(a);
  const auto [b_first, b_end] = bounds(b);
  return a_first < b_end && b_first < a_end;
}

/// Whose call a message is about, for the class of the exception: "torch" of "torch.gather: …".
std::string dialect_of(const std::string& message) { return message.substr(0, message.find_first_of(".: ")); }

}  // namespace

bool is_device_capsule(nb::handle object) { return PyCapsule_IsValid(object.ptr(), kCapsule) != 0; }

const DLTensor& device_tensor(nb::handle capsule) {
  return static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), kCapsule))->dl_tensor;
}

nb::object device_memory(const Tensor& tensor) { return nb::cast(DeviceMemory{tensor, default_stream()}); }

void define_device_memory(nb::module_& module) {
  nb::class_<DeviceMemory>(module, "DeviceMemory", "A result on a device; other libraries look at it through DLPack.")
      .def("__dlpack__", hand_over, nb::kw_only(), nb::arg("stream") = nb::none(), nb::arg("kwargs"))
      .def("__dlpack_device__", [](const DeviceMemory& memory) {
    return std::pair(static_cast<int>(kDLCUDA), memory.tensor.device().number);
  });
  module.def("may_share_memory", may_share_memory, "Do the addresses of two arrays overlap?");
  module.def("cuda_device_count", cuda::device_count, "How many CUDA devices there are.");
  module.def("cuda_check", [](std::uintptr_t stream, int device) {
    const Status status = [&] {
      nb::gil_scoped_release release;
      return cuda::check(reinterpret_cast<void*>(stream), device);
    }();
    if (!status.ok()) raise(status, dialect_of(status.message));
  }, nb::arg("stream"), nb::arg("device"), "Waits for the stream; raises the first bad index since the last check.");
}

}  // namespace garner::python
