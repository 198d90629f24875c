// reduce and map. Elements of one place are joined in row-major order; sums in blocks.
#include "mlir/reduce.h"

#include <algorithm>

#include "index/runs.h"
#include "mlir/attributes.h"
#include "mlir/elementwise.h"
#include "tensor/cast.h"

namespace garner::mlir {
namespace {

/// A row-major tensor of the dtype.
Result<Tensor> packed(const Value& value, DType dtype) {
  if (value.view.dtype() != dtype) return cast(value.view, dtype);
  return contiguous(value.view);
}

// ---- reduce ----

/// Extents that stay, and where each axis of the input leads in the result (0: nowhere).
struct Kept {
  Axes shape, stride;
};

Result<Kept> kept_axes(const Operation& op, const Axes& shape, const Axes& dims) {
  const auto rank = static_cast<Index>(shape.size());
  for (const Index d : dims)
    if (d < 0 || d >= rank || std::count(dims.begin(), dims.end(), d) != 1)
      return misfit(op, "dimensions are {}, allowed different ones in [0, {})", list(dims), rank);
  Kept out{{}, Axes(shape.size(), 0)};
  const auto is_kept = [&](Index a) { return std::find(dims.begin(), dims.end(), a) == dims.end(); };
  for (Index a = 0; a < rank; ++a)
    if (is_kept(a)) out.shape.push_back(shape[static_cast<std::size_t>(a)]);
  const Axes stride = row_major(out.shape);
  for (std::size_t a = 0, next = 0; a < shape.size(); ++a)
    if (is_kept(static_cast<Index>(a))) out.stride[a] = stride[next++];
  return out;
}

/// One operation on many elements: the sums are an operand of its loop, and its result.
struct LoopJoin {
  Loop loop;
  Index width;
  bool in_blocks;

  /// Elements that are summed by themselves first. A sum of n floats, one after the other, is wrong by up to n
  /// roundings; of blocks, by far fewer.
  static constexpr Index kBlock = 512;

  void join(std::byte* sum, Index sum_step, const std::byte* in, Index step, Index count) const {
    loop({count, {sum, in}, {sum_step, step}, sum, sum_step});
  }

  void join_blocks(std::byte* sum, const std::byte* in, Index step, Index count) const {
    for (Index i = 0; i < count; i += kBlock) {
      const std::byte* block = in + i * step * width;
      Cell own;
      std::memcpy(own.bytes, block, static_cast<std::size_t>(width));
      join(own.bytes, 0, block + step * width, step, std::min(kBlock, count - i) - 1);
      join(sum, 0, own.bytes, 0, 1);
    }
  }
};

void join_by_loop(const LoopJoin& by, const Tensor& input, const Kept& kept, Tensor& sums) {
  const auto* in = input.as<std::byte>();
  auto* out = sums.as<std::byte>();
  index::for_each_run(input.shape(), {kept.stride, row_major(input.shape())}, {.threads = 1},
                      [&](const index::Run& run) {
    std::byte* sum = out + run.start[0] * by.width;
    const std::byte* first = in + run.start[1] * by.width;
    if (by.in_blocks && run.step[0] == 0) by.join_blocks(sum, first, run.step[1], run.count);
    else by.join(sum, run.step[0], first, run.step[1], run.count);
  });
}

void join_by_body(const Joined& joined, const Kept& kept, std::vector<Tensor>& sums) {
  const std::size_t n = sums.size();
  Cells cells = joined.body.cells();
  std::vector<const void*> arguments(2 * n);
  std::vector<void*> results(n);
  index::for_each_run(joined.shape(), {kept.stride, row_major(joined.shape())}, {.threads = 1},
                      [&](const index::Run& run) {
    for (Index i = 0; i < run.count; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        const Index bytes = width(sums[k].dtype());
        arguments[k] = results[k] = sums[k].as<std::byte>() + (run.start[0] + i * run.step[0]) * bytes;
        arguments[n + k] = joined.inputs[k].as<std::byte>() + (run.start[1] + i * run.step[1]) * bytes;
      }
      joined.body.run(cells, arguments.data(), results.data());
    }
  });
}

Result<Values> reduce(const Operation& op, const Values& operands, Context& context) {
  GARNER_ASSIGN(const Joined joined, read_joined(op, operands, context));
  GARNER_ASSIGN(const Axes dims, integers(op, {"dimensions"}));
  GARNER_ASSIGN(const Kept kept, kept_axes(op, joined.shape(), dims));
  GARNER_ASSIGN(std::vector<Tensor> sums, make_starts(joined, kept.shape, context.options));
  const auto only = joined.body.only();
  if (only && only->in_order) {
    const bool adds = std::string_view(only->info->name) == "add";
    join_by_loop({only->loop, width(sums[0].dtype()), adds}, joined.inputs[0], kept, sums[0]);
  } else {
    join_by_body(joined, kept, sums);
  }
  return values_of(sums);
}

// ---- map ----

Result<Values> map(const Operation& op, const Values& operands, Context& context) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1 << 10));
  if (op.regions.size() != 1) return misfit(op, "it has {} regions, allowed 1", op.regions.size());
  GARNER_ASSIGN(const Body body, Body::compile(op.regions[0], context));
  if (body.arguments().size() != operands.size() || body.results().size() != 1)
    return misfit(op, "its body takes {} elements, allowed {}", body.arguments().size(), operands.size());
  std::vector<Tensor> inputs;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].view.shape() != operands[0].view.shape()) return misfit(op, "operands differ in shape");
    GARNER_ASSIGN(Tensor input, packed(operands[k], body.arguments()[k]));
    inputs.push_back(std::move(input));
  }
  GARNER_ASSIGN(Tensor out, Tensor::empty(body.results()[0], inputs[0].shape()));
  Cells cells = body.cells();
  std::vector<const void*> arguments(inputs.size());
  for (Index i = 0; i < out.elements(); ++i) {
    for (std::size_t k = 0; k < inputs.size(); ++k)
      arguments[k] = inputs[k].as<std::byte>() + i * width(inputs[k].dtype());
    void* result = out.as<std::byte>() + i * width(out.dtype());
    body.run(cells, arguments.data(), &result);
  }
  return Values{value_of(out)};
}

}  // namespace

Result<Joined> read_joined(const Operation& op, const Values& operands, Context& context) {
  const std::size_t n = operands.size() / 2;
  if (n == 0 || operands.size() % 2 != 0 || op.regions.size() != 1)
    return misfit(op, "it has {} operands and {} regions, allowed n inputs, n starts and a body", operands.size(),
                  op.regions.size());
  GARNER_ASSIGN(Body body, Body::compile(op.regions[0], context));
  const std::vector<DType> types = body.results();
  if (types.size() != n) return misfit(op, "its body gives {} results, allowed {}", types.size(), n);
  GARNER_TRY(check_joins(op, body, types));
  Joined out{{}, {}, {}, std::move(body)};
  for (std::size_t k = 0; k < n; ++k) {
    const Value &input = operands[k], &start = operands[n + k];
    if (input.view.shape() != operands[0].view.shape() || start.view.rank() != 0)
      return misfit(op, "input {} has shape {} and its start {}, allowed {} and []", k, list(input.view.shape()),
                    list(start.view.shape()), list(operands[0].view.shape()));
    GARNER_ASSIGN(Tensor row_major_input, packed(input, types[k]));
    GARNER_ASSIGN(Tensor number, packed(start, types[k]));
    out.inputs.push_back(std::move(row_major_input));
    out.starts.emplace_back(number);
    out.kept.push_back(std::move(number));
  }
  return out;
}

Result<std::vector<Tensor>> make_starts(const Joined& joined, const Axes& shape, const RunOptions& options) {
  std::vector<Tensor> out;
  for (const View& start : joined.starts) {
    GARNER_ASSIGN(Tensor sums, Tensor::empty(start.dtype(), shape));
    copy_elements(start, sums.view(), options);
    out.push_back(std::move(sums));
  }
  return out;
}

Values values_of(const std::vector<Tensor>& tensors) {
  Values out;
  for (const Tensor& tensor : tensors) out.push_back(value_of(tensor));
  return out;
}

GARNER_MLIR_DEFINE(reduce, nullptr, &reduce);
GARNER_MLIR_DEFINE(map, nullptr, &map);

}  // namespace garner::mlir
