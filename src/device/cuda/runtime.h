// The CUDA runtime, as far as C++ files that know nothing of CUDA need it. Rules U1 (no CUDA here), U2 (the runtime
// refuses), V6 (no memory). Nothing here waits but what says so.
#pragma once
#include <memory>

#include "device/cuda/ledger.h"
#include "garner/axes.h"
#include "garner/status.h"

namespace garner {

int cuda_device_count();

/// From the device's pool, in the order of the stream; given back the same way.
Result<std::shared_ptr<void>> cuda_memory(int device, void* stream, Index bytes);

/// A number in the CPU's memory that a device may write to.
Result<std::shared_ptr<Index>> cuda_number();

/// Between any two memories. The CPU's may be used again when this returns.
Status cuda_copy(int device, void* stream, void* to, const void* from, Index bytes);

/// A value of up to 16 bytes, handed over in the launch itself: it works inside a graph.
Status cuda_put(int device, void* stream, void* to, const void* value, int bytes);

/// Sixteen zero bytes on the device.
Result<const void*> cuda_zero(int device);

Status cuda_wait(int device, void* stream);

/// What `then` does from now on begins after what `first` has been given so far.
Status cuda_order(int device, void* first, void* then);

/// Is the stream being captured into a graph?
bool cuda_is_captured(void* stream);

/// The stream's ledger, in the device's memory.
Result<DeviceLedger*> cuda_ledger(int device, void* stream);

/// Waits for the stream, and empties its ledger.
Result<DeviceLedger> take_cuda_ledger(int device, void* stream);

}  // namespace garner
