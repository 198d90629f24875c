#include "garner/view.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "base/checked_math.h"
#include "base/fail.h"
#include "tensor/shape.h"

namespace garner {
namespace {
constexpr Index kMax = std::numeric_limits<Index>::max();

/// Bytes from the lowest to the highest address of a non-empty view, if they fit.
std::optional<Index> reach_bytes(const View& view) {
  std::optional<Index> reach = 1;
  for (Index a = 0; reach && a < view.rank(); ++a) {
    if (view.stride(a) == std::numeric_limits<Index>::min()) return std::nullopt;
    reach = checked_mul_add(view.extent(a) - 1, std::abs(view.stride(a)), *reach);
  }
  return reach ? checked_mul(*reach, width(view.dtype())) : std::nullopt;
}
}  // namespace

std::string name(Device device) { return device.is_cpu() ? "cpu" : fmt::format("cuda:{}", device.number); }

Axes row_major(const Axes& shape) {
  Axes stride(shape.size(), 1);
  for (std::size_t a = shape.size(); a-- > 1;)
    stride[a - 1] = checked_mul(stride[a], std::max<Index>(shape[a], 1)).value_or(kMax);
  return stride;
}

bool is_row_major(const View& view) {
  Index wanted = 1;
  for (Index a = view.rank(); a-- > 0;) {
    if (view.extent(a) != 1 && view.stride(a) != wanted) return false;
    wanted = checked_mul(wanted, std::max<Index>(view.extent(a), 1)).value_or(kMax);
  }
  return true;
}

Index View::elements() const { return checked_product(shape_).value_or(kMax); }

Result<Index> elements_of(DType dtype, const Axes& shape, const std::string& name) {
  for (std::size_t a = 0; a < shape.size(); ++a)
    if (shape[a] < 0)
      return fail(Code::kInvalidArgument, "V1", "{}: extent is {}, allowed [0, 2^63) on axis {}", name, shape[a], a);
  const auto elements = checked_product(shape);
  if (elements && checked_mul(*elements, width(dtype))) return *elements;
  return fail(Code::kInvalidArgument, "V2", "{}: shape {} has more than 2^63 bytes", name, list(shape));
}

Status validate_anywhere(const View& view, const std::string& name) {
  GARNER_ASSIGN(const Index elements, elements_of(view.dtype(), view.shape(), name));
  if (view.stride().size() != view.shape().size())
    return fail(Code::kInvalidArgument, "V3", "{}: {} strides for rank {}", name, view.stride().size(), view.rank());
  if (elements > 0 && !reach_bytes(view))
    return fail(Code::kInvalidArgument, "V2", "{}: strides {} reach over more than 2^63 bytes", name,
                list(view.stride()));
  if (view.data() == nullptr && elements > 0)
    return fail(Code::kInvalidArgument, "V4", "{}: data is null, shape is {}", name, list(view.shape()));
  if (const auto unit = static_cast<std::uintptr_t>(std::min(width(view.dtype()), 8));
      elements > 0 && reinterpret_cast<std::uintptr_t>(view.data()) % unit != 0)
    return fail(Code::kInvalidArgument, "V8", "{}: data is at an address that is no multiple of {}", name, unit);
  return {};
}

Status validate(const View& view, const std::string& name) {
  GARNER_TRY(validate_anywhere(view, name));
  if (view.device().is_cpu()) return {};
  return fail(Code::kUnsupported, "V9", "{}: lies on {}, allowed cpu", name, garner::name(view.device()));
}

View slice_at(const View& view, Index axis, Index position) {
  Axes shape = view.shape(), stride = view.stride();
  shape.erase(shape.begin() + axis);
  stride.erase(stride.begin() + axis);
  return view.seen_as(std::move(shape), std::move(stride), position * view.stride(axis));
}

Result<View> broadcast_to(const View& view, const Axes& shape) {
  const Index lead = static_cast<Index>(shape.size()) - view.rank();
  bool fits = lead >= 0;
  Axes stride(shape.size(), 0);
  for (Index a = 0; fits && a < view.rank(); ++a) {
    const auto at = static_cast<std::size_t>(lead + a);
    fits = view.extent(a) == 1 || view.extent(a) == shape[at];
    if (view.extent(a) != 1) stride[at] = view.stride(a);
  }
  if (!fits)
    return fail(Code::kInvalidArgument, "V5", "shape {} is not broadcastable to {}", list(view.shape()), list(shape));
  return view.seen_as(shape, std::move(stride));
}

std::optional<Axes> broadcast_shapes(std::span<const Axes> shapes) {
  Axes common;
  for (const Axes& shape : shapes) {
    if (shape.size() > common.size()) common.insert(common.begin(), shape.size() - common.size(), 1);
    const std::size_t lead = common.size() - shape.size();
    for (std::size_t a = 0; a < shape.size(); ++a) {
      Index& extent = common[lead + a];
      if (extent == 1) extent = shape[a];
      else if (shape[a] != 1 && shape[a] != extent) return std::nullopt;
    }
  }
  return common;
}

}  // namespace garner
