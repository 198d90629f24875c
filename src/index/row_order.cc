#include "index/row_order.h"

#include "garner/index.h"

namespace garner::index {

Result<Tensor> order_of_rows(const Axes& rows, Index extent, const RunOptions& run) {
  if (extent > Index{1} << 32) return index::argsort(rows, {}, run);
  std::vector<std::uint32_t> keys(rows.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint32_t>(rows[i]);
  return index::argsort(keys, {}, run);
}

}  // namespace garner::index
