#include "dialect/torch/positions.h"

#include "garner/index.h"

namespace garner::torch {

Result<Positions> true_positions(const View& mask, std::vector<Tensor>& kept) {
  GARNER_ASSIGN(const Tensor columns, index::nonzero(mask, {.layout = Layout::kColumns}));
  Positions positions{.count = View(columns).extent(1), .axes = {}};
  for (Index a = 0; a < mask.rank(); ++a) positions.axes.push_back(slice_at(columns, 0, a));
  kept.push_back(columns);
  return positions;
}

}  // namespace garner::torch
