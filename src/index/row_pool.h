// The loop of embedding_bag: rows of a table, combined bag by bag. Compiled once per SIMD target and picked at run
// time.
#pragma once
#include <optional>
#include <span>

#include "garner/index.h"

namespace garner::index {

/// Bag b holds the rows indices[begins[b]] … indices[begins[b + 1] - 1], all of them in the table. They are combined in
/// this order, in the type arithmetic is done in, and rounded once.
struct RowPool {
  DType dtype;  // a float
  const void* table;
  Index columns;
  std::span<const Index> indices, begins;
  const void* weights;  // one per index, of the same dtype; null: all 1
  std::optional<Index> padding;  // a row that is left out
  BagMode mode;
};

/// One row of `out` for each bag of [first, last); zeros for one without rows.
void pool_rows(const RowPool& pool, Index first, Index last, void* out);

}  // namespace garner::index
