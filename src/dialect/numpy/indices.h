// What the operations on index arrays share: modes, axes, checks of dtype and value, positions in a flattened array.
#pragma once
#include "dialect/op.h"
#include "garner/numpy.h"
#include "run/job_builder.h"

namespace garner::numpy {

/// raise, wrap, clip. Rule NP1.
Result<Mode> mode_argument(Arguments& a);

Bounds bounds_of(Mode mode, Index extent);

/// A negative axis counts from the end. Rule NP2.
Result<Index> effective_axis(const char* op, Index axis, Index rank);

/// Rule NP4. A bool counts as 0 or 1; `kept` owns the integers then. u64 is refused where NumPy wants a safe cast.
enum class IndexCast { kSameKind, kSafe };
Result<View> integer_indices(const char* op, const View& indices, IndexCast cast, std::vector<Tensor>& kept);

/// The engine looks at no index when nothing is read or written; NumPy still does. Rule NP3, in the engine's words.
struct AxisOf {
  const char* op;
  const Axes& shape;
  Index axis;
};
Status check_values(const AxisOf& on, const View& index);

/// The same memory as one axis, where the strides allow it.
std::optional<View> flattened(const View& view);

/// Positions counted through all axes of an array.
struct FlatIndices {
  const char* op;
  View indices;
  Mode mode;
};

/// Rule NP6: an empty array has no place that a mode could lead to.
Status check_not_empty(const FlatIndices& flat, const View& array);

/// Addresses operand (of any rank) by flat positions that lie along the whole domain: directly when it has one axis,
/// by their coordinates, which the job then keeps, when it has more. Rules NP3, NP6.
Status address_flat(JobBuilder& job, const View& operand, const FlatIndices& flat, std::vector<Tensor>& kept);

/// The view, or a copy of it when it may share memory with the target, as NumPy makes before it writes.
Result<View> apart_from(const View& target, const View& view, std::vector<Tensor>& kept);

/// Runs a scatter on the target's memory; throws.
void update(const MutableView& target, const Result<Job>& job, const RunOptions& run);

/// The value in the target's dtype, stretched to `shape`. Rule NP13.
struct Assigned {
  const char* op;
  const View& value;
  DType dtype;
  const Axes& shape;
};
/// NumPy's assignment takes a value with more axes than the place has, if the first ones have extent 1.
View without_leading_ones(const View& value, Index rank);
Result<View> updates_for(const Assigned& assigned, std::vector<Tensor>& kept);

/// "[2] [3,1]", for messages.
std::string shapes_text(std::span<const Axes> shapes);

/// With the tensors the lowering made.
Job finish(JobBuilder job, std::vector<Tensor> kept);

}  // namespace garner::numpy
