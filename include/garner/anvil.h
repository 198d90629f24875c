// anvil (R): StableHLO's gather and scatter counted from 1, and R's subsetting. Rules AN1–AN19, AS1–AS11:
// docs/dialects/anvil.md.
#pragma once
#include "garner/stablehlo.h"

namespace garner::anvil {

using stablehlo::Computation;
using stablehlo::OutOfBounds;

/// The static parameters of nvl_gather. Dimensions count from 1.
struct GatherParams {
  Axes slice_sizes = {}, offset_dims = {}, collapsed_slice_dims = {}, operand_batching_dims = {},
       start_indices_batching_dims = {}, start_index_map = {};
  Index index_vector_dim = 1;
  bool indices_are_sorted = false;  // both are promises that never change the result
  bool unique_indices = false;
};

/// A slice from every start; starts count from 1 and are clamped so that the slice fits.
///   nvl_gather(nv_matrix({1, 2, 3, 4, 5, 6, 7, 8, 9}, 3), tensor({{1}, {3}}), {.slice_sizes = {1, 3}, .offset_dims =
///   {2},
///              .collapsed_slice_dims = {1}, .start_index_map = {1}, .index_vector_dim = 2})  ->  [[1 4 7] [3 6 9]]
/// Throws TypeError (AN3), ArgumentError (AN4–AN10, gather_C21).
Tensor nvl_gather(const View& operand, const View& start_indices, const GatherParams& params,
                  const RunOptions& options = {});
Result<Job> lower_nvl_gather(const View& operand, const View& start_indices, const GatherParams& params);

/// The static parameters of nvl_scatter. Dimensions count from 1.
struct ScatterParams {
  Axes update_window_dims = {}, inserted_window_dims = {}, input_batching_dims = {}, scatter_indices_batching_dims = {},
       scatter_dims_to_operand_dims = {};
  Index index_vector_dim = 1;
  bool indices_are_sorted = false;  // both are promises that never change the result
  bool unique_indices = false;
  OutOfBounds out_of_bounds = OutOfBounds::kSkipElement;
};

/// A copy of input, updated at the places scatter_indices names, counted from 1; updates outside are dropped.
/// No computation means replace. Rules scatter_C1–C25, with dimensions counted from 1.
Tensor nvl_scatter(const View& input, const View& scatter_indices, const View& update, const ScatterParams& params,
                   const Computation& update_computation = {}, const RunOptions& options = {});
Result<Job> lower_nvl_scatter(const View& input, const View& scatter_indices, const View& update,
                              const ScatterParams& params, const Computation& update_computation = {});

// ---- subsetting: what stands between the brackets of x[…], one per dimension ----

struct Full {};                        // x[, …]: the whole dimension
struct Range {
  Index first, last;
};   // x[a:b, …]: both ends included
struct Each {
  Axes positions;
};       // x[array(c(…)), …]: these, known when the call is written
/// An Index is one position, and the dimension goes. A View is an integer tensor: of rank 0 one position, and the
/// dimension goes; of rank 1 these positions. Several lists select their Cartesian product.
using SubsetSpec = std::variant<Full, Range, Index, Each, View>;

/// Dimensions without a spec are full. Positions in tensors are clamped to the dimension.
///   nv_subset(nv_matrix({1, 2, 3, 4, 5, 6}, 2), {Full{}, Range{2, 3}})  ->  [[3 5] [4 6]]
/// Throws AS1–AS7, AS11.
Tensor nv_subset(const View& operand, const std::vector<SubsetSpec>& specs, const RunOptions& options = {});
Result<Job> lower_nv_subset(const View& operand, const std::vector<SubsetSpec>& specs);

/// A copy of operand with that subset replaced by value: of the subset's shape, or of rank 0 for the same everywhere.
/// Writes at positions in tensors that are outside are dropped. Throws AS1–AS6, AS8, AS9, AS11.
Tensor nv_subset_assign(const View& operand, const std::vector<SubsetSpec>& specs, const View& value,
                        const RunOptions& options = {});
Result<Job> lower_nv_subset_assign(const View& operand, const std::vector<SubsetSpec>& specs, const View& value);

/// nv_subset along one dimension, counted from 1 (AS10).
Tensor nv_select(const View& operand, Index dim, const SubsetSpec& index, const RunOptions& options = {});
Result<Job> lower_nv_select(const View& operand, Index dim, const SubsetSpec& index);

// ---- the surface around them ----

/// R's array(values, dim): the first dimension varies fastest in `values`. Rule AN16 when the count differs.
Tensor nv_array(const View& values, const Axes& dim, const RunOptions& options = {});
Result<Job> lower_nv_array(const View& values, const Axes& dim);
/// R's matrix(values, nrow).
Tensor nv_matrix(const View& values, Index nrow, const RunOptions& options = {});
Result<Job> lower_nv_matrix(const View& values, Index nrow);
template <class T>
Tensor nv_matrix(std::initializer_list<T> values, Index nrow) {
  return nv_matrix(tensor(values), nrow);
}

/// "AnvilTensor\n 1 4 7\n 3 6 9\n[ CPUi32{2,3} ] ".
std::string to_string(const View& view);

/// Runs a block and gives its value. There is no tracing: calls run as they are met.
template <class F>
auto jit_eval(F&& block) {
  return std::forward<F>(block)();
}

}  // namespace garner::anvil
