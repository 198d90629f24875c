// Index tensors that were looked at once: what is proved of their values holds for every later call.
//   const AnalysedIndices rows = value_or_throw(analyse(ids, table.extent(0)));
//   torch::index_select(table, 0, rows.view());        // no bounds check: the proof is there
//   torch::index_add(grad, 0, rows.view(), updates);   // nor here, nor for another table of that extent
#pragma once
#include <memory>

#include "garner/run.h"

namespace garner {

struct IndexFacts {
  Index count = 0;
  Index extent = 0;          // what it was analysed for
  Index min = 0, max = -1;   // of all values; 0 and -1 when there are none
  bool in_range = true;      // all in [0, extent)
  bool sorted = true;        // none is smaller than the one before
  bool unique = true;        // no two are the same
};

/// A copy of an index tensor that nobody can write to, with what is known of it. Cheap to copy; the facts live as long
/// as any copy. Calls recognise its memory: an index whose range is proved is not checked again, and one that is not
/// is checked as ever. Safe on several threads.
class AnalysedIndices {
 public:
  const View& view() const;
  const IndexFacts& facts() const;
  /// Positions in order of their values, equal values in order of position: i64 [count]. Made when first asked for.
  Result<Tensor> permutation() const;
  /// Where each run of equal values begins in the permutation, and `count` at the end: i64 [values + 1].
  Result<Tensor> segments() const;

  struct Held;

 private:
  friend Result<AnalysedIndices> analyse(const View& indices, Index extent, const RunOptions& options);
  explicit AnalysedIndices(std::shared_ptr<Held> held) : held_(std::move(held)) {}
  std::shared_ptr<Held> held_;
};

/// One pass over the values, and a sort for `unique` where they are not sorted. Values out of range are no error: the
/// facts say so. Rules V1–V8 for the view, P6 for its dtype, IX6 for a negative extent.
Result<AnalysedIndices> analyse(const View& indices, Index extent, const RunOptions& options = {});

}  // namespace garner
