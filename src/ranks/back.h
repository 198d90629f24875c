// Backwards: what each rank has for rows of others goes to the ranks that have them.
#pragma once
#include "ranks/exchange.h"

namespace garner {

/// What came back to this rank's rows: rows of its memory and one row of values each, those of rank 0 first, those of
/// one rank and one row in the order of its positions. So what meets in one row is in the order of one process that has
/// the ranks' indices one behind another.
struct Contributions {
  Axes rows;
  Tensor values;  // [rows, row shape…]
};

/// `updates`: row-major, [positions…, row shape…]. At level exact each position's row travels; at the others what meets
/// in one row is added on each rank first, where it is of a float dtype. The same rules, V6 and RK6, on all ranks.
Result<Contributions> send_back(const Shard& shard, const RowExchange::State& plan, const View& updates,
                                const Axes& row_shape, const RunOptions& run);

}  // namespace garner
