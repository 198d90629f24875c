// Functions of the tape, small ones and a model: what a device must give as the CPU does, gradients included.
#pragma once
#include <functional>
#include <vector>

#include "garner/grad.h"

namespace garner::conformance {

using grad::Var;
using Function = std::function<Var(const std::vector<Var>&)>;

struct Recipe {
  const char* name;
  std::vector<Axes> shapes;
  Function f;
  double places = 0;  // of the last bit that may differ; 0: the same bits
  bool of_complex = false;
  double low = -2;
};

const std::vector<Recipe>& recipes();

}  // namespace garner::conformance
