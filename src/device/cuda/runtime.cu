#include "device/cuda/runtime.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "device/cuda/on_device.h"
#include "device/cuda/small_memory.h"

namespace garner {
namespace {

struct Value16 {
  unsigned char byte[16];
};

__global__ void put_value(unsigned char* to, Value16 value, int bytes) {
  if (static_cast<int>(threadIdx.x) < bytes) to[threadIdx.x] = value.byte[threadIdx.x];
}

cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }

/// What a device keeps for all its streams, made at the first use and never given back: a driver that is shutting down
/// before us would refuse to take it.
struct Kept {
  static constexpr Index kLedgers = 1024;
  DeviceLedger* ledgers = nullptr;
  void* zero = nullptr;
  std::map<void*, Index> ledger_of;
  std::map<unsigned long long, SmallMemory> small_of;  // by the streams' numbers, which are never used twice
};

struct AllKept {
  std::mutex mutex;
  std::map<int, Kept> of;
};
AllKept& all_kept() {
  static AllKept* const all = new AllKept;
  return *all;
}

/// Memory may also be had while another stream is being captured.
class Relaxed {
 public:
  Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~Relaxed() { cudaThreadExchangeStreamCaptureMode(&mode_); }

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

Status open_pool(int device) {
  cudaMemPool_t pool = nullptr;
  GARNER_CUDA_TRY(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t everything = UINT64_MAX;  // idle memory stays with us: a second call asks the driver for none
  GARNER_CUDA_TRY(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &everything));
  return {};
}

/// Under the mutex.
Status open(int device, Kept& kept) {
  if (kept.ledgers != nullptr) return {};
  const Relaxed relaxed;
  const OnDevice on(device);
  void *zero = nullptr, *ledgers = nullptr;
  GARNER_CUDA_TRY(cudaMalloc(&zero, 16));
  GARNER_CUDA_TRY(cudaMalloc(&ledgers, sizeof(DeviceLedger) * Kept::kLedgers));
  cudaStream_t own = nullptr;
  GARNER_CUDA_TRY(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  GARNER_CUDA_TRY(cudaMemsetAsync(zero, 0, 16, own));
  GARNER_CUDA_TRY(cudaMemsetAsync(ledgers, 0, sizeof(DeviceLedger) * Kept::kLedgers, own));
  GARNER_CUDA_TRY(cudaStreamSynchronize(own));
  GARNER_CUDA_TRY(cudaStreamDestroy(own));
  if (Status status = open_pool(device); !status.ok()) return status;
  kept.zero = zero;
  kept.ledgers = static_cast<DeviceLedger*>(ledgers);
  return {};
}

Status no_device(int device) {
  return {Code::kUnsupported, "U1",
          "cuda: device is " + std::to_string(device) + ", allowed [0, " + std::to_string(cuda_device_count()) + ")"};
}

Result<Kept*> kept_of(int device) {
  if (device < 0 || device >= cuda_device_count()) return no_device(device);
  Kept& kept = all_kept().of[device];
  if (Status status = open(device, kept); !status.ok()) return status;
  return &kept;
}

}  // namespace

Status cuda_status(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return {};
  cudaGetLastError();  // those that are not sticky are ours to report, and nobody else's
  const bool memory = error == cudaErrorMemoryAllocation;
  return {memory ? Code::kMemory : Code::kUnsupported, memory ? "V6" : "U2",
          std::string("cuda: ") + cudaGetErrorString(error) + " (" +
              std::string(what).substr(0, std::string(what).find('(')) + ")"};
}

int cuda_device_count() {
  static const int count = [] {
    int n = 0;
    if (cudaGetDeviceCount(&n) == cudaSuccess) return n;
    cudaGetLastError();
    return 0;
  }();
  return count;
}

namespace {

/// Where small pieces of the stream's are kept; null for what is not small, and for what becomes a part of a graph.
/// GARNER_DEVICE_MEMORY=exact: every piece is the runtime's own, so that compute-sanitizer knows where it ends.
SmallMemory* small_memory(Kept& kept, void* stream, Index bytes) {
  static const char* const wanted = std::getenv("GARNER_DEVICE_MEMORY");
  static const bool exact = wanted != nullptr && std::strcmp(wanted, "exact") == 0;
  unsigned long long number = 0;
  if (exact || bytes > SmallMemory::kLargest || cuda_is_captured(stream)) return nullptr;
  if (cudaStreamGetId(stream_of(stream), &number) != cudaSuccess) return nullptr;
  const std::scoped_lock lock(all_kept().mutex);
  return &kept.small_of[number];
}

void give_back(int device, void* stream, void* memory) {
  const OnDevice on(device);
  if (cudaFreeAsync(memory, stream_of(stream)) != cudaSuccess) cudaGetLastError();  // at exit the driver may be gone
}

}  // namespace

Result<std::shared_ptr<void>> cuda_memory(int device, void* stream, Index bytes) {
  Kept* kept = nullptr;
  {
    const std::scoped_lock lock(all_kept().mutex);
    const auto found = kept_of(device);
    if (!found.ok()) return found.status();
    kept = *found;
  }
  const OnDevice on(device);
  SmallMemory* const small = small_memory(*kept, stream, bytes);
  const Index size = small != nullptr ? SmallMemory::rounded(bytes) : std::max<Index>(bytes, 1);
  void* memory = small != nullptr ? small->take(size) : nullptr;
  if (memory == nullptr) GARNER_CUDA_TRY(cudaMallocAsync(&memory, static_cast<std::size_t>(size), stream_of(stream)));
  return std::shared_ptr<void>(memory, [=](void* at) {
    if (small == nullptr || !small->give(at, size)) give_back(device, stream, at);
  });
}

namespace {

/// Kept for the next one who needs one, and never given back to the driver.
struct Numbers {
  std::mutex mutex;
  std::vector<Index*> idle;
};
Numbers& numbers() {
  static Numbers* const all = new Numbers;
  return *all;
}

/// Under the mutex.
Status make_numbers() {
  constexpr std::size_t kMany = 512;
  const Relaxed relaxed;
  void* memory = nullptr;
  GARNER_CUDA_TRY(cudaHostAlloc(&memory, kMany * sizeof(Index), cudaHostAllocPortable | cudaHostAllocMapped));
  for (std::size_t i = 0; i < kMany; ++i) numbers().idle.push_back(static_cast<Index*>(memory) + i);
  return {};
}

}  // namespace

Result<std::shared_ptr<Index>> cuda_number() {
  const std::scoped_lock lock(numbers().mutex);
  if (numbers().idle.empty())
    if (Status made = make_numbers(); !made.ok()) return made;
  Index* const number = numbers().idle.back();
  numbers().idle.pop_back();
  return std::shared_ptr<Index>(number, [](Index* at) {
    const std::scoped_lock lock(numbers().mutex);
    numbers().idle.push_back(at);
  });
}

Status cuda_copy(int device, void* stream, void* to, const void* from, Index bytes) {
  const OnDevice on(device);
  const auto size = static_cast<std::size_t>(bytes);
  GARNER_CUDA_TRY(cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, stream_of(stream)));
  return {};
}

Status cuda_put(int device, void* stream, void* to, const void* value, int bytes) {
  const OnDevice on(device);
  Value16 sent{};
  std::memcpy(sent.byte, value, static_cast<std::size_t>(bytes));
  put_value<<<1, 32, 0, stream_of(stream)>>>(static_cast<unsigned char*>(to), sent, bytes);
  GARNER_CUDA_TRY(cudaGetLastError());
  return {};
}

Result<const void*> cuda_zero(int device) {
  const std::scoped_lock lock(all_kept().mutex);
  const auto kept = kept_of(device);
  if (!kept.ok()) return kept.status();
  return static_cast<const void*>((*kept)->zero);
}

Status cuda_wait(int device, void* stream) {
  const OnDevice on(device);
  GARNER_CUDA_TRY(cudaStreamSynchronize(stream_of(stream)));
  return {};
}

Status cuda_order(int device, void* first, void* then) {
  if (first == then) return {};
  const OnDevice on(device);
  cudaEvent_t event = nullptr;
  GARNER_CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const cudaError_t recorded = cudaEventRecord(event, stream_of(first));
  const cudaError_t ordered = recorded != cudaSuccess ? recorded : cudaStreamWaitEvent(stream_of(then), event);
  cudaEventDestroy(event);  // taken apart when it has been reached
  GARNER_CUDA_TRY(ordered);
  return {};
}

bool cuda_is_captured(void* stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(stream_of(stream), &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

Result<DeviceLedger*> cuda_ledger(int device, void* stream) {
  const std::scoped_lock lock(all_kept().mutex);
  const auto kept = kept_of(device);
  if (!kept.ok()) return kept.status();
  auto& numbers = (*kept)->ledger_of;
  // Streams beyond so many share the last one's: their faults are still found, by whoever checks first.
  const auto next = std::min<Index>(static_cast<Index>(numbers.size()), Kept::kLedgers - 1);
  return (*kept)->ledgers + numbers.try_emplace(stream, next).first->second;
}

Result<DeviceLedger> take_cuda_ledger(int device, void* stream) {
  const auto ledger = cuda_ledger(device, stream);
  if (!ledger.ok()) return ledger.status();
  const OnDevice on(device);
  DeviceLedger read;
  GARNER_CUDA_TRY(cudaMemcpyAsync(&read, *ledger, sizeof read, cudaMemcpyDeviceToHost, stream_of(stream)));
  GARNER_CUDA_TRY(cudaStreamSynchronize(stream_of(stream)));
  if (read.sequence == 0) return read;
  GARNER_CUDA_TRY(cudaMemsetAsync(*ledger, 0, sizeof read, stream_of(stream)));
  return read;
}

}  // namespace garner
