#include "mlir/elementwise.h"

#include "index/runs.h"
#include "mlir/attributes.h"

namespace garner::mlir {
namespace {

const std::byte* bytes_at(const View& view, Index element) {
  return static_cast<const std::byte*>(view.data()) + element * width(view.dtype());
}

struct Same {
  template <class T> static T of(T value) { return value; }
};

/// Axes from the last on; where the extent is 1, one element for all. None where they do not fit.
std::optional<View> broadcast(const View& from, const Axes& shape) {
  Axes stride(shape.size(), 0);
  const std::size_t rank = from.shape().size();
  if (rank > shape.size()) return std::nullopt;
  for (std::size_t a = 0; a < rank; ++a) {
    const std::size_t to = shape.size() - rank + a;
    if (from.shape()[a] != 1 && from.shape()[a] != shape[to]) return std::nullopt;
    if (from.shape()[a] != 1) stride[to] = from.stride()[a];
  }
  return View(from.dtype(), from.data(), shape, stride);
}

View fitted(const Operation& op, const View& operand, const Axes& shape) {
  if (op.info->stretches && operand.rank() == 0) return stretched(operand, shape);
  return is_stretching(op.name) ? broadcast(operand, shape).value_or(operand) : operand;
}

/// chlo may name the axes of the operand of lower rank: those it takes by itself.
Status check_alignment(const Operation& op) {
  if (!is_stretching(op.name)) return {};
  GARNER_ASSIGN(const Axes dims, integers_or(op, {"broadcast_dimensions"}, {}));
  const auto rank = static_cast<Index>(op.result_types[0].shape.size()), first = rank - static_cast<Index>(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != first + static_cast<Index>(i))
      return misfit(op, "broadcast_dimensions are {}, allowed the last of {}", list(dims), rank);
  return {};
}

Status check_shape(const Operation& op, std::size_t number, const View& operand, const Axes& shape) {
  if (operand.shape() == shape) return {};
  return misfit(op, "operand {} has shape {}, allowed {} (that of the result)", number, list(operand.shape()),
                list(shape));
}

}  // namespace

void run_loop(Loop loop, const std::vector<View>& in, const MutableView& out, const RunOptions& options) {
  std::vector<Axes> strides{out.stride()};
  Index bytes = out.elements() * width(out.dtype());
  for (const View& view : in) {
    strides.push_back(view.stride());
    bytes += out.elements() * width(view.dtype());
  }
  index::for_each_run(out.shape(), strides, {options.threads, bytes}, [&](const index::Run& run) {
    Strip strip{run.count, {}, {}, nullptr, run.step[0]};
    strip.out = static_cast<std::byte*>(out.mutable_data()) + run.start[0] * width(out.dtype());
    for (std::size_t k = 0; k < in.size(); ++k) {
      strip.in[k] = bytes_at(in[k], run.start[k + 1]);
      strip.step[k] = run.step[k + 1];
    }
    loop(strip);
  });
}

void copy_elements(const View& from, const MutableView& out, const RunOptions& options) {
  const View source = from.shape() == out.shape() ? from : stretched(from, out.shape());
  const Loop copy = dispatch(from.dtype(), []<class T>() -> Loop { return &loop<Same, T, T>; });
  run_loop(copy, {source}, out, options);
}

Result<Values> run_elementwise(const Operation& op, const Values& operands, Context& context) {
  std::vector<DType> types;
  for (const Value& operand : operands) types.push_back(operand.view.dtype());
  GARNER_ASSIGN(const Elementwise made, op.info->loop(op, types));
  if (op.result_types.size() != 1) return misfit(op, "it has {} results, allowed 1", op.result_types.size());
  GARNER_TRY(check_alignment(op));
  const Axes& shape = op.result_types[0].shape;
  std::vector<View> views;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    views.push_back(fitted(op, operands[k].view, shape));
    GARNER_TRY(check_shape(op, k, views.back(), shape));
  }
  GARNER_ASSIGN(Tensor out, Tensor::empty(made.result, shape));
  run_loop(made.loop, views, out.view(), context.options);
  return Values{value_of(out)};
}

}  // namespace garner::mlir
