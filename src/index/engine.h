// Running a plan into an Output, and index tensors as plain numbers.
#pragma once
#include "garner/run.h"
#include "index/memory.h"

namespace garner::index {

/// Runs the job into an output of `shape`, which has as many elements as the job's result.
Status deliver(const Result<Job>& job, const Axes& shape, const RunOptions& run, Output& out);

/// All values, row-major, of any integer dtype (IX3). A u64 above the largest Index becomes that.
Result<Axes> integers_of(const View& view, const char* op, const char* what, const RunOptions& run);

Status check_integer(const View& view, const char* op, const char* what);

/// The packed elements as one axis.
View flat(const Packed& packed);

}  // namespace garner::index
