// Functions of garner/index.h with a say in where their results go: what f(…) and f_into(…, out) have in common, and
// what the dialects call.
#pragma once
#include "base/fail.h"
#include "garner/index.h"
#include "index/memory.h"

namespace garner::index {

Status argmax(const View& input, const ArgOptions& options, const RunOptions& run, Output& out);
Status argmin(const View& input, const ArgOptions& options, const RunOptions& run, Output& out);
/// Without a capacity, the result has as many positions as there are. Returns that number.
Result<Index> nonzero(const View& input, const NonzeroOptions& options, const RunOptions& run, Output& out);
Status count_nonzero(const View& input, const CountOptions& options, const RunOptions& run, Output& out);
Status searchsorted(const View& sequence, const View& values, Side side, const RunOptions& run, Output& out);
Status embedding_bag(const View& table, const View& indices, const BagOptions& options, const RunOptions& run,
                     Output& out);

struct TopKOutputs {
  Output &values, &indices;
};
Status top_k(const View& input, Index k, const TopKOptions& options, const RunOptions& run, const TopKOutputs& out);

struct UniqueOutputs {
  Output &values, &index, &inverse, &counts;
};
/// Returns how many there are.
Result<Index> unique(const View& input, const RunOptions& run, const UniqueOutputs& out);

/// The results of compute(outputs), which opens and fills them.
template <class Compute>
Result<TopK> fresh_top_k(Compute&& compute) {
  Output values, indices;
  GARNER_TRY(compute(TopKOutputs{values, indices}));
  return TopK{values.take(), indices.take()};
}
template <class Compute>
Result<Unique> fresh_unique(Compute&& compute) {
  Output values, index, inverse, counts;
  GARNER_TRY(compute(UniqueOutputs{values, index, inverse, counts}));
  return Unique{values.take(), index.take(), inverse.take(), counts.take()};
}

}  // namespace garner::index
