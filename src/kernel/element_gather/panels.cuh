// Gathers along an outer axis: every element of a row looks up its own row of the operand (torch.gather along axis 0).
#pragma once
#include "kernel/common/plain_index.cuh"

namespace garner {

/// `outers` times a matrix, of which indices and results lie side by side along the last axis.
template <class U, class I>
struct Panels {
  PlainIndex plain;
  const U* from;  // row `lo`
  const I* index;
  U* to;
  Index from_row, from_outer, index_row, index_outer, to_row, to_outer, number_row, number_column, number_outer;
  Index lines, inner, rows;  // of results; columns; rows of the operand
};

}  // namespace garner
