// A model in our own words: values have numbers, steps stand in the order they run in.
#pragma once
#include "garner/call.h"
#include "garner/model.h"

namespace garner::model {

/// The number of a value, or kNone where an optional input or output is left out.
using Slot = int;
inline constexpr Slot kNone = -1;
using Slots = std::vector<Slot>;

struct Step {
  std::string title;                   // "node 'rows'"
  std::optional<Operation> operation;  // none: Identity
  Values values;                       // one per parameter; attributes are in their places, inputs come first
  Slots inputs, outputs;
  Slots done;                          // values that no later step and no output reads
};

struct Program {
  Index opset = 1;
  std::vector<Port> inputs, outputs;
  Slots input_slots, output_slots;
  std::vector<std::string> names;            // of each slot
  std::vector<std::optional<Tensor>> held;   // of each slot: an initialiser or a constant
  std::vector<Step> steps;
};

/// A name from a file as messages show it: in quotes, on one line, not longer than a line.
std::string quoted(std::string_view name);

}  // namespace garner::model
