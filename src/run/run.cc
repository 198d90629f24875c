// The only file that knows the whole path: check, bind, verify, simplify, analyze, select, run, report.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "base/fail.h"
#include "device/cpu/threads.h"
#include "device/cpu/tuning.h"
#include "device/cuda/runtime.h"
#include "garner/cuda.h"
#include "kernel/common/block_sums.h"
#include "kernel/common/start.h"
#include "kernel/kernel.h"
#include "run/bound_plan.h"
#include "run/check.h"
#include "run/copy.h"
#include "run/job_builder.h"
#include "run/known_indices.h"
#include "run/on_cuda.h"
#include "run/report.h"

namespace garner {

namespace {
std::atomic<Determinism> level_of_process{Determinism::kExact};
thread_local void* stream_of_thread = nullptr;
}  // namespace

void* default_stream() { return stream_of_thread; }
void set_default_stream(void* stream) { stream_of_thread = stream; }

Determinism default_determinism() { return level_of_process.load(std::memory_order_relaxed); }
void set_default_determinism(Determinism level) { level_of_process.store(level, std::memory_order_relaxed); }

namespace {

/// GARNER_KERNEL=name takes that kernel wherever it accepts, to measure and to compare (docs/performance).
const Kernel* preferred(DeviceKind device, const IndexPlan& plan, const PlanFacts& facts) {
  static const char* const wanted = std::getenv("GARNER_KERNEL");
  if (wanted != nullptr)
    for (const Kernel* k : kernels(device))
      if (std::string_view(wanted) == k->name && k->accepts(plan, facts)) return k;
  return select(device, plan, facts);
}

Result<const Kernel*> choose(const std::string& forced, DeviceKind device, const IndexPlan& plan,
                             const PlanFacts& facts) {
  if (forced.empty()) {
    if (const Kernel* best = preferred(device, plan, facts)) return best;
    return fail(Code::kUnsupported, "P24", "run: no kernel of the device takes {} axes with {} index tensors",
                plan.domain.size(), plan.terms.size());
  }
  for (const Kernel* k : kernels(device)) {
    if (forced != k->name) continue;
    if (k->accepts(plan, facts)) return k;
    return fail(Code::kUnsupported, "P18", "run: kernel {} does not accept this plan", forced);
  }
  return fail(Code::kInvalidArgument, "P18", "run: no kernel is called {}", forced);
}

/// What is true of the plan in a call with these options: at level fast sums may be added in any order.
PlanFacts facts_of(const IndexPlan& plan, const RunOptions& options) {
  PlanFacts facts = analyze(plan);
  facts.any_order |= plan.combine == Combine::kAdd && options.determinism == Determinism::kFast;
  return facts;
}

/// A kernel that is asked for by name is there and accepts, before anything is written.
Status check_forced(const Job& job, const View& result, const RunOptions& options) {
  if (options.kernel.empty()) return {};
  const IndexPlan plan = simplify(bound_plan(job, result.stride()));
  return to_status(choose(options.kernel, result.device().kind, plan, facts_of(plan, options)));
}

/// `plan` is verified and bound. The reference kernel follows it as it stands; the others its normal form.
Status execute_on_cpu(const Job& job, const IndexPlan& plan, const Buffers& buffers, const RunOptions& options) {
  IndexPlan proved = plan;
  promise_known(proved, buffers.indices);
  const IndexPlan ready = options.kernel == "reference" ? plan : simplify(std::move(proved));
  const PlanFacts facts = options.kernel == "reference" ? PlanFacts{} : facts_of(ready, options);
  GARNER_ASSIGN(const Kernel* kernel, choose(options.kernel, DeviceKind::kCpu, ready, facts));
  FaultLedger ledger;
  const int threads = options.threads > 0 ? options.threads : thread_count(0, facts.bytes);
  const Launch launch{ready, facts, buffers, threads, ledger, sum_block(plan, options.determinism)};
  if (!kernel->brings_start) bring_start(launch);
  kernel->run(launch);
  return ledger.fault ? first_fault(job, plan, buffers) : Status{};
}

/// Returns when the work has been handed over; a bad index is reported by cuda::check().
Status execute_on_cuda(const Job& job, const IndexPlan& plan, const Buffers& buffers, int device,
                       const RunOptions& options) {
  const ReportedPlan there = reported_plan(job, plan);
  const PlanFacts facts = facts_of(there.plan, options);
  GARNER_ASSIGN(const Kernel* kernel, choose(options.kernel, DeviceKind::kCuda, there.plan, facts));
  GARNER_TRY(start_on_cuda(*kernel, there, facts, buffers, sum_block(plan, options.determinism),
                           {.device = device, .stream = options.stream}));
  return options.wait ? cuda::check(options.stream, device) : Status{};
}

Status execute(const Job& job, const IndexPlan& plan, const Buffers& buffers, Device device,
               const RunOptions& options) {
  if (any_zero(plan.domain)) return {};
  if (device.is_cpu()) return execute_on_cpu(job, plan, buffers, options);
  return execute_on_cuda(job, plan, buffers, device.number, options);
}

void* writable(const void* data) { return const_cast<void*>(data); }

Status gather_into(const Job& job, const MutableView& out, const RunOptions& options) {
  Buffers b = buffers_of(job);
  b.indexed = {writable(job.operand->data())};
  b.dense = {out.mutable_data()};
  return execute(job, bound_plan(job, out.stride()), b, out.device(), options);
}

Status scatter_onto(const Job& job, const MutableView& target, const MutableView* fetched, const RunOptions& options,
                    const Start& start = {}) {
  Buffers b = buffers_of(job);
  b.start = start;
  b.indexed = {target.mutable_data()};
  b.dense = {writable(job.updates->data())};
  IndexPlan plan = bound_plan(job, target.stride());
  plan.fetch_stride.reset();
  if (fetched != nullptr) {
    b.fetched = fetched->mutable_data();
    plan.fetch_stride = fetched->stride();
  }
  return execute(job, plan, b, target.device(), options);
}

/// On a device values are fetched row-major (see numbered()), and then brought to where they are wanted.
Status scatter_fetching(const Job& job, const MutableView& target, const MutableView& fetched,
                        const RunOptions& options) {
  if (target.device().is_cpu() || fetched.stride() == row_major(fetched.shape()))
    return scatter_onto(job, target, &fetched, options);
  GARNER_ASSIGN(const Tensor packed, cuda::empty(fetched.dtype(), fetched.shape(), fetched.device(), options.stream));
  GARNER_TRY(scatter_onto(job, target, &packed.view(), options));
  return copy_into(packed, fetched, options);
}

/// What a scatter's result holds before the first update.
Status start_from(const std::optional<View>& operand, const MutableView& out, const RunOptions& options) {
  if (operand) return same_place(*operand, out) ? Status{} : copy_into(*operand, out, options);
  alignas(16) static constexpr std::byte kZero[16] = {};
  const void* zero = kZero;
  if (!out.device().is_cpu()) { GARNER_ASSIGN(zero, cuda_zero(out.device().number)); }
  return copy_into(View(out.dtype(), zero, out.shape(), Axes(out.shape().size(), 0)).on(out.device()), out, options);
}

/// A large target that starts as a copy, byte for byte, gets it when the kernel is known: some bring it themselves.
Start late_start(const Job& job, const MutableView& out) {
  const Index bytes = out.elements() * width(out.dtype());
  const bool alike = job.operand && !same_place(*job.operand, out) && out.stride() == row_major(out.shape()) &&
                     job.operand->stride() == out.stride();
  if (!alike || !out.device().is_cpu() || bytes < tuning().stream_bytes || any_zero(job.plan.domain)) return {};
  return {job.operand->data(), bytes};
}

/// Memory that is read at one place only, such as a number that a call was given.
bool is_single(const View& view) {
  for (Index a = 0; a < view.rank(); ++a)
    if (view.extent(a) != 1 && view.stride(a) != 0) return false;
  return view.elements() > 0;
}

/// Single numbers in the CPU's memory go along with the call; anything larger is the caller's to move.
Result<Job> on_one_device(Job job, const RunOptions& options) {
  const Device device = device_of(job);
  const auto move = [&](View& view, const char*) -> Status {
    if (view.device() == device) return {};
    if (view.elements() == 0 && view.device().is_cpu()) {  // nothing is read
      view = View(view.dtype(), nullptr, view.shape(), view.stride()).on(device);
      return {};
    }
    if (device.is_cpu() || !view.device().is_cpu() || !is_single(view))
      return fail(Code::kInvalidArgument, "P23", "{}: a tensor {} lies on {}, allowed {} as the others", job.op,
                  list(view.shape()), name(view.device()), name(device));
    GARNER_ASSIGN(Tensor there, cuda::empty(view.dtype(), {1}, device, options.stream));
    GARNER_TRY(cuda_put(device.number, options.stream, there.mutable_data(), view.data(), width(view.dtype())));
    view = View(there).seen_as(view.shape(), Axes(view.shape().size(), 0));
    job.kept.push_back(std::move(there));
    return {};
  };
  GARNER_TRY(for_each_input(job, move));
  return job;
}

/// Updates of a user function over several operands share one set of strides: row-major.
Result<Job> with_row_major_updates(Job job) {
  const auto flatten = [&job](View& view) -> Status {
    GARNER_ASSIGN(Tensor flat, contiguous(view));
    view = flat;
    job.kept.push_back(std::move(flat));
    return {};
  };
  GARNER_TRY(flatten(*job.updates));
  for (View& view : job.more_updates) GARNER_TRY(flatten(view));
  job.plan.dense_stride = row_major(job.plan.domain);
  return job;
}

Result<std::vector<Tensor>> started_results(const Job& job, const RunOptions& options) {
  std::vector<std::pair<DType, std::optional<View>>> starts{{job.plan.dtype, job.operand}};
  for (const View& v : job.more_operands) starts.emplace_back(v.dtype(), v);
  std::vector<Tensor> results;
  for (const auto& [dtype, start] : starts) {
    GARNER_ASSIGN(Tensor t, cuda::empty(dtype, job.result_shape, device_of(job), options.stream));
    GARNER_TRY(start_from(start, t.view(), options));
    results.push_back(std::move(t));
  }
  return results;
}

Status check_joint(const Job& job) {
  if (job.plan.combine != Combine::kUser)
    return fail(Code::kInvalidArgument, "P15", "{}: {} operands for combine {}, allowed 1", job.op,
                job.more_operands.size() + 1, name(job.plan.combine));
  for (std::size_t n = 0; n < job.more_operands.size(); ++n) {
    const View &operand = job.more_operands[n], &updates = job.more_updates[n];
    if (operand.shape() != job.result_shape || updates.shape() != job.updates->shape() ||
        operand.dtype() != updates.dtype())
      return fail(Code::kInvalidArgument, "P15", "{}: operand {} has shape {}, allowed {}", job.op, n + 1,
                  list(operand.shape()), list(job.result_shape));
  }
  return {};
}

/// Where there is room for one result only.
Status check_single(const Job& job) {
  if (job.more_operands.empty()) return {};
  return fail(Code::kInvalidArgument, "P15", "{}: {} operands, allowed 1 (run() takes more)", job.op,
              job.more_operands.size() + 1);
}

/// A user function over several operands: one walk, N targets.
Result<std::vector<Tensor>> run_joint(const Job& given, const RunOptions& options) {
  GARNER_TRY(check_joint(given));
  GARNER_ASSIGN(const Job job, with_row_major_updates(given));
  static constexpr char kSomewhere = 0;
  GARNER_TRY(check_forced(job, View(job.plan.dtype, &kSomewhere, job.result_shape), options));
  GARNER_ASSIGN(std::vector<Tensor> results, started_results(job, options));
  Buffers b = buffers_of(job);
  b.dense = {writable(job.updates->data())};
  for (const View& v : job.more_updates) {
    b.dense.push_back(writable(v.data()));
    b.widths.push_back(width(v.dtype()));
  }
  for (Tensor& t : results) b.indexed.push_back(t.mutable_data());
  GARNER_TRY(execute(job, bound_plan(job, results[0].view().stride()), b, {}, options));
  return results;
}

Result<std::vector<Tensor>> run_fetching(const Job& job, const RunOptions& options) {
  GARNER_ASSIGN(std::vector<Tensor> results, started_results(job, options));
  GARNER_ASSIGN(Tensor fetched, cuda::empty(job.plan.dtype, job.plan.domain, device_of(job), options.stream));
  GARNER_TRY(scatter_onto(job, results[0].view(), &fetched.view(), options));
  results.insert(results.begin(), std::move(fetched));
  return results;
}

}  // namespace

/// A gather without indices, through the engine.
Status copy_into(const View& from, const MutableView& to, const RunOptions& options) {
  auto job = JobBuilder::gather("copy", from, from.shape());
  for (Index a = 0; a < from.rank(); ++a) job.follow(a, a);
  return gather_into(std::move(job).build(), to, {.threads = options.threads, .stream = options.stream});
}

Result<Tensor> contiguous(const View& view, const RunOptions& options) {
  GARNER_TRY(validate_anywhere(view, "contiguous"));
  GARNER_ASSIGN(Tensor out, cuda::empty(view.dtype(), view.shape(), view.device(), options.stream));
  GARNER_TRY(copy_into(view, out.view(), options));
  return out;
}

Result<Tensor> contiguous(const View& view) { return contiguous(view, {}); }

Result<Tensor> Tensor::clone() const { return contiguous(view_); }

Result<std::vector<Tensor>> run(const Job& job, const RunOptions& options) {
  if (mixes_devices(job)) {
    GARNER_ASSIGN(const Job moved, on_one_device(job, options));
    return run(moved, options);
  }
  GARNER_TRY(check_inputs(job));
  if (!job.more_operands.empty()) return run_joint(job, options);
  if (job.plan.fetch_stride) return run_fetching(job, options);
  GARNER_ASSIGN(Tensor result, cuda::empty(job.plan.dtype, job.result_shape, device_of(job), options.stream));
  GARNER_TRY(run_into(job, result.view(), options));
  return std::vector<Tensor>{std::move(result)};
}

Result<Tensor> run_one(const Job& job, const RunOptions& options) {
  GARNER_ASSIGN(std::vector<Tensor> results, run(job, options));
  return std::move(results.front());
}

Result<Tensor> run_one(const Result<Job>& job, const RunOptions& options) {
  if (!job.ok()) return job.status();
  return run_one(*job, options);
}

Status run_into(const Job& job, const MutableView& out, const RunOptions& options) {
  if (mixes_devices(job)) {
    GARNER_ASSIGN(const Job moved, on_one_device(job, options));
    return run_into(moved, out, options);
  }
  GARNER_TRY(check_inputs(job));
  GARNER_TRY(check_single(job));
  GARNER_TRY(check_output(job, out, job.result_shape));
  GARNER_TRY(verify(bound_plan(job, out.stride())));
  GARNER_TRY(check_forced(job, out, options));
  if (is_gather(job)) return gather_into(job, out, options);
  const Start late = late_start(job, out);
  if (late.from == nullptr) { GARNER_TRY(start_from(job.operand, out, options)); }
  return scatter_onto(job, out, nullptr, options, late);
}

Status run_in_place(const Job& given, const MutableView& target, const MutableView* fetched,
                    const RunOptions& options) {
  if (is_gather(given)) return fail(Code::kInvalidArgument, "P15", "{}: a gather has no place to update", given.op);
  Job job = given;
  job.operand = target;
  if (mixes_devices(job)) { GARNER_ASSIGN(job, on_one_device(job, options)); }
  GARNER_TRY(check_inputs(job));
  GARNER_TRY(check_single(job));
  GARNER_TRY(check_output(job, target, job.result_shape));
  GARNER_TRY(verify(bound_plan(job, target.stride())));
  GARNER_TRY(check_forced(job, target, options));
  if (fetched != nullptr) {
    GARNER_TRY(check_output(job, *fetched, job.plan.domain));
    if (may_overlap(*fetched, target))
      return fail(Code::kInvalidArgument, "P11", "{}: the fetched values overlap the target", job.op);
    return scatter_fetching(job, target, *fetched, options);
  }
  return scatter_onto(job, target, nullptr, options);
}

Result<IndexPlan> simplified_plan(const Job& job) {
  GARNER_TRY(check_inputs(job));
  return simplify(bound_plan(job, row_major(job.result_shape)));
}

Result<std::vector<std::string>> accepting_kernels(const Job& job) {
  GARNER_ASSIGN(const IndexPlan plan, simplified_plan(job));
  const PlanFacts facts = analyze(plan);
  std::vector<const Kernel*> accepting;
  for (const Kernel* k : kernels(device_of(job).kind))
    if (k->accepts(plan, facts)) accepting.push_back(k);
  std::ranges::sort(accepting, {}, [&](const Kernel* k) { return k->cost_ns(plan, facts); });
  std::vector<std::string> names;
  for (const Kernel* k : accepting) names.emplace_back(k->name);
  return names;
}

Result<Index> cuda::workspace(const Job& job, const RunOptions& options) {
  GARNER_TRY(check_inputs(job));
  const IndexPlan bound = bound_plan(job, row_major(job.result_shape));
  GARNER_TRY(verify(bound));
  const Device device = device_of(job);
  if (device.is_cpu() || any_zero(bound.domain)) return 0;
  const IndexPlan plan = simplify(bound);
  const PlanFacts facts = facts_of(plan, options);
  GARNER_ASSIGN(const Kernel* kernel, choose(options.kernel, device.kind, plan, facts));
  if (kernel->workspace == nullptr) return 0;
  FaultLedger unused;
  CudaLaunch cuda{.device = device.number, .stream = options.stream};
  const Buffers nowhere;
  const Index bytes =
      kernel->workspace({plan, facts, nowhere, 1, unused, sum_block(bound, options.determinism), &cuda});
  return cuda.failure.ok() ? Result<Index>(bytes) : Result<Index>(std::move(cuda.failure));
}

}  // namespace garner
