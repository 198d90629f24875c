#include "grad/place.h"

#include "base/fail.h"
#include "device/cuda/runtime.h"
#include "garner/cuda.h"
#include "grad/cuda/elementwise.h"
#include "tensor/cast.h"

namespace garner::grad::plain {

Device place_of(std::initializer_list<View> tensors) {
  for (const View& tensor : tensors)
    if (!tensor.device().is_cpu()) return tensor.device();
  return {};
}

Result<Tensor> empty_at(Device device, DType dtype, const Axes& shape) {
  return garner::cuda::empty(dtype, shape, device, default_stream());
}

Result<Tensor> zeros_at(Device device, DType dtype, const Axes& shape) {
  if (device.is_cpu()) return Tensor::zeros(dtype, shape);
  GARNER_ASSIGN(Tensor out, empty_at(device, dtype, shape));
  GARNER_TRY(on_device::fill(out.view(), {}));
  return out;
}

Result<Tensor> brought(const std::string& op, const Tensor& tensor, Device device) {
  if (tensor.device() == device) return tensor;
  if (!tensor.device().is_cpu() || tensor.elements() != 1)
    return fail(Code::kInvalidArgument, "P23", "{}: a tensor {} lies on {}, allowed {} as the others", op,
                list(tensor.shape()), name(tensor.device()), name(device));
  GARNER_ASSIGN(Tensor there, empty_at(device, tensor.dtype(), tensor.shape()));
  GARNER_TRY(cuda_put(device.number, default_stream(), there.mutable_data(), tensor.data(), width(tensor.dtype())));
  return there;
}

Result<Tensor> packed_at(const std::string& op, const View& view, Device device) {
  if (view.device() == device) return contiguous(view);
  bool single = view.elements() > 0;
  for (Index a = 0; a < view.rank(); ++a) single = single && (view.extent(a) == 1 || view.stride(a) == 0);
  GARNER_ASSIGN(const Tensor here, contiguous(single ? view.seen_as({}, {}) : view));
  GARNER_ASSIGN(const Tensor there, brought(op, here, device));
  return single ? contiguous(View(there).seen_as(view.shape(), Axes(view.shape().size(), 0))) : Result<Tensor>(there);
}

Result<Tensor> fetched(const Tensor& tensor) {
  return tensor.device().is_cpu() ? Result<Tensor>(tensor) : garner::cuda::copy_to(tensor, {});
}

Result<Tensor> converted(const Tensor& tensor, DType to) {
  const bool known = tensor.dtype() == DType::kBool || tensor.dtype() == DType::kI64;
  if (tensor.device().is_cpu() || !(known || (is_integer(tensor.dtype()) && to == DType::kI64)))
    return cast(tensor, to);
  if (tensor.dtype() == to) return tensor;
  GARNER_ASSIGN(Tensor out, empty_at(tensor.device(), to, tensor.shape()));
  GARNER_TRY(on_device::convert(tensor, out.view()));
  return out;
}

}  // namespace garner::grad::plain
