// Operations that make new arrays: constant, iota, concatenate, pad.
#include <algorithm>

#include "base/checked_math.h"
#include "mlir/attributes.h"
#include "mlir/elementwise.h"
#include "tensor/walk.h"

namespace garner::mlir {
namespace {

Result<Values> constant(const Operation& op, const Values&, Context&) {
  GARNER_ASSIGN(const Tensor value, tensor(op, {"value"}));
  if (op.result_types.size() != 1) return misfit(op, "it has {} results, allowed 1", op.result_types.size());
  // One number for all elements stays one number.
  if (value.rank() != 0) return Values{value_of(value)};
  return Values{Value{stretched(value, op.result_types[0].shape), value}};
}

/// 0, 1, … along one axis, the same along the others.
Result<Values> iota(const Operation& op, const Values&, Context&) {
  GARNER_ASSIGN(const Index axis, integer(op, {"dim", "iota_dimension"}));
  if (op.result_types.size() != 1) return misfit(op, "it has {} results, allowed 1", op.result_types.size());
  const TensorType& type = op.result_types[0];
  const auto rank = static_cast<Index>(type.shape.size());
  if (axis < 0 || axis >= rank) return misfit(op, "dim is {}, allowed [0, {})", axis, rank);
  const Index extent = type.shape[static_cast<std::size_t>(axis)];
  GARNER_ASSIGN(Tensor numbers, Tensor::empty(type.dtype, {extent}));
  dispatch(type.dtype, [&]<class T>() {
    for (Index i = 0; i < extent; ++i) numbers.as<T>()[i] = garner::convert<T>(i);
  });
  Axes stride(type.shape.size(), 0);
  stride[static_cast<std::size_t>(axis)] = 1;
  return Values{Value{View(type.dtype, numbers.data(), type.shape, stride), numbers}};
}

/// A part of a tensor that is being made: from `first` on, with these extents and steps.
MutableView part_of(Tensor& whole, const Axes& first, const Axes& shape, const Axes& step) {
  const Axes stride = row_major(whole.shape());
  Axes steps(stride.size());
  for (std::size_t a = 0; a < stride.size(); ++a) steps[a] = stride[a] * step[a];
  const Index skip = any_zero(shape) ? 0 : dot(first, stride);
  return {whole.dtype(), static_cast<std::byte*>(whole.mutable_data()) + skip * width(whole.dtype()), shape, steps};
}

// ---- concatenate ----

Status check_piece(const Operation& op, const View& piece, const View& first, Index axis) {
  if (piece.dtype() != first.dtype() || piece.rank() != first.rank())
    return misfit(op, "operands are of {} and rank {}, and of {} and rank {}", name(first.dtype()), first.rank(),
                  name(piece.dtype()), piece.rank());
  for (Index a = 0; a < piece.rank(); ++a)
    if (a != axis && piece.extent(a) != first.extent(a))
      return misfit(op, "extents are {} and {} on axis {}, allowed equal ones", first.extent(a), piece.extent(a), a);
  return {};
}

Result<Values> concatenate(const Operation& op, const Values& operands, Context& context) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1 << 20));
  GARNER_ASSIGN(const Index axis, integer(op, {"dim", "dimension"}));
  const View& first = operands[0].view;
  if (axis < 0 || axis >= first.rank()) return misfit(op, "dim is {}, allowed [0, {})", axis, first.rank());
  const auto along = static_cast<std::size_t>(axis);
  Axes shape = first.shape(), at(shape.size(), 0);
  shape[along] = 0;
  for (const Value& operand : operands) {
    GARNER_TRY(check_piece(op, operand.view, first, axis));
    const auto sum = checked_add(shape[along], operand.view.extent(axis));
    if (!sum) return misfit(op, "extents add up to more than 2^63 on axis {}", axis);
    shape[along] = *sum;
  }
  GARNER_ASSIGN(Tensor out, Tensor::empty(first.dtype(), shape));
  for (const Value& operand : operands) {
    copy_elements(operand.view, part_of(out, at, operand.view.shape(), Axes(shape.size(), 1)), context.options);
    at[along] += operand.view.extent(axis);
  }
  return Values{value_of(out)};
}

// ---- pad ----

/// Far above what memory holds, far below what overflows.
constexpr Index kMaxPadding = Index{1} << 48;

/// Which elements of an axis stay, and where they go.
struct PaddedAxis {
  Index extent = 0;  // of the result
  Index first = 0, count = 0;  // of the operand
  Index at = 0, step = 1;  // in the result
};

Result<PaddedAxis> padded(const Operation& op, Index extent, Index low, Index high, Index interior) {
  for (const Index n : {low, high, interior, extent})
    if (n < -kMaxPadding || n > kMaxPadding) return misfit(op, "a padding is {}, allowed up to 2^48", n);
  if (interior < 0) return misfit(op, "interior padding is {}, allowed at least 0", interior);
  PaddedAxis out{.step = interior + 1};
  const auto between = checked_mul(std::max<Index>(extent - 1, 0), interior);
  if (!between || *between > kMaxPadding) return misfit(op, "the padded extent is too large");
  out.extent = low + extent + *between + high;
  if (out.extent < 0) return misfit(op, "the padded extent is {}, allowed at least 0", out.extent);
  out.first = low < 0 ? (-low + interior) / out.step : 0;
  out.at = low + out.first * out.step;
  const Index room = out.at < out.extent ? (out.extent - 1 - out.at) / out.step + 1 : 0;
  out.count = std::clamp<Index>(extent - out.first, 0, room);
  return out;
}

/// The padded axes in lists, one entry per axis.
struct PaddedShape {
  Axes extent, first, count, at, step;
  void add(const PaddedAxis& axis) {
    extent.push_back(axis.extent);
    first.push_back(axis.first);
    count.push_back(axis.count);
    at.push_back(axis.at);
    step.push_back(axis.step);
  }
};

Result<PaddedShape> padded_shape(const Operation& op, const View& operand) {
  GARNER_ASSIGN(const Axes low, integers(op, {"low", "edge_padding_low"}));
  GARNER_ASSIGN(const Axes high, integers(op, {"high", "edge_padding_high"}));
  GARNER_ASSIGN(const Axes interior, integers_or(op, {"interior", "interior_padding"}, Axes(low.size(), 0)));
  for (const Axes* entries : {&low, &high, &interior})
    if (static_cast<Index>(entries->size()) != operand.rank())
      return misfit(op, "a padding has {} entries, allowed {}", entries->size(), operand.rank());
  PaddedShape out;
  for (std::size_t a = 0; a < low.size(); ++a) {
    GARNER_ASSIGN(const PaddedAxis axis, padded(op, operand.shape()[a], low[a], high[a], interior[a]));
    out.add(axis);
  }
  return out;
}

Result<Values> pad(const Operation& op, const Values& operands, Context& context) {
  GARNER_TRY(check_count(op, operands.size(), 2, 2));
  const View &operand = operands[0].view, &filling = operands[1].view;
  if (filling.rank() != 0 || filling.dtype() != operand.dtype())
    return misfit(op, "the padding value is {}, allowed {} of rank 0", name(filling.dtype()), name(operand.dtype()));
  GARNER_ASSIGN(const PaddedShape shape, padded_shape(op, operand));
  GARNER_ASSIGN(Tensor out, Tensor::empty(operand.dtype(), shape.extent));
  copy_elements(filling, out.view(), context.options);
  if (any_zero(shape.count)) return Values{value_of(out)};
  const auto* kept =
      static_cast<const std::byte*>(operand.data()) + dot(shape.first, operand.stride()) * width(operand.dtype());
  copy_elements(View(operand.dtype(), kept, shape.count, operand.stride()),
                part_of(out, shape.at, shape.count, shape.step), context.options);
  return Values{value_of(out)};
}

}  // namespace

GARNER_MLIR_DEFINE(constant, nullptr, &constant);
GARNER_MLIR_DEFINE(iota, nullptr, &iota);
GARNER_MLIR_DEFINE(concatenate, nullptr, &concatenate);
GARNER_MLIR_DEFINE(pad, nullptr, &pad);

}  // namespace garner::mlir
