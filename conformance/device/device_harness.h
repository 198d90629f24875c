// Jobs on a device against the CPU's reference kernel.
#pragma once
#include <string>
#include <vector>

#include "garner/cuda.h"

namespace garner::conformance {

/// The same memory, layout included, on the device.
View moved(const View& view, std::vector<Tensor>& kept, void* stream = nullptr);

/// The job with all its tensors there.
Job moved(const Job& job, void* stream = nullptr);

/// Same dtype, shape and bits; where floats are computed (`sums`) a NaN is any NaN, because which of its bits a sum
/// keeps is the hardware's.
bool same_values(const View& a, const View& b, bool sums);

/// One line per finding: every kernel of the device that accepts, on the default stream and on another, replayed from a
/// graph, and into strided memory, gives what the reference kernel gives, or the same error.
std::vector<std::string> check_on_device(const Job& job);

}  // namespace garner::conformance
