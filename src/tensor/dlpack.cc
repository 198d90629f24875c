#include "garner/dlpack.h"

#include "base/fail.h"

namespace garner {
namespace {

std::optional<DType> from_code(DLDataType t) {
  for (const DTypeInfo& d : kDTypes)
    if (d.dlpack_code == t.code && d.bits == t.bits && t.lanes == 1) return d.dtype;
  return std::nullopt;
}

std::optional<Device> device_of(DLDevice d) {
  if (d.device_type == kDLCPU || d.device_type == kDLCUDAHost || d.device_type == kDLROCMHost) return Device{};
  if (d.device_type == kDLCUDA || d.device_type == kDLCUDAManaged) return Device{DeviceKind::kCuda, d.device_id};
  return std::nullopt;
}

}  // namespace

Result<MutableView> mutable_from_dlpack(const DLTensor& t) {
  const auto device = device_of(t.device);
  if (!device)
    return fail(Code::kUnsupported, "D1", "from_dlpack: device type is {}, allowed memory of the CPU or of CUDA",
                static_cast<int>(t.device.device_type));
  const auto dtype = from_code(t.dtype);
  if (!dtype)
    return fail(Code::kType, "D2", "from_dlpack: dtype has code {}, {} bits, {} lanes, which no dtype has",
                t.dtype.code, t.dtype.bits, t.dtype.lanes);
  if (t.ndim < 0) return fail(Code::kInvalidArgument, "V1", "from_dlpack: ndim is {}, allowed [0, 2^31)", t.ndim);
  auto* data = t.data == nullptr ? nullptr : static_cast<char*>(t.data) + t.byte_offset;
  Axes shape(t.shape, t.shape + t.ndim);
  Axes stride = t.strides == nullptr ? row_major(shape) : Axes(t.strides, t.strides + t.ndim);
  MutableView view(*dtype, static_cast<void*>(data), std::move(shape), std::move(stride));
  GARNER_TRY(validate_anywhere(view, "from_dlpack"));
  return view.on(*device);
}

Result<View> from_dlpack(const DLTensor& t) {
  GARNER_ASSIGN(MutableView view, mutable_from_dlpack(t));
  return View(view);
}

DLTensor to_dlpack(const View& view) {
  const DTypeInfo& d = info(view.dtype());
  DLTensor t{};
  t.data = const_cast<void*>(view.data());
  t.device = {view.device().is_cpu() ? kDLCPU : kDLCUDA, view.device().number};
  t.ndim = static_cast<int>(view.rank());
  t.dtype = {d.dlpack_code, d.bits, 1};
  t.shape = const_cast<Index*>(view.shape().data());
  t.strides = const_cast<Index*>(view.stride().data());
  return t;
}

}  // namespace garner
