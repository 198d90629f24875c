// Rows that stay on disk.
#pragma once
#include "table/backend.h"
#include "table/row_file.h"

namespace garner {

/// Where the rows of a table lie in a file, row-major and without gaps.
struct RowsInFile {
  std::shared_ptr<RowFile> file;
  DType dtype = DType::kF32;
  Axes shape;
  Index offset = 0;  // of the first row
};

/// Rules TB8 no such reader, V6.
Result<std::shared_ptr<TableBackend>> disk_table(RowsInFile rows, const TableOptions& options);

}  // namespace garner
