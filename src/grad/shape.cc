#include "grad/shape.h"

#include "base/checked_math.h"
#include "base/fail.h"
#include "grad/elementwise.h"
#include "grad/place.h"
#include "run/copy.h"

namespace garner::grad::plain {
namespace {

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
  return contiguous(View(a).seen_as(shape, steps));
}

Result<Tensor> broadcast(const Tensor& a, const Axes& shape) {
  const auto wide = broadcast_to(a, shape);
  if (wide.ok()) return contiguous(*wide);
  return fail(Code::kInvalidArgument, "G5", "broadcast: shape is {}, allowed one that {} broadcasts to", list(shape),
              list(a.shape()));
}

Result<Tensor> slice(const Tensor& a, Index axis, Index begin, Index count) {
  const Axes stride = row_major(a.shape());
  Axes shape = a.shape();
  shape[static_cast<std::size_t>(axis)] = count;
  return contiguous(a.view().seen_as(shape, stride, count == 0 ? 0 : begin * stride[static_cast<std::size_t>(axis)]));
}

Result<Tensor> concatenate(const std::vector<Tensor>& parts, Index axis) {
  const auto along = static_cast<std::size_t>(axis);
  Axes shape = parts.front().shape();
  shape[along] = 0;
  for (const Tensor& part : parts) {
    GARNER_TRY(check_part(parts.front(), part, along));
    shape[along] += part.shape()[along];
  }
  GARNER_ASSIGN(Tensor out, empty_at(parts.front().device(), parts.front().dtype(), shape));
  const Axes stride = row_major(shape);
  Index begin = 0;
  for (const Tensor& part : parts) {
    if (part.elements() > 0)
      GARNER_TRY(copy_into(part, out.view().seen_as(part.shape(), stride, begin * stride[along]), {}));
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
