// Arrays on a device come and go as DLPack capsules.
#pragma once
#include <dlpack/dlpack.h>
#include <nanobind/nanobind.h>

#include "garner/tensor.h"

namespace garner::python {

/// What an array on a device hands over, as opposed to an array of NumPy's.
bool is_device_capsule(nanobind::handle object);
const DLTensor& device_tensor(nanobind::handle capsule);

/// A result on a device, for libraries that read DLPack: it has `__dlpack__` and `__dlpack_device__`. The work that
/// fills it was given to the thread's default stream.
nanobind::object device_memory(const Tensor& tensor);

/// Also garner._core.cuda_check and cuda_device_count.
void define_device_memory(nanobind::module_& module);

}  // namespace garner::python
