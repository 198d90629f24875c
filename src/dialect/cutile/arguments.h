// How the text form of a call spells this dialect's arguments.
#pragma once
#include "dialect/op.h"
#include "garner/cutile.h"

namespace garner::cutile {

/// A tuple of tiles and integers, or one of those alone.
Indices indices_argument(Arguments& args);
/// A literal is a constant; everything else is a tile.
TileOrConstant value_argument(Arguments& args, const std::string& name);

Result<bool> check_bounds_argument(const Arguments& args);                // CT18
Result<std::optional<Index>> latency_argument(const Arguments& args);    // CT19
Result<AtomicOptions> atomic_options(const Arguments& args);             // CT18, CTA5, CTA6

}  // namespace garner::cutile
