// What every operation here shares: modes, the value a filled read gives, and how a scatter joins.
#pragma once
#include "dialect/op.h"
#include "garner/jax.h"
#include "run/job_builder.h"

namespace garner::jax {

/// What an index outside means to a read and to a write. The default of both is what XLA does when JAX promises
/// nothing: only a promise that is spelled out goes unchecked.
OutOfRange reading(Mode mode);
OutOfRange writing(Mode mode);

/// The argument `mode`: None, fill, drop, clip, promise_in_bounds. Rule JX1.
Result<Mode> read_mode(Arguments& a);
/// The argument `fill_value`, if given.
std::optional<Tensor> read_fill(Arguments& a);

/// The job, with a fill tensor where it fills: `given` in the operand's dtype, or JAX's default. Rules JX2, JX3.
Result<Job> with_fill(Job job, OutOfRange outside, const std::optional<Tensor>& given);

/// How a scatter joins what is there with an update; complex numbers are ordered by their parts, which is a user's
/// function to the engine. Rule JX4.
struct Join {
  Combine combine;
  UserCombine user;
};
Result<Join> join_of(const char* op, Combine combine, DType dtype);

/// A scatter that writes nothing: what every scatter onto an empty operand is. Where no position is inside, a plan
/// cannot name one.
Job untouched(const char* op, const View& operand);

/// A position in [0, extent), or, when negatives wrap, in [-extent, extent).
Bounds within(Index extent, bool wraps, OutOfRange outside);

/// Rule JX33.
Result<Index> effective_axis(const char* op, Index axis, Index rank);

/// All elements along one axis: the same memory when it is row-major, otherwise a copy that `kept` owns.
struct Flat {
  View view;
  std::vector<Tensor> kept;
};
Result<Flat> flattened(const View& view);

/// The job, which then also keeps this memory.
Result<Job> keeping(Result<Job> job, const std::vector<Tensor>& kept);

/// JAX says TypeError where others say ValueError.
Status as_type_error(Status status);

}  // namespace garner::jax
