#include "garner/tensor.h"

#include "base/fail.h"
#include "garner/error.h"
#include "tensor/pool.h"
#include "tensor/shape.h"
#include "tensor/walk.h"

namespace garner {

Result<Tensor> Tensor::empty(DType dtype, const Axes& shape) {
  GARNER_ASSIGN(const Index elements, elements_of(dtype, shape, "result"));
  const Index bytes = elements * width(dtype);
  Tensor t;
  t.memory_ = pool_allocate(static_cast<std::size_t>(bytes));
  if (t.memory_ == nullptr)
    return fail(Code::kMemory, "V6", "result: shape {} of {} needs {} bytes, which the system refuses", list(shape),
                name(dtype), bytes);
  t.view_ = MutableView(dtype, t.memory_.get(), shape);
  return t;
}

Tensor Tensor::over(std::shared_ptr<void> memory, DType dtype, const Axes& shape, Device device) {
  Tensor t;
  t.view_ = MutableView(dtype, memory.get(), shape).on(device);
  t.memory_ = std::move(memory);
  return t;
}

Result<Tensor> Tensor::zeros(DType dtype, const Axes& shape) {
  GARNER_ASSIGN(Tensor t, empty(dtype, shape));
  std::memset(t.mutable_data(), 0, static_cast<std::size_t>(t.bytes()));
  return t;
}

/// Element by element and by no kernel: the tests compare kernels with it.
bool same_bits(const View& a, const View& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  const auto* left = static_cast<const std::byte*>(a.data());
  const auto* right = static_cast<const std::byte*>(b.data());
  const int bytes = width(a.dtype());
  bool same = true;
  walk_positions(a.shape(), [&](const Axes& at) {
    same = same && std::memcmp(left + dot(at, a.stride()) * bytes, right + dot(at, b.stride()) * bytes,
                               static_cast<std::size_t>(bytes)) == 0;
  });
  return same;
}

namespace detail {

Tensor copy_literal(DType dtype, const Axes& shape, const void* values) {
  Tensor t = value_or_throw(Tensor::empty(dtype, shape));
  if (t.bytes() > 0) std::memcpy(t.mutable_data(), values, static_cast<std::size_t>(t.bytes()));
  return t;
}

void require_same_shape(const Axes& first, const Axes& other) {
  if (first != other)
    throw_error(
        fail(Code::kInvalidArgument, "V7", "tensor: a row has shape {}, the first has {}", list(other), list(first)));
}

}  // namespace detail
}  // namespace garner
