// lax.gather and lax.scatter*: StableHLO's addressing with JAX's words, modes and error classes.
#pragma once
#include "dialect/jax/mode.h"
#include "dialect/stablehlo/addressing.h"

namespace garner::jax {

/// The index vector is always the last axis. Rules JX5 (ValueError), JX6 (TypeError).
Status check_indices(const char* op, const char* called, const View& indices);

/// The lists of a GatherDimensionNumbers or ScatterDimensionNumbers in the order JAX declares them; both are tuples.
/// The last two may be left out. Rule JX29.
Result<std::vector<Axes>> read_dimension_numbers(Arguments& a);

/// Bounds on each start that keep a window of `sizes` inside the operand.
std::vector<Bounds> fitting(const stablehlo::Words& words, const Axes& map, const Axes& operand, const Axes& sizes,
                            OutOfRange outside);

}  // namespace garner::jax
