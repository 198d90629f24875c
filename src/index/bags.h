// Positions by the value they hold: what meets in one place, place by place.
#pragma once
#include <span>

#include "garner/run.h"

namespace garner::index {

/// Bag b holds the positions of value rows[b], rising: positions[begins[b]] … positions[begins[b + 1] - 1], the last
/// bag to the end. Rows rise.
struct Bags {
  Axes rows, positions, begins;
};

/// Of values in [0, rows), but for `skipped`, whose positions are in no bag.
Result<Bags> bags_of(std::span<const Index> values, Index rows, std::optional<Index> skipped, const RunOptions& run);

}  // namespace garner::index
