// Rows that all lie in memory: read once, or the file's own pages, or the caller's.
#pragma once
#include "table/disk.h"

namespace garner {

/// Rules V6, TB6, TB7.
Result<std::shared_ptr<TableBackend>> memory_table(const RowsInFile& rows, const RunOptions& run = {});

/// Rules F1, V6.
Result<std::shared_ptr<TableBackend>> mapped_table(const RowsInFile& rows);

/// Over row-major memory that `keeper` keeps.
std::shared_ptr<TableBackend> resident_table(const View& rows, Place place, std::shared_ptr<void> keeper);

/// What this process may still take: the system's free memory, and the limits set on the process and its group.
Index free_memory();

}  // namespace garner
