// The plan behind the segment functions, for those who run it their own way.
#pragma once
#include "garner/index.h"

namespace garner::index {

/// Rows combined onto the value that changes nothing; the mean is the sum, not yet divided. Rules as segment().
Result<Job> lower_segment(SegmentOp op, const View& data, const View& ids, Index segments, OutOfRange policy);

}  // namespace garner::index
