// The position of the largest or smallest element, for the functions here and for the dialects.
#pragma once
#include "index/memory.h"
#include "index/scan.h"

namespace garner::index {

enum class Extreme { kMax, kMin };

/// Keys under which the wanted element is the largest; NaN above all numbers or below them.
KeyRule rule_for(Extreme extreme, NanRule nan);

/// Over all elements; nothing when there is none that can be chosen.
std::optional<Index> flat_best(const Packed& packed, const KeyRule& rule, Tie tie, const RunOptions& run);

struct LaneQuery {
  KeyRule rule;
  Tie tie = Tie::kFirst;
  Index nothing = 0;
};

/// One position per lane along the axis; query.nothing where none can be chosen.
void axis_best(const Packed& packed, Index axis, const LaneQuery& query, const RunOptions& run, Index* out);

/// The same on the device that the elements lie on; without an axis over all elements.
Status best_there(const char* op, const Packed& packed, std::optional<Index> axis, const LaneQuery& query,
                  const RunOptions& run, Index* out);

/// The part of that where lanes lie side by side.
void columns_best(const Packed& packed, const Lanes& lanes, const LaneQuery& query, const RunOptions& run, Index* out);

}  // namespace garner::index
