#include "mlir/elementwise.h"

#include "index/runs.h"

namespace garner::mlir {
namespace {

const std::byte* bytes_at(const View& view, Index element) {
  return static_cast<const std::byte*>(view.data()) + element * width(view.dtype());
}

struct Same {
  template <class T> static T of(T value) { return value; }
};

bool stretches(const Operation& op, const View& operand) { return op.info->stretches && operand.rank() == 0; }

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
  const Axes& shape = op.result_types[0].shape;
  std::vector<View> views;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const View& view = operands[k].view;
    views.push_back(stretches(op, view) ? stretched(view, shape) : view);
    GARNER_TRY(check_shape(op, k, views.back(), shape));
  }
  GARNER_ASSIGN(Tensor out, Tensor::empty(made.result, shape));
  run_loop(made.loop, views, out.view(), context.options);
  return Values{value_of(out)};
}

}  // namespace garner::mlir
