// From indices of any dtype, strides and policy to row numbers.
#pragma once
#include "table/backend.h"

namespace garner {

/// A gather of these rows as a job: its shapes, its policy and its words. The operand is there where the rows are in
/// memory. Rules TB2, TB3, P7, V1–V9.
Result<Job> lower_lookup(const TableBackend& table, const View& indices, const LookupOptions& lookup);

/// The row of each index, row-major; kNoRow where the policy fills. Rule TB1.
Result<Axes> resolve_rows(const Job& job, const RunOptions& run);

}  // namespace garner
