// The first element equal to a value of the same dtype. NaN equals nothing; -0 equals 0.
#pragma once
#include "index/memory.h"

namespace garner::index {

/// Over all elements in row-major order; nothing when it is not there. `value` is of rank 0.
std::optional<Index> flat_find(const View& value, const Packed& packed, const RunOptions& run);

/// One position per lane along the axis; `nothing` where it is not there.
struct FindQuery {
  View value;
  Index nothing = -1;
};
void axis_find(const FindQuery& query, const Packed& packed, Index axis, const RunOptions& run, Index* out);

}  // namespace garner::index
