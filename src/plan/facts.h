// What is true of a simplified plan. Kernels are chosen by facts, never by op name or dialect.
#pragma once
#include "garner/plan.h"
#include "plan/range.h"

namespace garner {

/// May a value out of range lead nowhere? Then it is compared with its bounds; otherwise it is brought inside, or
/// promised to be there.
constexpr bool is_checked(OutOfRange policy) {
  return policy == OutOfRange::kTrap || policy == OutOfRange::kFill || policy == OutOfRange::kDrop;
}

/// Do sums of it round, so that their order counts?
constexpr bool rounds(DType t) { return kind(t) == Kind::kFloat || kind(t) == Kind::kComplex; }

struct PlanFacts {
  Index elements = 0;        // positions of the domain
  Index run = 1;  // elements of the last axis that lie side by side on both sides, under one set of indices
  Index rows = 0;  // elements / run
  Index bytes = 0;  // read + written, indices included: the byte model
  Range span{0, -1};  // lowest and highest element offset on the indexed side, from its data pointer
  int terms = 0;
  bool can_skip = false;  // some positions may be masked, filled, dropped or trapped
  bool at_position = false;  // bounds speak of positions
  bool unique_targets = false;  // proven, not promised: no two positions meet on the indexed side
  int apart =
      -1;  // a domain axis whose positions never meet on the indexed side, whatever the others do; -1: none proven
  bool any_order = false;  // a sum whose bits do not depend on the order: of integers; run() adds those at level fast
  bool fits_32bit = false;  // every element offset fits 32 bits
};

/// Pure function of the plan.
PlanFacts analyze(const IndexPlan& simplified);

/// One line per fact, for `explain` and bug reports.
std::string print(const PlanFacts& facts);

}  // namespace garner
