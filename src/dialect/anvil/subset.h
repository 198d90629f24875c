// What stands between the brackets of x[…], checked, and the places it selects.
#pragma once
#include "dialect/op.h"
#include "garner/anvil.h"
#include "run/job_builder.h"

namespace garner::anvil {

/// One checked spec per dimension; Each has become a View on memory that `kept` owns.
struct Subset {
  const char* op;
  Axes extents;  // of the operand
  std::vector<SubsetSpec> specs;
  std::vector<Tensor> kept;
};

/// Rules AS2–AS6, AS11.
Result<Subset> resolve(const char* op, const View& operand, std::vector<SubsetSpec> specs);

/// One extent for each dimension that stays.
Axes shape_of(const Subset& subset);

/// Says for every operand axis where it goes. Positions in tensors are clamped (reading) or dropped (writing).
void address(JobBuilder& job, const Subset& subset, OutOfRange policy);

/// From the text form: None is full, [a, b] a range, an integer one position, a tensor itself. Rule AS1.
Result<std::vector<SubsetSpec>> read_specs(const std::string& op, const Value& specs);
Result<SubsetSpec> read_spec(const std::string& op, const Value& spec);

}  // namespace garner::anvil
