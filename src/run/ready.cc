#include "run/ready.h"

#include <cstring>

#include "device/cpu/stream.h"
#include "device/cpu/threads.h"
#include "kernel/common/block_sums.h"
#include "run/check.h"

namespace garner {
namespace {

bool is_gather(const IndexPlan& plan) { return plan.direction == Direction::kGather; }

bool is_repeatable(const Job& job) {
  if (!job.more_operands.empty() || job.user || job.plan.fetch_stride) return false;
  return is_gather(job.plan) || !job.operand || job.operand->stride() == row_major(job.operand->shape());
}

/// The parts of a launch, in vectors that are used again: a small call makes none.
Buffers& buffers_of(const Ready& ready, const ReadyMemory& memory, void* out) {
  thread_local Buffers b;
  const bool gather = is_gather(ready.plan);
  b.indexed.assign(1, gather ? const_cast<void*>(memory.operand) : out);
  b.dense.assign(1, gather ? out : const_cast<void*>(memory.updates));
  b.widths.assign(1, width(ready.dtype));
  b.indices.assign(memory.indices.begin(), memory.indices.end());
  b.mask = memory.mask;
  b.fill = memory.fill;
  b.user = nullptr;
  return b;
}

/// Large ones on several threads, past the caches.
void start_large_scatter(const Ready& ready, const void* operand, void* out) {
  const std::uint8_t zero = 0;
  parallel_ranges(thread_count(0, ready.bytes), ready.bytes, 256 << 10, [&](Index begin, Index end) {
    std::byte* to = static_cast<std::byte*>(out) + begin;
    if (operand != nullptr) stream_copy(to, static_cast<const std::byte*>(operand) + begin, end - begin);
    else fill_elements(to, &zero, 1, end - begin, true);
    finish_stream();
  });
}

void start_scatter(const Ready& ready, const void* operand, void* out) {
  if (ready.bytes >= tuning().stream_bytes) return start_large_scatter(ready, operand, out);
  const auto bytes = static_cast<std::size_t>(ready.bytes);
  if (operand != nullptr) std::memcpy(out, operand, bytes);
  else std::memset(out, 0, bytes);
}

}  // namespace

std::optional<Ready> make_ready(const Job& job) {
  if (!is_repeatable(job) || !device_of(job).is_cpu() || !check_inputs(job).ok()) return std::nullopt;
  auto plan = simplified_plan(job);
  if (!plan.ok() || !verify(*plan).ok()) return std::nullopt;
  const Index elements = View(job.plan.dtype, nullptr, job.result_shape).elements();
  if (elements == 0) return std::nullopt;
  for (const Index extent : plan->domain)
    if (extent == 0) return std::nullopt;
  Ready ready{*std::move(plan), {}, nullptr, job.plan.dtype, job.result_shape, elements * width(job.plan.dtype)};
  ready.facts = analyze(ready.plan);
  ready.kernel = select(DeviceKind::kCpu, ready.plan, ready.facts);
  return ready;
}

bool run_ready(const Ready& ready, const ReadyMemory& memory, void* out) {
  if (!is_gather(ready.plan)) start_scatter(ready, memory.operand, out);
  FaultLedger ledger;
  const int threads = thread_count(0, ready.facts.bytes);
  ready.kernel->run({ready.plan, ready.facts, buffers_of(ready, memory, out), threads, ledger,
                     sum_block(ready.plan, default_determinism())});
  return !ledger.fault;
}

}  // namespace garner
