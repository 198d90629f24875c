// lucid 2.12: gather along one axis, PyTorch style. Rules LU1–LU20: docs/dialects/lucid.md.
#pragma once
#include "garner/run.h"

namespace garner::lucid {

/// result[d] = input_[d with d[dim] replaced by index[d]]; the result has index's shape and input_'s dtype.
///   lucid::gather(tensor({{10, 20, 30}, {40, 50, 60}}), 1, tensor({{2, 1}, {0, 2}}))  ->  [[30 20] [40 60]]
/// Throws ArgumentError (LU3 dim, LU4 rank, LU5 extent), TypeError (LU7 dtype), IndexError (LU6 value).
Tensor gather(const View& input_, Index dim, const View& index, const RunOptions& options = {});
Result<Job> lower_gather(const View& input_, Index dim, const View& index);

/// LU20: what lucid's operation counter adds for one gather: one per element of index.
inline Index gather_flops(const View& index) { return index.elements(); }

}  // namespace garner::lucid
