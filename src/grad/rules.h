// The gradient of one job, by its direction and combine.
#pragma once
#include "grad/places.h"

namespace garner::grad {

/// A job that was run: where it read or wrote, and how its values are seen. Values are asked for only by the rules that
/// need them.
struct Step {
  std::string op;
  SharedPlaces places;
  Direction direction = Direction::kGather;
  Combine combine = Combine::kAssign;
  Ties ties = Ties::kFirst;
  bool has_operand = false, has_fill = false;
  bool operand_competes = true;  // in a minimum or maximum; not when it is only what empty places hold
  std::function<Var()> operand, updates, result;
};

/// Empty: nothing flows there.
struct StepGradients {
  Var operand, updates, fill;
};

using StepRule = StepGradients (*)(const Step& step, const Var& cotangent);

struct GradientRule {
  Direction direction;
  Combine combine;
  StepRule of;
  bool needs_values;
};

/// Null where there is none (G10).
const GradientRule* find_rule(const IndexPlan& plan);
Status no_rule(const Job& job);

}  // namespace garner::grad
