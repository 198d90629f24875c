// Operations that only look at the same elements in another way: no element moves.
#include <algorithm>

#include "mlir/attributes.h"

namespace garner::mlir {
namespace {

std::size_t u(Index i) { return static_cast<std::size_t>(i); }

/// The same memory with other axes. Nothing is skipped where there are no elements: there may be no memory, either.
Values seen(const Value& value, Axes shape, Axes stride, Index skip = 0) {
  View view(value.view.dtype(), value.view.data(), std::move(shape), std::move(stride));
  if (skip != 0 && view.elements() != 0)
    view = View(view.dtype(), static_cast<const std::byte*>(view.data()) + skip * width(view.dtype()), view.shape(),
                view.stride());
  return {Value{std::move(view), value.owner}};
}

Status check_axis(const Operation& op, Index axis, Index rank) {
  if (axis >= 0 && axis < rank) return {};
  return misfit(op, "a dimension is {}, allowed [0, {})", axis, rank);
}

/// Axes that are there, each once.
Status check_axes(const Operation& op, Axes axes, Index rank) {
  for (const Index a : axes) GARNER_TRY(check_axis(op, a, rank));
  std::sort(axes.begin(), axes.end());
  if (std::adjacent_find(axes.begin(), axes.end()) == axes.end()) return {};
  return misfit(op, "dimensions {} are not different", list(axes));
}

Status check_length(const Operation& op, const char* what, std::size_t have, Index rank) {
  if (have == u(rank)) return {};
  return misfit(op, "{} has {} entries, allowed {}", what, have, rank);
}

/// Where the shape of the result comes from the text.
Result<TensorType> said(const Operation& op) {
  if (op.result_types.size() == 1) return op.result_types[0];
  return misfit(op, "it has {} results, allowed 1", op.result_types.size());
}

Result<Values> broadcast_in_dim(const Operation& op, const Values& operands, Context&) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1));
  GARNER_ASSIGN(const TensorType type, said(op));
  GARNER_ASSIGN(const Axes dims, integers(op, {"dims", "broadcast_dimensions"}));
  const View& from = operands[0].view;
  GARNER_TRY(check_length(op, "dims", dims.size(), from.rank()));
  GARNER_TRY(check_axes(op, dims, static_cast<Index>(type.shape.size())));
  Axes stride(type.shape.size(), 0);
  for (std::size_t a = 0; a < dims.size(); ++a) {
    const Index have = from.shape()[a], wanted = type.shape[u(dims[a])];
    if (have != 1 && have != wanted) return misfit(op, "extent {} of axis {} is not {} or 1", have, a, wanted);
    if (have != 1) stride[u(dims[a])] = from.stride()[a];
  }
  return seen(operands[0], type.shape, std::move(stride));
}

/// New axes in front.
Result<Values> broadcast(const Operation& op, const Values& operands, Context&) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1));
  GARNER_ASSIGN(Axes shape, integers(op, {"sizes", "broadcast_sizes"}));
  Axes stride(shape.size(), 0);
  const View& from = operands[0].view;
  shape.insert(shape.end(), from.shape().begin(), from.shape().end());
  stride.insert(stride.end(), from.stride().begin(), from.stride().end());
  GARNER_ASSIGN(const TensorType type, said(op));
  if (shape != type.shape) return misfit(op, "it gives {}, the text says {}", list(shape), list(type.shape));
  return seen(operands[0], std::move(shape), std::move(stride));
}

Result<Values> reshape(const Operation& op, const Values& operands, Context&) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1));
  GARNER_ASSIGN(const TensorType type, said(op));
  const View& from = operands[0].view;
  if (View(type.dtype, nullptr, type.shape).elements() != from.elements())
    return misfit(op, "{} has not as many elements as {}", list(from.shape()), list(type.shape));
  if (from.stride() == row_major(from.shape())) return seen(operands[0], type.shape, row_major(type.shape));
  GARNER_ASSIGN(const Tensor packed, contiguous(from));
  return Values{value_of(packed.reshaped(type.shape))};
}

Result<Values> transpose(const Operation& op, const Values& operands, Context&) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1));
  GARNER_ASSIGN(const Axes order, integers(op, {"dims", "permutation"}));
  const View& from = operands[0].view;
  GARNER_TRY(check_length(op, "dims", order.size(), from.rank()));
  GARNER_TRY(check_axes(op, order, from.rank()));
  Axes shape, stride;
  for (const Index a : order) {
    shape.push_back(from.extent(a));
    stride.push_back(from.stride(a));
  }
  return seen(operands[0], std::move(shape), std::move(stride));
}

Result<Values> reverse(const Operation& op, const Values& operands, Context&) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1));
  GARNER_ASSIGN(const Axes dims, integers(op, {"dims", "dimensions"}));
  const View& from = operands[0].view;
  GARNER_TRY(check_axes(op, dims, from.rank()));
  Axes stride = from.stride();
  Index skip = 0;
  for (const Index a : dims) {
    skip += (from.extent(a) - 1) * from.stride(a);
    stride[u(a)] = -stride[u(a)];
  }
  return seen(operands[0], from.shape(), std::move(stride), skip);
}

Status check_range(const Operation& op, Index start, Index limit, Index step, Index extent) {
  if (start >= 0 && start <= limit && limit <= extent && step > 0) return {};
  return misfit(op, "a range is {}:{}:{}, allowed within [0, {}] with a step above 0", start, limit, step, extent);
}

Result<Values> slice(const Operation& op, const Values& operands, Context&) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1));
  const View& from = operands[0].view;
  GARNER_ASSIGN(const Axes starts, integers(op, {"start_indices"}));
  GARNER_ASSIGN(const Axes limits, integers(op, {"limit_indices"}));
  GARNER_ASSIGN(const Axes steps, integers_or(op, {"strides"}, Axes(starts.size(), 1)));
  for (const Axes* entries : {&starts, &limits, &steps})
    GARNER_TRY(check_length(op, "a list of positions", entries->size(), from.rank()));
  Axes shape, stride;
  Index skip = 0;
  for (std::size_t a = 0; a < starts.size(); ++a) {
    GARNER_TRY(check_range(op, starts[a], limits[a], steps[a], from.shape()[a]));
    const Index room = limits[a] - starts[a];
    shape.push_back(room / steps[a] + (room % steps[a] != 0 ? 1 : 0));
    // A step past the end is one that is never taken.
    stride.push_back(shape.back() > 1 ? from.stride()[a] * steps[a] : from.stride()[a]);
    skip += starts[a] * from.stride()[a];
  }
  return seen(operands[0], std::move(shape), std::move(stride), skip);
}

/// An element of `wide` bytes is a row of narrow ones, the lowest bits first.
Status check_bits(const Operation& op, const Axes& shape, DType wide, const Axes& rows, DType narrow) {
  Axes wanted = shape;
  if (width(wide) != width(narrow)) wanted.push_back(width(wide) / width(narrow));
  if (width(wide) % width(narrow) == 0 && rows == wanted) return {};
  return misfit(op, "{} of {} are not the bits of {} of {}", list(rows), name(narrow), list(shape), name(wide));
}

Result<Values> bitcast_convert(const Operation& op, const Values& operands, Context&) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1));
  GARNER_ASSIGN(const TensorType type, said(op));
  const View& from = operands[0].view;
  if ((from.dtype() == DType::kBool) != (type.dtype == DType::kBool))
    return misfit(op, "{} to {} is not offered", name(from.dtype()), name(type.dtype));
  const bool widens = width(type.dtype) > width(from.dtype());
  GARNER_TRY(widens ? check_bits(op, type.shape, type.dtype, from.shape(), from.dtype())
                    : check_bits(op, from.shape(), from.dtype(), type.shape, type.dtype));
  if (width(type.dtype) == width(from.dtype()))
    return Values{Value{View(type.dtype, from.data(), from.shape(), from.stride()), operands[0].owner}};
  GARNER_ASSIGN(const Tensor packed, contiguous(from));
  return Values{Value{View(type.dtype, packed.data(), type.shape), packed}};
}

Result<Values> get_dimension_size(const Operation& op, const Values& operands, Context&) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1));
  GARNER_ASSIGN(const Index axis, integer(op, {"dim", "dimension"}));
  GARNER_TRY(check_axis(op, axis, operands[0].view.rank()));
  return Values{value_of(scalar(static_cast<std::int32_t>(operands[0].view.extent(axis))))};
}

Result<Values> optimization_barrier(const Operation&, const Values& operands, Context&) { return operands; }

}  // namespace

GARNER_MLIR_DEFINE(broadcast, nullptr, &broadcast);
GARNER_MLIR_DEFINE(broadcast_in_dim, nullptr, &broadcast_in_dim);
GARNER_MLIR_DEFINE(reshape, nullptr, &reshape);
GARNER_MLIR_DEFINE(transpose, nullptr, &transpose);
GARNER_MLIR_DEFINE(reverse, nullptr, &reverse);
GARNER_MLIR_DEFINE(slice, nullptr, &slice);
GARNER_MLIR_DEFINE(bitcast_convert, nullptr, &bitcast_convert);
GARNER_MLIR_DEFINE(get_dimension_size, nullptr, &get_dimension_size);
GARNER_MLIR_DEFINE(optimization_barrier, nullptr, &optimization_barrier);

}  // namespace garner::mlir
