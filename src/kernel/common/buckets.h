// Row updates in an order that is kind to the caches: by part of the destination, and within one in index order, so
// that no sum changes. Each part is then read and written once, however often its rows are updated.
#pragma once
#include "garner/tensor.h"
#include "kernel/kernel.h"

namespace garner {

/// Element offsets of each update's target row and of the update itself: i64, memory of the pool.
struct RowUpdates {
  Tensor target, source;
  Index size = 0;
};

/// All updates that are not skipped; nothing when it would not pay (the destination stays in the caches, or its rows
/// are updated hardly more than once), or when there is no memory for it.
std::optional<RowUpdates> in_buckets(const Launch& launch);

}  // namespace garner
