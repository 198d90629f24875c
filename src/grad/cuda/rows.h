// Rows of a table that a batch read, and a step of an optimiser on them, on a device. On the thread's default stream.
#pragma once
#include "grad/row_update.h"

namespace garner::on_device {

/// Every row once, rising, and which positions read it: those of rows[r] are positions[begins[r]], …, in the order they
/// came.
struct ReadRows {
  Tensor rows, positions, begins;  // i64; the last two may be longer than is used
  Index bad = -1;  // the first position whose index is no row, and then nothing else
};
/// indices: i64, row-major. `padding` counts as no row and as no error. Waits, because the number of rows must be
/// known.
Result<ReadRows> read_rows(const Tensor& indices, Index table_rows, std::optional<Index> padding);

/// values[r] = the sum of `of` over the positions of row r, in their order, rounded once. `of`: one row a position.
Status sum_rows(const ReadRows& read, const void* of, const Tensor& values);

/// grad/row_update.h, on memory of a device. `rows` of the pieces lie there, too.
Status update(const StepRule& rule, const Pieces& pieces, const UpdateMemory& memory, int device);

}  // namespace garner::on_device
