// What run() checks about memory before it touches any. Rules P10–P19, V1–V4.
#pragma once
#include "garner/run.h"

namespace garner {

/// Views are valid, of the right dtype, and hold every element the plan reads from them.
Status check_inputs(const Job& job);

/// `out` has this shape and the job's dtype, no two of its elements share memory, and none of the inputs lies in it.
/// The operand may be `out` itself.
Status check_output(const Job& job, const MutableView& out, const Axes& shape);

/// Where the job runs: on the device that one of its tensors lies on.
Device device_of(const Job& job);

/// Same memory, shape and strides: an update in place.
bool same_place(const View& a, const View& b);

}  // namespace garner
