#include "format/elements.h"

#include <algorithm>

#include "base/checked_math.h"
#include "tensor/shape.h"

namespace garner::format {
namespace {

bool is_aligned(const std::byte* data, DType dtype) {
  return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(std::min(width(dtype), 8)) == 0;
}

Axes strides_of(const Layout& layout) {
  if (!layout.fortran) return row_major(layout.shape);
  Axes stride = row_major(Axes(layout.shape.rbegin(), layout.shape.rend()));
  std::ranges::reverse(stride);
  return stride;
}

/// Each number by itself: a complex element is two.
void swap_bytes(std::byte* data, Index bytes, DType dtype) {
  const Index each = width(dtype) / (kind(dtype) == Kind::kComplex ? 2 : 1);
  for (Index at = 0; at < bytes; at += each) std::reverse(data + at, data + at + each);
}

Result<Mapped> copied(const std::byte* data, Index bytes, const Layout& layout) {
  GARNER_ASSIGN(Tensor copy, Tensor::empty(layout.dtype, {bytes / width(layout.dtype)}));
  std::copy_n(data, bytes, copy.as<std::byte>());
  if (layout.big_endian) swap_bytes(copy.as<std::byte>(), bytes, layout.dtype);
  const View view(layout.dtype, copy.data(), layout.shape, strides_of(layout));
  return Mapped{view, std::make_shared<TensorKeeper>(std::move(copy))};
}

/// Positions [begin, end) of an axis.
View part_of(const View& view, Index axis, Index begin, Index end) {
  Axes shape = view.shape();
  shape[static_cast<std::size_t>(axis)] = end - begin;
  const Index bytes = begin * view.stride(axis) * width(view.dtype());
  return {view.dtype(), static_cast<const char*>(view.data()) + bytes, std::move(shape), view.stride()};
}

constexpr Index kPiece = Index{16} << 20;  // what a strided array takes of memory while it is written

Status write_parts(const View& view, const Sink& sink) {
  const Index bytes = view.elements() * width(view.dtype());
  if (is_row_major(view)) return sink(view.data(), static_cast<std::size_t>(bytes));
  if (bytes <= kPiece) {
    GARNER_ASSIGN(const Tensor flat, contiguous(view));
    return sink(flat.data(), static_cast<std::size_t>(bytes));
  }
  Index axis = 0;
  while (view.extent(axis) == 1) ++axis;
  const Index n = view.extent(axis);
  GARNER_TRY(write_parts(part_of(view, axis, 0, n / 2), sink));
  return write_parts(part_of(view, axis, n / 2, n), sink);
}

}  // namespace

Result<Index> bytes_of(const std::string& path, DType dtype, const Axes& shape) {
  if (shape.size() > kMaxRank)
    return fail_in(path, Code::kInvalidArgument, "F6", "rank is {}, allowed [0, {}]", shape.size(), kMaxRank);
  for (std::size_t a = 0; a < shape.size(); ++a)
    if (shape[a] < 0)
      return fail_in(path, Code::kInvalidArgument, "F6", "extent is {}, allowed [0, 2^63) on axis {}", shape[a], a);
  const auto elements = checked_product(shape);
  const auto bytes = elements ? checked_mul(*elements, width(dtype)) : std::nullopt;
  if (!bytes) return fail_in(path, Code::kInvalidArgument, "F6", "shape {} has more than 2^63 bytes", list(shape));
  return *bytes;
}

Status check_room(const std::string& path, Index size, Index offset, const Layout& layout) {
  GARNER_ASSIGN(const Index bytes, bytes_of(path, layout.dtype, layout.shape));
  if (offset <= size && bytes <= size - offset) return {};
  return fail_in(path, Code::kInvalidArgument, "F6",
                 "{} of shape {} is {} bytes from offset {}, allowed {} (the file ends there)", name(layout.dtype),
                 list(layout.shape), bytes, offset, size - std::min(offset, size));
}

Result<Mapped> look(const Source& source, Index offset, const Layout& layout) {
  GARNER_TRY(check_room(source.path, static_cast<Index>(source.bytes.size()), offset, layout));
  GARNER_ASSIGN(const Index bytes, bytes_of(source.path, layout.dtype, layout.shape));
  const std::byte* data = source.bytes.data() + offset;
  if (layout.big_endian || !is_aligned(data, layout.dtype)) return copied(data, bytes, layout);
  return Mapped{View(layout.dtype, data, layout.shape, strides_of(layout)), source.keeper};
}

Status write_elements(const View& view, const Sink& sink) {
  GARNER_TRY(validate(view, "write"));
  return view.elements() == 0 ? Status{} : write_parts(view, sink);
}

}  // namespace garner::format
