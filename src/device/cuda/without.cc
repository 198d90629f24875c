// A library that was built without CUDA.
#include "base/fail.h"
#include "device/cuda/runtime.h"

namespace garner {
namespace {
Status none() { return fail(Code::kUnsupported, "U1", "cuda: the library was built without CUDA"); }
}  // namespace

int cuda_device_count() { return 0; }
Result<std::shared_ptr<void>> cuda_memory(int, void*, Index) { return none(); }
Result<std::shared_ptr<Index>> cuda_number() { return none(); }
Status cuda_copy(int, void*, void*, const void*, Index) { return none(); }
Status cuda_put(int, void*, void*, const void*, int) { return none(); }
Result<const void*> cuda_zero(int) { return none(); }
Status cuda_wait(int, void*) { return none(); }
Status cuda_order(int, void*, void*) { return none(); }
bool cuda_is_captured(void*) { return false; }
Result<DeviceLedger*> cuda_ledger(int, void*) { return none(); }
Result<DeviceLedger> take_cuda_ledger(int, void*) { return none(); }

}  // namespace garner
