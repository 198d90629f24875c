#include "garner/dlpack.h"

#include "base/fail.h"

namespace garner {
namespace {

std::optional<DType> from_code(DLDataType t) {
  for (const DTypeInfo& d : kDTypes)
    if (d.dlpack_code == t.code && d.bits == t.bits && t.lanes == 1) return d.dtype;
  return std::nullopt;
}

bool on_cpu(const DLTensor& t) {
  return t.device.device_type == kDLCPU || t.device.device_type == kDLCUDAHost || t.device.device_type == kDLROCMHost;
}

}  // namespace

Result<MutableView> mutable_from_dlpack(const DLTensor& t) {
  if (!on_cpu(t))
    return fail(Code::kUnsupported, "D1", "from_dlpack: device type is {}, allowed CPU memory",
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
  GARNER_TRY(validate(view, "from_dlpack"));
  return view;
}

Result<View> from_dlpack(const DLTensor& t) {
  GARNER_ASSIGN(MutableView view, mutable_from_dlpack(t));
  return View(view);
}

DLTensor to_dlpack(const View& view) {
  const DTypeInfo& d = info(view.dtype());
  DLTensor t{};
  t.data = const_cast<void*>(view.data());
  t.device = {kDLCPU, 0};
  t.ndim = static_cast<int>(view.rank());
  t.dtype = {d.dlpack_code, d.bits, 1};
  t.shape = const_cast<Index*>(view.shape().data());
  t.strides = const_cast<Index*>(view.stride().data());
  return t;
}

}  // namespace garner
