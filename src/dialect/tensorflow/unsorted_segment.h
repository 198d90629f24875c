// Segments, shared by the reductions that are one plan and the mean, which is two and a division.
#pragma once
#include "dialect/tensorflow/common.h"

namespace garner::tensorflow {

struct Segments {
  const char* op;
  const View &data, &ids;
  Index count;
};

inline constexpr const char* kSegmentSignature = "(data, segment_ids, num_segments, name=None)";

Result<Job> lower_segments(const Segments& segments, Combine combine);

}  // namespace garner::tensorflow
