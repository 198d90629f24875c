// What the Gather and the Scatter layer have in common: checks on types that may have dynamic extents, and the two ways
// of addressing data that both offer.
#pragma once
#include <span>

#include "dialect/op.h"
#include "garner/tensorrt.h"
#include "run/job_builder.h"

namespace garner::tensorrt {

/// The layers share checks but not the numbers of their rules.
struct Rules {
  const char *op, *dtype, *rank, *axis, *element, *dynamic, *tuple;
};

TensorType type_of(const View& view);
Index rank_of(const TensorType& type);
Index extent_of(const TensorType& type, Index axis);
/// Axes [first, last) of a shape.
Axes part(const Axes& shape, Index first, Index last);

/// False only when the extents differ for sure: a dynamic one may become anything.
bool may_equal(Index a, Index b);
bool may_equal(const Axes& a, const Axes& b);

struct Typed {
  const char* name;  // "data"
  DType dtype;
};
Status check_dtype(const Rules& rules, const Typed& tensor, std::span<const DType> allowed);
Status check_index_dtype(const Rules& rules, const TensorType& indices);
/// Rank at least `least_rank`, no extent below dynamic.
Status check_shape(const Rules& rules, const char* name, const Axes& shape, Index least_rank);
Status check_axis(const Rules& rules, Index axis, Index rank);
/// Same rank; off the axis, indices do not reach past data.
Status check_element(const Rules& rules, const TensorType& data, const TensorType& indices, Index axis);
/// k, which is known when the network is built and at most `most`.
Result<Index> tuple_length(const Rules& rules, const TensorType& indices, Index most);

/// An index wraps once; what `outside` says is what happens to the rest.
Bounds bounds(Index extent, OutOfRange outside);

/// data[j with j[axis] replaced by indices[j]].
void address_elements(JobBuilder& job, const View& data, const View& indices, Index axis, OutOfRange outside);
/// data[first `elementwise` of i, indices[i…, :], rest].
void address_tuples(JobBuilder& job, const View& data, const View& indices, Index elementwise, OutOfRange outside);

}  // namespace garner::tensorrt
