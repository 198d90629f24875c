// anvil.nvl_gather: stablehlo.gather with dimensions and positions counted from 1
#include "base/fail.h"
#include "dialect/anvil/one_based.h"
#include "dialect/op.h"
#include "dialect/stablehlo/addressing.h"
#include "garner/anvil.h"
#include "garner/error.h"

namespace garner::anvil {
namespace {

stablehlo::GatherWords words() {
  return {{.op = "anvil.nvl_gather",
           .base = 1,
           .operand = "operand",
           .indices = "start_indices",
           .window = {"offset_dims", "AN5", "AN5", "AN5"},
           .removed = {"collapsed_slice_dims", "AN6", "AN6", "AN6"},
           .operand_batching = {"operand_batching_dims", "AN7", "AN7", "AN7"},
           .indices_batching = {"start_indices_batching_dims", nullptr, "AN7", "AN7"},
           .map = {"start_index_map", nullptr, "AN9", "AN9"},
           .rank = "AN8",
           .vector_range = "AN10",
           .map_length = "AN9",
           .vector_not_batching = "AN7",
           .batching_lengths = "AN7",
           .paired_extents = "AN7",
           .integer = "AN3"},
          "AN4",
          "AN6",
          "AN7",
          "gather_C21",
          1};
}

stablehlo::Addressing addressing(const GatherParams& p) {
  return {from_one(p.offset_dims),           from_one(p.collapsed_slice_dims),
          from_one(p.operand_batching_dims), from_one(p.start_indices_batching_dims),
          from_one(p.start_index_map),       from_one(p.index_vector_dim)};
}

}  // namespace

Result<Job> lower_nvl_gather(const View& operand, const View& start_indices, const GatherParams& params) {
  return stablehlo::gather_job(words(), addressing(params), operand, start_indices, params.slice_sizes);
}

Tensor nvl_gather(const View& operand, const View& start_indices, const GatherParams& params,
                  const RunOptions& options) {
  return value_or_throw(run_one(lower_nvl_gather(operand, start_indices, params), options));
}

extern const Op op_nvl_gather;
const Op op_nvl_gather{"nvl_gather",
                       "(operand, start_indices, slice_sizes, offset_dims, collapsed_slice_dims, "
                       "operand_batching_dims, start_indices_batching_dims, start_index_map, index_vector_dim, "
                       "indices_are_sorted=false, unique_indices=false)",
                       [](Arguments& a) -> Result<Jobs> {
  const View operand = a.tensor("operand"), start_indices = a.tensor("start_indices");
  const GatherParams params{a.integers("slice_sizes"),
                            a.integers("offset_dims"),
                            a.integers("collapsed_slice_dims"),
                            a.integers("operand_batching_dims"),
                            a.integers("start_indices_batching_dims"),
                            a.integers("start_index_map"),
                            a.integer("index_vector_dim"),
                            a.flag("indices_are_sorted"),
                            a.flag("unique_indices")};
  GARNER_TRY(a.status());
  return one(lower_nvl_gather(operand, start_indices, params));
}};

}  // namespace garner::anvil
