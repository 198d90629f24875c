// Which blocks of a file hold the rows that are wanted.
#pragma once
#include <vector>

#include "table/block_reader.h"

namespace garner {

/// Where rows lie in a file.
struct RowPlaces {
  Index offset = 0, row_bytes = 0;
  Index begin(Index row) const { return offset + row * row_bytes; }
  Index end(Index row) const { return begin(row) + row_bytes; }
};

/// One read of whole blocks, and the wanted rows that lie in it, whole or in part: numbers [first, last).
struct RowsRead {
  BlockRead blocks;
  std::size_t first, last;
};

/// Reads for rows that rise, none of a block twice: neighbouring blocks become one read of up to `longest` bytes, and a
/// row that does not fit one goes on in the next.
std::vector<RowsRead> plan_reads(const std::vector<Index>& rows, const RowPlaces& places, Index longest);

}  // namespace garner
