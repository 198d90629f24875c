// The transposed map is the same plan run the other way.
#include "base/fail.h"
#include "garner/plan.h"

namespace garner {
namespace {

/// A dropped write reads back as zero, and a zero-filled read writes nothing.
OutOfRange transpose(OutOfRange policy) {
  switch (policy) {
    case OutOfRange::kFill: return OutOfRange::kDrop;
    case OutOfRange::kDrop: return OutOfRange::kFill;
    case OutOfRange::kTrap:
    case OutOfRange::kClamp:
    case OutOfRange::kModulo:
    case OutOfRange::kPromise: return policy;
  }
  return policy;
}

}  // namespace

Result<IndexPlan> adjoint(const IndexPlan& plan) {
  const bool gather = plan.direction == Direction::kGather;
  if (!gather && (plan.combine != Combine::kAdd || plan.fetch_stride))
    return fail(Code::kUnsupported, "P22", "adjoint: combine is {}, allowed add (the only linear scatter)",
                name(plan.combine));
  IndexPlan t = plan;
  t.direction = gather ? Direction::kScatter : Direction::kGather;
  t.combine = gather ? Combine::kAdd : Combine::kAssign;
  t.fill_stride.reset();  // what was filled in does not depend on the operand
  for (IndexTerm& term : t.terms) term.bounds.policy = transpose(term.bounds.policy);
  return t;
}

}  // namespace garner
