// A job made ready once: checked, bound to a row-major result, simplified, its kernel chosen. What is left is to run it
// on memory of the same dtypes, shapes and strides, which takes a tenth of the time of a small call.
#pragma once
#include "run/on_cuda.h"

namespace garner {

struct Ready {
  ReportedPlan plan;  // on the CPU, where bad indices are looked for again, the plan alone
  Device device;
  PlanFacts facts;
  const Kernel* kernel = nullptr;
  DType dtype = DType::kF32;
  Axes shape;
  Index bytes = 0;
};

/// Nothing when the job is not one of a kind that can be repeated like this (several results, a user's function, a
/// scatter on an operand that is not row-major, on a device one without an operand), or when run() would refuse it.
std::optional<Ready> make_ready(const Job& job);

/// Where the job's parts lie this time. A scatter without an operand starts from zeros.
struct ReadyMemory {
  const void* operand = nullptr;
  const void* updates = nullptr;
  const void* mask = nullptr;
  const void* fill = nullptr;
  std::span<const void* const> indices;
};

/// Writes the row-major result to `out`, which overlaps none of the others unless it is a scatter's operand itself.
/// False: an index traps, and all else has been done; run() says which. On a device the work is handed to the thread's
/// default stream, and false means that the runtime refused, which run() puts into words.
bool run_ready(const Ready& ready, const ReadyMemory& memory, void* out);

}  // namespace garner
