// Many searches in one sorted sequence. A table made once per call says where a value's neighbourhood is, so that a
// search in a small sequence is a few vector steps and one in a large sequence reads one line of it, mostly.
#pragma once
#include "garner/index.h"
#include "index/order.h"

namespace garner::index {

struct SearchQuery {
  const void* sequence;
  Index count;
  const void* values;
  Index* out;
  bool stream;  // out is large: past the caches
};

/// Three levels. A slot is a stretch of values, all of one length; it says which tops lie in it. A top is the key of
/// the last element of a piece of the sequence. A piece holds `piece` elements; in a small sequence, one.
struct SearchTable {
  Index piece = 1;
  std::vector<std::uint64_t> tops;  // keys of 4 or 8 bytes, and largest keys behind them for the last steps
  Index top_count = 0;
  std::vector<std::int32_t> first;  // of each slot, the first top in it
  float lowest = 0, scale = 0;      // slot = (value - lowest) * scale
  int steps = 0;                    // of a binary search through the tops of the fullest slot
};

/// Is there one for the dtype (numbers of 4 and 8 bytes), and does it pay to make it?
bool worth_a_table(DType dtype, Index count, Index values);
SearchTable make_search_table(DType dtype, const void* sequence, Index count, const RunOptions& run);

/// Values [begin, end) of the query.
void search_with_table(DType dtype, const SearchTable& table, const SearchQuery& query, Side side,
                       std::pair<Index, Index> range);

}  // namespace garner::index
