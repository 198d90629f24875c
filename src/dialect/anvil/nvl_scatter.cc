// anvil.nvl_scatter: stablehlo.scatter on one operand, with dimensions and positions counted from 1
#include "base/fail.h"
#include "dialect/anvil/one_based.h"
#include "dialect/op.h"
#include "dialect/stablehlo/addressing.h"
#include "garner/anvil.h"
#include "garner/error.h"

namespace garner::anvil {
namespace {

stablehlo::Words words() {
  stablehlo::Words out = stablehlo::scatter_words("anvil.nvl_scatter");
  out.base = 1;
  out.operand = "input";
  return out;
}

stablehlo::Addressing addressing(const ScatterParams& p) {
  return {from_one(p.update_window_dims),           from_one(p.inserted_window_dims),
          from_one(p.input_batching_dims),          from_one(p.scatter_indices_batching_dims),
          from_one(p.scatter_dims_to_operand_dims), from_one(p.index_vector_dim)};
}

ScatterParams read_params(Arguments& a) {
  return {a.integers("update_window_dims"),
          a.integers("inserted_window_dims"),
          a.integers("input_batching_dims"),
          a.integers("scatter_indices_batching_dims"),
          a.integers("scatter_dims_to_operand_dims"),
          a.integer("index_vector_dim"),
          a.flag("indices_are_sorted"),
          a.flag("unique_indices")};
}

}  // namespace

Result<Job> lower_nvl_scatter(const View& input, const View& scatter_indices, const View& update,
                              const ScatterParams& params, const Computation& update_computation) {
  const std::vector<View> inputs{input}, updates{update};
  GARNER_ASSIGN(auto jobs, stablehlo::scatter_jobs(words(), addressing(params), {inputs, scatter_indices, updates},
                                                   update_computation, params.out_of_bounds));
  return std::move(jobs[0]);
}

Tensor nvl_scatter(const View& input, const View& scatter_indices, const View& update, const ScatterParams& params,
                   const Computation& update_computation, const RunOptions& options) {
  return value_or_throw(
      run_one(lower_nvl_scatter(input, scatter_indices, update, params, update_computation), options));
}

extern const Op op_nvl_scatter;
const Op op_nvl_scatter{"nvl_scatter",
                        "(input, scatter_indices, update, update_window_dims, inserted_window_dims, "
                        "input_batching_dims, scatter_indices_batching_dims, scatter_dims_to_operand_dims, "
                        "index_vector_dim, indices_are_sorted=false, unique_indices=false, update_computation=replace, "
                        "out_of_bounds=element)",
                        [](Arguments& a) -> Result<Jobs> {
  const View input = a.tensor("input"), indices = a.tensor("scatter_indices"), update = a.tensor("update");
  ScatterParams params = read_params(a);
  const std::string combine = a.word("update_computation"), out_of_bounds = a.word("out_of_bounds");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const Computation computation, stablehlo::computation_named(a.op(), combine));
  GARNER_ASSIGN(params.out_of_bounds, stablehlo::out_of_bounds_named(a.op(), out_of_bounds));
  return one(lower_nvl_scatter(input, indices, update, params, computation));
}};

}  // namespace garner::anvil
