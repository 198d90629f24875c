// One optimiser step on pieces of a table: which formula, with which numbers, over which memory.
#pragma once
#include "garner/row_gradient.h"

namespace garner {

enum class Formula { kSgd, kMomentum, kAdagrad, kAdam };

/// An option and the range it must lie in.
struct OptionRange {
  const char* name;
  double value, lo, hi;  // lo <= value < hi
};

struct StepRule {
  const char* op;  // begins every message
  Formula formula;
  double rate;  // with decay and bias correction in it
  double weight_decay = 0;
  double keep1 = 0, keep2 = 0;  // momentum; beta1, beta2
  double root_scale = 1;  // Adam: √(1 - beta2^step)
  double eps = 0;
  double initial = 0;  // what the state starts as
  std::size_t states = 0;
  std::vector<OptionRange> options;
};

/// Equally long runs of elements, at places of the table and of the state. Runs lie one after another in the gradient.
struct Pieces {
  const Index* rows = nullptr;  // which row each piece is; none: all, in order
  Index count = 0, length = 0;
  Index total = 0;  // elements; the last piece may be shorter
  Index table_step = 0;  // elements from a row of the table to the next
};

struct UpdateMemory {
  DType dtype;
  void* table;
  const void* gradient;
  void* state[2];  // null where the formula has none
};

/// Pieces are distinct rows, so threads share them out; a piece is done whole, by one thread.
void update(const StepRule& rule, const Pieces& pieces, const UpdateMemory& memory, int threads);

}  // namespace garner
