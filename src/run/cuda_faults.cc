#include "run/cuda_faults.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

#include "base/fail.h"
#include "device/cuda/runtime.h"
#include "garner/cuda.h"
#include "run/report.h"

namespace garner {
namespace {

/// A launch that may trap: its words, and the plan as it was called.
struct Expected {
  std::uint64_t sequence;
  std::shared_ptr<const FaultWords> words;
};

/// Of one stream. Those in graphs are kept for good, because a graph may be replayed at any time.
struct Stream {
  static constexpr std::size_t kMost = 1 << 14;
  std::uint64_t last = 0;
  std::deque<Expected> recent;
  std::map<std::uint64_t, std::shared_ptr<const FaultWords>> in_graphs;
};

struct Streams {
  std::mutex mutex;
  std::map<std::pair<int, void*>, Stream> of;
};
Streams& streams() {
  static Streams* const all = new Streams;
  return *all;
}

thread_local Index bad_indices_found = 0;

const FaultWords* find(const Stream& stream, std::uint64_t sequence) {
  if (const auto kept = stream.in_graphs.find(sequence); kept != stream.in_graphs.end()) return kept->second.get();
  const auto at = std::ranges::lower_bound(stream.recent, sequence, {}, &Expected::sequence);
  return at != stream.recent.end() && at->sequence == sequence ? at->words.get() : nullptr;
}

Status in_words(Stream& stream, const DeviceLedger& ledger) {
  const FaultWords* words = find(stream, ledger.sequence);
  if (words == nullptr)
    return fail(Code::kIndex, "P16", "cuda: an index is out of range, in a call more than {} calls before this check",
                Stream::kMost);
  return fault_at(*words, ledger.key, ledger.value);
}

}  // namespace

Status expect_faults(std::shared_ptr<const FaultWords> words, CudaLaunch& cuda) {
  GARNER_ASSIGN(cuda.ledger, cuda_ledger(cuda.device, cuda.stream));
  const std::scoped_lock lock(streams().mutex);
  Stream& stream = streams().of[{cuda.device, cuda.stream}];
  cuda.sequence = ++stream.last;
  if (cuda_is_captured(cuda.stream)) {
    stream.in_graphs.emplace(cuda.sequence, std::move(words));
    return {};
  }
  stream.recent.push_back({cuda.sequence, std::move(words)});
  if (stream.recent.size() > Stream::kMost) stream.recent.pop_front();
  return {};
}

namespace cuda {

int device_count() { return cuda_device_count(); }
Index bad_indices() { return bad_indices_found; }
Status order(void* first, void* then, int device) { return cuda_order(device, first, then); }

Status check(void* stream, int device) {
  bad_indices_found = 0;
  GARNER_ASSIGN(const DeviceLedger ledger, take_cuda_ledger(device, stream));
  const std::scoped_lock lock(streams().mutex);
  Stream& of = streams().of[{device, stream}];
  const Status status = ledger.sequence == 0 ? Status{} : in_words(of, ledger);
  of.recent.clear();
  bad_indices_found = static_cast<Index>(ledger.count);
  return status;
}

Status reserve(Index bytes, int device, void* stream) {
  return to_status(cuda_memory(device, stream, bytes));  // what is given back stays in the pool
}

Result<Tensor> empty(DType dtype, const Axes& shape, Device device, void* stream) {
  if (device.is_cpu()) return Tensor::empty(dtype, shape);
  alignas(16) static const char kSomewhere = 0;
  const View like(dtype, &kSomewhere, shape);
  GARNER_TRY(validate(like, "result"));
  GARNER_ASSIGN(std::shared_ptr<void> memory, cuda_memory(device.number, stream, like.elements() * width(dtype)));
  return Tensor::over(std::move(memory), dtype, shape, device);
}

Result<Tensor> copy_to(const View& view, Device device, void* stream) {
  GARNER_TRY(validate_anywhere(view, "copy_to"));
  const RunOptions options{.stream = stream};
  GARNER_ASSIGN(const Tensor packed, contiguous(view, options));
  if (view.device() == device) return packed;
  GARNER_ASSIGN(Tensor out, empty(view.dtype(), view.shape(), device, stream));
  const int number = device.is_cpu() ? view.device().number : device.number;
  if (out.bytes() > 0) GARNER_TRY(cuda_copy(number, stream, out.mutable_data(), packed.data(), out.bytes()));
  if (device.is_cpu()) GARNER_TRY(cuda_wait(number, stream));
  return out;
}

}  // namespace cuda
}  // namespace garner
