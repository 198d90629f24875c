#include "grad/shape.h"

#include "base/checked_math.h"
#include "base/fail.h"
#include "grad/elementwise.h"
#include "index/memory.h"

namespace garner::grad::plain {
namespace {

Result<Tensor> copy_of(const View& view) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(view.dtype(), view.shape()));
  index::copy_elements(view, out.view(), {});
  return out;
}

/// The part of a row-major array that begins at a place of an axis.
void* address(void* data, DType dtype, Index elements) {
  return data == nullptr ? nullptr : static_cast<std::byte*>(data) + elements * width(dtype);
}

Status check_part(const Tensor& first, const Tensor& part, std::size_t axis) {
  GARNER_TRY(check_same_dtype("concatenate", first.dtype(), part.dtype()));
  Axes wanted = first.shape();
  if (part.rank() == first.rank()) wanted[axis] = part.shape()[axis];
  if (wanted == part.shape()) return {};
  return fail(Code::kInvalidArgument, "G5", "concatenate: shape of a part is {}, allowed {} but for axis {}",
              list(part.shape()), list(first.shape()), axis);
}

}  // namespace

Result<Tensor> transpose(const Tensor& a, const Axes& order) {
  const Axes stride = row_major(a.shape());
  Axes shape, steps;
  for (const Index axis : order) {
    shape.push_back(a.shape()[static_cast<std::size_t>(axis)]);
    steps.push_back(stride[static_cast<std::size_t>(axis)]);
  }
  return copy_of(View(a).seen_as(shape, steps));
}

Result<Tensor> broadcast(const Tensor& a, const Axes& shape) {
  const auto wide = broadcast_to(a, shape);
  if (wide.ok()) return copy_of(*wide);
  return fail(Code::kInvalidArgument, "G5", "broadcast: shape is {}, allowed one that {} broadcasts to", list(shape),
              list(a.shape()));
}

Result<Tensor> slice(const Tensor& a, Index axis, Index begin, Index count) {
  const Axes stride = row_major(a.shape());
  Axes shape = a.shape();
  shape[static_cast<std::size_t>(axis)] = count;
  void* data = address(a.view().mutable_data(), a.dtype(), begin * stride[static_cast<std::size_t>(axis)]);
  return copy_of(View(a.dtype(), data, shape, stride));
}

Result<Tensor> concatenate(const std::vector<Tensor>& parts, Index axis) {
  const auto along = static_cast<std::size_t>(axis);
  Axes shape = parts.front().shape();
  shape[along] = 0;
  for (const Tensor& part : parts) {
    GARNER_TRY(check_part(parts.front(), part, along));
    shape[along] += part.shape()[along];
  }
  GARNER_ASSIGN(Tensor out, Tensor::empty(parts.front().dtype(), shape));
  const Axes stride = row_major(shape);
  Index begin = 0;
  for (const Tensor& part : parts) {
    void* data = address(out.mutable_data(), out.dtype(), begin * stride[along]);
    if (part.elements() > 0) index::copy_elements(part, MutableView(out.dtype(), data, part.shape(), stride), {});
    begin += part.shape()[along];
  }
  return out;
}

Result<Axes> resolved(const Axes& shape, Index elements) {
  const auto refuse = [&] {
    return fail(Code::kInvalidArgument, "G5", "reshape: shape is {}, allowed one of {} elements with at most one -1",
                list(shape), elements);
  };
  Axes out = shape, known;
  Index* open = nullptr;
  for (Index& extent : out) {
    if (extent < -1 || (extent == -1 && open != nullptr)) return refuse();
    if (extent == -1) open = &extent;
    else known.push_back(extent);
  }
  const auto product = checked_product(known);
  if (open != nullptr && product && *product > 0 && elements % *product == 0) return *open = elements / *product, out;
  if (open != nullptr || product != elements) return refuse();
  return out;
}

}  // namespace garner::grad::plain
