// gather, scatter and their neighbours: lowered by the stablehlo dialect, run as plans.
#include "dialect/stablehlo/combine_words.h"
#include "mlir/attributes.h"
#include "mlir/body.h"

namespace garner::mlir {
namespace {

std::vector<View> views_of(const Values& values, std::size_t first, std::size_t count) {
  std::vector<View> out;
  for (std::size_t i = first; i < first + count; ++i) out.push_back(values[i].view);
  return out;
}

Result<Values> run_job(const Result<Job>& job, const Context& context) {
  GARNER_ASSIGN(const Tensor out, run_one(job, context.options));
  return Values{value_of(out)};
}

// ---- gather ----

Result<stablehlo::GatherDims> gather_dims(const Operation& op) {
  GARNER_ASSIGN(const Attributes* numbers, dictionary(op, {"dimension_numbers"}));
  stablehlo::GatherDims dims;
  GARNER_ASSIGN(dims.offset_dims, integers_in(op, *numbers, "offset_dims"));
  GARNER_ASSIGN(dims.collapsed_slice_dims, integers_in(op, *numbers, "collapsed_slice_dims"));
  GARNER_ASSIGN(dims.operand_batching_dims, integers_in(op, *numbers, "operand_batching_dims"));
  GARNER_ASSIGN(dims.start_indices_batching_dims, integers_in(op, *numbers, "start_indices_batching_dims"));
  GARNER_ASSIGN(dims.start_index_map, integers_in(op, *numbers, "start_index_map"));
  GARNER_ASSIGN(dims.index_vector_dim, integer_in(op, *numbers, "index_vector_dim"));
  return dims;
}

Result<Values> gather(const Operation& op, const Values& operands, Context& context) {
  GARNER_TRY(check_count(op, operands.size(), 2, 2));
  GARNER_ASSIGN(const auto dims, gather_dims(op));
  GARNER_ASSIGN(const Axes sizes, integers(op, {"slice_sizes"}));
  return run_job(stablehlo::lower_gather(operands[0].view, operands[1].view, dims, sizes), context);
}

Result<Values> dynamic_gather(const Operation& op, const Values& operands, Context& context) {
  GARNER_TRY(check_count(op, operands.size(), 3, 3));
  GARNER_ASSIGN(const auto dims, gather_dims(op));
  return run_job(stablehlo::lower_dynamic_gather(operands[0].view, operands[1].view, operands[2].view, dims), context);
}

/// Along `dim` the elements that the index names; the first `batch_dims` axes of both go together.
stablehlo::GatherDims select_dims(Index dim, Index batch_dims, const View& operand, const View& index) {
  stablehlo::GatherDims dims;
  for (Index a = 0; a < batch_dims; ++a) dims.operand_batching_dims.push_back(a);
  dims.start_indices_batching_dims = dims.operand_batching_dims;
  dims.collapsed_slice_dims = dims.start_index_map = {dim};
  dims.index_vector_dim = index.rank();
  for (Index a = batch_dims; a < operand.rank(); ++a)
    if (a != dim) dims.offset_dims.push_back(a < dim ? a : a - 1 + index.rank() - batch_dims);
  return dims;
}

Result<Values> torch_index_select(const Operation& op, const Values& operands, Context& context) {
  GARNER_TRY(check_count(op, operands.size(), 2, 2));
  const View &operand = operands[0].view, &index = operands[1].view;
  GARNER_ASSIGN(Index dim, integer(op, {"dim"}));
  GARNER_ASSIGN(Index batch_dims, integer_or(op, {"batch_dims"}, 0));
  if (dim < 0) dim += operand.rank();
  if (batch_dims < 0) batch_dims += index.rank();
  if (batch_dims < 0 || batch_dims > std::min(dim, index.rank()) || dim >= operand.rank())
    return misfit(op, "dim is {} and batch_dims {}, allowed dim below {} and batch_dims up to dim", dim, batch_dims,
                  operand.rank());
  Axes sizes = operand.shape();
  for (Index a = 0; a < operand.rank(); ++a)
    if (a < batch_dims || a == dim) sizes[static_cast<std::size_t>(a)] = 1;
  return run_job(stablehlo::lower_gather(operand, index, select_dims(dim, batch_dims, operand, index), sizes), context);
}

// ---- slices at a place ----

Result<Values> dynamic_slice(const Operation& op, const Values& operands, Context& context) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1 << 10));
  GARNER_ASSIGN(const Axes sizes, integers(op, {"sizes", "slice_sizes"}));
  const auto starts = views_of(operands, 1, operands.size() - 1);
  return run_job(stablehlo::lower_dynamic_slice(operands[0].view, starts, sizes), context);
}

Result<Values> dynamic_update_slice(const Operation& op, const Values& operands, Context& context) {
  GARNER_TRY(check_count(op, operands.size(), 2, 1 << 10));
  const auto starts = views_of(operands, 2, operands.size() - 2);
  return run_job(stablehlo::lower_dynamic_update_slice(operands[0].view, operands[1].view, starts), context);
}

// ---- scatter ----

Result<stablehlo::ScatterDims> scatter_dims(const Operation& op) {
  GARNER_ASSIGN(const Attributes* numbers, dictionary(op, {"scatter_dimension_numbers"}));
  stablehlo::ScatterDims dims;
  GARNER_ASSIGN(dims.update_window_dims, integers_in(op, *numbers, "update_window_dims"));
  GARNER_ASSIGN(dims.inserted_window_dims, integers_in(op, *numbers, "inserted_window_dims"));
  GARNER_ASSIGN(dims.input_batching_dims, integers_in(op, *numbers, "input_batching_dims"));
  GARNER_ASSIGN(dims.scatter_indices_batching_dims, integers_in(op, *numbers, "scatter_indices_batching_dims"));
  GARNER_ASSIGN(dims.scatter_dims_to_operand_dims, integers_in(op, *numbers, "scatter_dims_to_operand_dims"));
  GARNER_ASSIGN(dims.index_vector_dim, integer_in(op, *numbers, "index_vector_dim"));
  return dims;
}

/// Every result is the update: argument n + k for input k of n.
bool replaces(const Body& body, std::size_t inputs) {
  for (std::size_t k = 0; k < inputs; ++k)
    if (body.argument_behind(k) != inputs + k) return false;
  return true;
}

/// The arguments of the function are the current values, which become the results, and the updates.
UserCombine interpreted(const Body& body, std::size_t inputs) {
  return [body, inputs](void* const* current, const void* const* update) {
    Cells cells = body.cells();
    std::vector<const void*> arguments(current, current + inputs);
    arguments.insert(arguments.end(), update, update + inputs);
    body.run(cells, arguments.data(), current);
  };
}

Result<stablehlo::Computation> computation(const Operation& op, std::size_t inputs, Context& context) {
  GARNER_ASSIGN(const Body body, Body::compile(op.regions[0], context));
  if (body.results().size() != inputs)
    return misfit(op, "its body gives {} results, allowed {}", body.results().size(), inputs);
  GARNER_TRY(check_joins(op, body, body.results()));
  if (replaces(body, inputs)) return stablehlo::Computation{.types = body.results()};
  if (const auto only = body.only())
    if (const auto combine = stablehlo::combine_of(only->info->name))
      return stablehlo::Computation{.combine = *combine, .types = body.results()};
  return stablehlo::Computation{Combine::kUser, interpreted(body, inputs), body.results()};
}

Result<Values> scatter(const Operation& op, const Values& operands, Context& context) {
  const std::size_t inputs = operands.size() / 2;
  if (operands.size() % 2 != 1 || inputs == 0 || op.regions.size() != 1)
    return misfit(op, "it has {} operands and {} regions, allowed n inputs, indices, n updates and a body",
                  operands.size(), op.regions.size());
  GARNER_ASSIGN(const auto dims, scatter_dims(op));
  GARNER_ASSIGN(const auto join, computation(op, inputs, context));
  const stablehlo::ScatterOptions options{.out_of_bounds = context.out_of_bounds};
  GARNER_ASSIGN(const auto jobs, stablehlo::lower_scatter(views_of(operands, 0, inputs), operands[inputs].view,
                                                          views_of(operands, inputs + 1, inputs), dims, join, options));
  Values out;
  for (const Job& job : jobs) {
    GARNER_ASSIGN(const auto results, run(job, context.options));
    for (const Tensor& result : results) out.push_back(value_of(result));
  }
  return out;
}

}  // namespace

GARNER_MLIR_DEFINE(gather, nullptr, &gather);
GARNER_MLIR_DEFINE(dynamic_gather, nullptr, &dynamic_gather);
GARNER_MLIR_DEFINE(torch_index_select, nullptr, &torch_index_select);
GARNER_MLIR_DEFINE(dynamic_slice, nullptr, &dynamic_slice);
GARNER_MLIR_DEFINE(dynamic_update_slice, nullptr, &dynamic_update_slice);
GARNER_MLIR_DEFINE(scatter, nullptr, &scatter);

}  // namespace garner::mlir
