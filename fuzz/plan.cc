// Plan text: parse(print(plan)) == plan, and simplify keeps a verified plan one, the second time without a change.
#include "garner/plan.h"
#include "fuzz/target.h"

namespace garner::fuzz {
namespace {

void check_text(const IndexPlan& plan) {
  const auto again = parse_plan(print(plan));
  require(again.ok() && *again == plan, "parse(print(plan)) == plan");
}

}  // namespace

void test_one(std::string_view bytes) {
  const auto plan = parse_plan(bytes);
  require_sound(plan.status());
  if (!plan.ok()) return;
  check_text(*plan);
  const Status verified = verify(*plan);
  require_sound(verified);
  if (!verified.ok()) return;
  const IndexPlan simple = simplify(*plan);
  check_text(simple);
  require(verify(simple).ok(), "a simplified plan is a plan");
  require(simplify(simple) == simple, "simplify is done after one pass");
  require_sound(adjoint(*plan).status());
}

}  // namespace garner::fuzz
