// Views, results and errors on CUDA devices. Without CUDA the functions are there and say so (U1).
//   const Tensor x = value_or_throw(cuda::copy_to(table, cuda::device(0)));
//   const Tensor rows = torch::index_select(x, 0, ids_on_the_device);   // returns at once
//   value_or_throw(cuda::check());                                      // waits; a bad index is an ordinary error here
#pragma once
#include "garner/run.h"

namespace garner::cuda {

/// How many devices there are: 0 where the library was built without CUDA or the driver finds none.
int device_count();

inline Device device(int number = 0) { return {DeviceKind::kCuda, number}; }

/// Waits for the stream. The first bad index of the calls since the last check, in the words the CPU has for it: of the
/// first such call, the first by position. The device goes on working; every other position has been done. For calls in
/// a graph that was replayed several times since, the first by position in any of them.
Status check(void* stream = default_stream(), int device = 0);

/// How many bad indices the last check() of this thread found.
Index bad_indices();

/// What `then` does from now on begins after what `first` has been given so far.
Status order(void* first, void* then, int device = 0);

/// Uninitialised memory, ordered by the stream: it is there for what the stream does next, and goes back to the
/// device's pool when the last copy of the tensor is dropped and the stream has come that far. Rules V1, V2, V6, U1.
Result<Tensor> empty(DType dtype, const Axes& shape, Device device, void* stream = default_stream());

/// Bytes that run() takes from the device's pool for such a job, on top of its result, and gives back when the stream
/// has come that far. Only shapes, strides and dtypes count. Rules of run().
Result<Index> workspace(const Job& job, const RunOptions& options = {});

/// Makes the device's pool so large that so many bytes are there at once without asking the driver. Rules V6, U1.
Status reserve(Index bytes, int device = 0, void* stream = default_stream());

/// A row-major copy on another device. To the CPU it waits for the stream. Rules V1 … V8, U1, U2.
Result<Tensor> copy_to(const View& view, Device device, void* stream = default_stream());

}  // namespace garner::cuda
