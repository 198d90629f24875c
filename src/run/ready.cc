#include "run/ready.h"

#include <cstring>

#include "device/cpu/threads.h"
#include "device/cpu/tuning.h"
#include "device/cuda/runtime.h"
#include "kernel/common/block_sums.h"
#include "kernel/common/start.h"
#include "run/bound_plan.h"
#include "run/check.h"
#include "tensor/walk.h"

namespace garner {
namespace {

bool is_repeatable(const Job& job) {
  if (!job.more_operands.empty() || job.user || job.plan.fetch_stride || mixes_devices(job)) return false;
  if (is_gather(job)) return true;
  return job.operand ? job.operand->stride() == row_major(job.operand->shape()) : device_of(job).is_cpu();
}

/// The parts of a launch, in vectors that are used again: a small call makes none.
Buffers& buffers_of(const Ready& ready, const ReadyMemory& memory, void* out) {
  thread_local Buffers b;
  const bool gather = ready.plan.plan.direction == Direction::kGather;
  b.indexed.assign(1, gather ? const_cast<void*>(memory.operand) : out);
  b.dense.assign(1, gather ? out : const_cast<void*>(memory.updates));
  b.widths.assign(1, width(ready.dtype));
  b.indices.assign(memory.indices.begin(), memory.indices.end());
  b.mask = memory.mask;
  b.fill = memory.fill;
  b.user = nullptr;
  b.start = {};
  return b;
}

/// Before the kernel, unless it is a large copy and the kernel brings that itself.
void start_scatter(const Ready& ready, Buffers& b, const void* operand, void* out) {
  const auto bytes = static_cast<std::size_t>(ready.bytes);
  const bool large = ready.bytes >= tuning().stream_bytes;
  if (large && operand != nullptr && ready.kernel->brings_start) b.start = {operand, ready.bytes};
  else if (large) bring_start(out, operand, ready.bytes, thread_count(0, ready.bytes));
  else if (operand != nullptr) std::memcpy(out, operand, bytes);
  else std::memset(out, 0, bytes);
}

/// Sums are in index order here whatever the level is: those of a level that asks for less are sums in any order, too.
bool start_there(const Ready& ready, const ReadyMemory& memory, const Buffers& buffers, void* out) {
  const CudaPlace place{ready.device.number, default_stream()};
  const bool scatters = ready.plan.plan.direction == Direction::kScatter;
  if (scatters && memory.operand != out &&
      !cuda_copy(place.device, place.stream, out, memory.operand, ready.bytes).ok())
    return false;
  const Index block = scatters ? sum_block(ready.plan.plan, default_determinism()) : 0;
  return start_on_cuda(*ready.kernel, ready.plan, ready.facts, buffers, block, place).ok();
}

}  // namespace

std::optional<Ready> make_ready(const Job& job) {
  if (!is_repeatable(job) || !check_inputs(job).ok()) return std::nullopt;
  const IndexPlan plan = bound_plan(job, row_major(job.result_shape));
  const Index elements = View(job.plan.dtype, nullptr, job.result_shape).elements();
  if (elements == 0 || any_zero(plan.domain) || !verify(plan).ok()) return std::nullopt;
  const Device device = device_of(job);
  Ready ready{.plan = device.is_cpu() ? ReportedPlan{simplify(plan), {}, nullptr} : reported_plan(job, plan),
              .device = device,
              .facts = {},
              .dtype = job.plan.dtype,
              .shape = job.result_shape,
              .bytes = elements * width(job.plan.dtype)};
  ready.facts = analyze(ready.plan.plan);
  ready.kernel = select(device.kind, ready.plan.plan, ready.facts);
  return ready.kernel != nullptr ? std::optional(std::move(ready)) : std::nullopt;
}

bool run_ready(const Ready& ready, const ReadyMemory& memory, void* out) {
  const IndexPlan& plan = ready.plan.plan;
  Buffers& buffers = buffers_of(ready, memory, out);
  if (!ready.device.is_cpu()) return start_there(ready, memory, buffers, out);
  if (plan.direction == Direction::kScatter && memory.operand != out)
    start_scatter(ready, buffers, memory.operand, out);
  FaultLedger ledger;
  const int threads = thread_count(0, ready.facts.bytes);
  ready.kernel->run({plan, ready.facts, buffers, threads, ledger, sum_block(plan, default_determinism())});
  return !ledger.fault;
}

}  // namespace garner
