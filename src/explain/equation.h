// A plan as one line of mathematics, and its policies in words.
#pragma once
#include "explain/lowered_call.h"

namespace garner {

struct Wording {
  std::string equation;
  std::vector<std::string> rules;
};

/// Are the values of a term the places where a mask is true, found by the lowering?
bool is_from_mask(const Job& job, const GivenTensors& given, std::size_t term);

/// The job as it was lowered; nothing is run.
Wording put_in_words(const Job& job, const GivenTensors& given);

}  // namespace garner
