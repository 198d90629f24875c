// A gather in blocks of its result, so that one can watch it and what it looks at need not all be resident.
#pragma once
#include <functional>

#include "garner/run.h"

namespace garner::cli {

struct BlockHooks {
  std::function<void()> forget;               // files read and written need not stay resident
  std::function<void(double bytes)> advance;  // so many bytes of the result are there
};

/// run_into() for any job with one result. Of mapped files some 200 MiB are resident at a time when it is a gather; a
/// scatter runs as a whole. Errors are those of run_into(): when a block fails, the whole is run for its words.
Status run_in_blocks(const Job& job, const MutableView& out, const RunOptions& options, const BlockHooks& hooks);

/// Positions [begin, end) of a gather's domain axis, as a job of its own.
Job part_of(const Job& job, std::size_t axis, Index begin, Index end);

}  // namespace garner::cli
