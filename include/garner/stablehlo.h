// StableHLO: gather, scatter and their neighbours. Rules gather_C1–C23, scatter_C1–C25: docs/dialects/stablehlo.md.
#pragma once
#include <tuple>

#include "garner/run.h"

namespace garner::stablehlo {

/// gather's dimension numbers, 0-based.
struct GatherDims {
  Axes offset_dims = {}, collapsed_slice_dims = {}, operand_batching_dims = {}, start_indices_batching_dims = {},
       start_index_map = {};
  Index index_vector_dim = 0;
};

/// scatter's dimension numbers, 0-based.
struct ScatterDims {
  Axes update_window_dims = {}, inserted_window_dims = {}, input_batching_dims = {}, scatter_indices_batching_dims = {},
       scatter_dims_to_operand_dims = {};
  Index index_vector_dim = 0;
};

/// What a scatter does where a window hangs over the edge: StableHLO leaves out the elements outside, XLA the window.
enum class OutOfBounds { kSkipElement, kSkipWindow };

/// How a scatter joins what is there with an update: one of the built-in ways on every operand by itself, or (kUser)
/// one function on all operands together. `types` is what the function computes in, one per operand; empty: the
/// inputs'.
struct Computation {
  Combine combine = Combine::kAssign;
  UserCombine user = {};
  std::vector<DType> types = {};
};

namespace detail {
template <class F, class... T, std::size_t... I>
void update_tuple(const F& f, void* const* current, const void* const* update, std::index_sequence<I...>) {
  const std::tuple<T...> now{*static_cast<const T*>(current[I])...}, next{*static_cast<const T*>(update[I])...};
  const std::tuple<T...> out = f(now, next);
  ((*static_cast<T*>(current[I]) = std::get<I>(out)), ...);
}
}  // namespace detail

/// A Computation from a function on numbers:
///   computation<float>([](float old, float next) { return old - next; })
/// or, over N operands, on tuples of them: computation<float, int>([](auto old, auto next) { … return …; }).
template <class... T, class F>
Computation computation(F f) {
  auto user = [f](void* const* current, const void* const* update) {
    if constexpr (sizeof...(T) == 1)
      ((*static_cast<T*>(current[0]) = f(*static_cast<const T*>(current[0]), *static_cast<const T*>(update[0]))), ...);
    else detail::update_tuple<F, T...>(f, current, update, std::index_sequence_for<T...>{});
  };
  return {Combine::kUser, user, {dtype_of<T>...}};
}

/// Flags are promises that never change the result.
struct ScatterOptions {
  bool indices_are_sorted = false;
  bool unique_indices = false;
  OutOfBounds out_of_bounds = OutOfBounds::kSkipElement;
  RunOptions run = {};
};

/// A slice of slice_sizes from every start; starts are clamped so that the slice fits.
/// Throws ArgumentError (gather_C1–C21), TypeError (gather_I2: start_indices is not of an integer dtype).
Tensor gather(const View& operand, const View& start_indices, const GatherDims& dims, const Axes& slice_sizes,
              bool indices_are_sorted = false, const RunOptions& options = {});
Result<Job> lower_gather(const View& operand, const View& start_indices, const GatherDims& dims,
                         const Axes& slice_sizes, bool indices_are_sorted = false);
/// gather_C22.
Result<Axes> infer_gather_shape(const Axes& operand, const Axes& start_indices, const GatherDims& dims,
                                const Axes& slice_sizes);

/// gather with its slice sizes in a 1-D integer tensor (TypeError dynamic_gather_I3 otherwise).
Tensor dynamic_gather(const View& operand, const View& start_indices, const View& slice_sizes, const GatherDims& dims,
                      bool indices_are_sorted = false, const RunOptions& options = {});
Result<Job> lower_dynamic_gather(const View& operand, const View& start_indices, const View& slice_sizes,
                                 const GatherDims& dims, bool indices_are_sorted = false);

/// Copies of the inputs, each updated at the places scatter_indices names; updates outside are skipped.
/// Updates of one place are joined in row-major order of `updates`.
/// Throws ArgumentError and TypeError (scatter_C1–C25, scatter_I2).
std::vector<Tensor> scatter(const std::vector<View>& inputs, const View& scatter_indices,
                            const std::vector<View>& updates, const ScatterDims& dims,
                            const Computation& update_computation = {}, const ScatterOptions& options = {});
/// One job per input, or one job for all when the computation is a user's function.
Result<std::vector<Job>> lower_scatter(const std::vector<View>& inputs, const View& scatter_indices,
                                       const std::vector<View>& updates, const ScatterDims& dims,
                                       const Computation& update_computation = {}, const ScatterOptions& options = {});

/// operand[start, start + slice_sizes), starts (rank 0, one per dimension) clamped so that it fits: dynamic_slice_1–5.
Tensor dynamic_slice(const View& operand, const std::vector<View>& start_indices, const Axes& slice_sizes,
                     const RunOptions& options = {});
Result<Job> lower_dynamic_slice(const View& operand, const std::vector<View>& start_indices, const Axes& slice_sizes);

/// A copy of operand with update at start, clamped so that it fits: dynamic_update_slice_1–6.
Tensor dynamic_update_slice(const View& operand, const View& update, const std::vector<View>& start_indices,
                            const RunOptions& options = {});
Result<Job> lower_dynamic_update_slice(const View& operand, const View& update, const std::vector<View>& start_indices);

}  // namespace garner::stablehlo
