// An operation that is called more than once: its signature is read when it is found.
#include "base/fail.h"
#include "call/call.h"
#include "call/ready_calls.h"
#include "garner/cuda.h"
#include "run/report.h"
#include "tensor/shape.h"

namespace garner {
namespace {

Result<Arguments> filled(const Operation& operation, const std::shared_ptr<const Parameters>& parameters,
                         Values values) {
  if (values.size() > parameters->size())
    return fail(Code::kType, "A2", "{}: {} arguments, allowed {}", operation.name(), values.size(), parameters->size());
  values.reserve(parameters->size());
  for (std::size_t i = values.size(); i < parameters->size(); ++i) {
    const Parameter& p = (*parameters)[i];
    if (!p.fallback) return fail(Code::kType, "A2", "{}: {} is missing", operation.name(), p.name);
    values.push_back(*p.fallback);
  }
  return Arguments(operation.name(), parameters, std::move(values));
}

/// `out` in the shape the job's result has: torch's rank-0 tensors are vectors inside.
Result<MutableView> shaped(const Job& job, const MutableView& out) {
  if (out.dtype() == job.plan.dtype && out.shape() == job.result_shape) return out;
  if (out.dtype() == job.plan.dtype && out.rank() == 0 && job.result_shape == Axes{1})
    return out.seen_as(job.result_shape);
  return fail(Code::kInvalidArgument, "A6", "{}: out is {} {}, allowed {} {}", job.op, name(out.dtype()),
              list(out.shape()), name(job.plan.dtype), list(job.result_shape));
}

Result<std::vector<Tensor>> run_onto(const Job& job, const MutableView& out, const RunOptions& options) {
  GARNER_ASSIGN(const MutableView target, shaped(job, out));
  if (!job.plan.fetch_stride) {
    GARNER_TRY(run_into(job, target, options));
    return std::vector<Tensor>{};
  }
  GARNER_ASSIGN(Tensor before, cuda::empty(job.plan.dtype, job.plan.domain, out.device(), options.stream));
  GARNER_TRY(run_in_place(job, target, &before.view(), options));
  return std::vector<Tensor>{std::move(before)};
}

/// The operation's own way, where it does more than run plans. Without a plan it is for the CPU, unless it says
/// otherwise.
Status perform(const Op& op, Arguments& arguments, const RunOptions& options, Results& results) {
  if (op.lower == nullptr && !op.anywhere) GARNER_TRY(arguments.require_cpu());
  return op.evaluate(arguments, options, results);
}

/// The one job an operation lowers to.
Result<Job> only_job(const Op& op, Arguments& arguments) {
  GARNER_ASSIGN(Jobs jobs, lower(op, arguments));
  if (jobs.size() == 1) return std::move(jobs.front());
  return fail(Code::kInvalidArgument, "A6", "{}: {} results, allowed 1", arguments.op(), jobs.size());
}

/// May a ready call be used, which knows nothing of options?
bool is_plain(const RunOptions& options) {
  return options.threads == 0 && options.kernel.empty() && !options.wait &&
         options.determinism == default_determinism();
}

bool is_plan_alone(const Op& op, const Values& values) {
  if (!op.plan_is_all || values.empty()) return false;
  const View* first = view_in(values.front());
  return first != nullptr && first->rank() > 0;
}

/// May a ready call write here? Row-major, of its dtype and shape, and apart from all it reads.
bool takes(const ReadyCall& ready, const Values& values, const MutableView& out) {
  if (ready.dtype() != out.dtype() || ready.shape() != out.shape() || out.data() == nullptr) return false;
  if (ready.device() != out.device() || !is_row_major(out)) return false;
  for (const Value& value : values) {
    if (std::holds_alternative<std::shared_ptr<Values>>(value.held)) return false;
    const View* memory = view_in(value);
    if (memory != nullptr && may_overlap(*memory, out)) return false;
  }
  return validate_anywhere(out, "out").ok();
}

/// For gradients, which keep what they are given.
Result<Value> owned(const Value& value) {
  if (const auto* view = std::get_if<View>(&value.held)) {
    GARNER_ASSIGN(Tensor copy, contiguous(*view));
    return Value{std::move(copy)};
  }
  const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held);
  if (list == nullptr) return value;
  auto out = std::make_shared<Values>();
  for (const Value& item : **list) {
    GARNER_ASSIGN(Value one, owned(item));
    out->push_back(std::move(one));
  }
  return Value{std::move(out)};
}

}  // namespace

Result<Jobs> lower(const Op& op, Arguments& arguments) {
  if (op.lower == nullptr) return fail(Code::kUnsupported, "A5", "call: {} does not become a plan", arguments.op());
  GARNER_ASSIGN(Jobs jobs, op.lower(arguments));
  for (Job& job : jobs) job.kept.insert(job.kept.end(), arguments.kept().begin(), arguments.kept().end());
  return jobs;
}

Result<std::vector<Tensor>> evaluate(const Op& op, Arguments& arguments, const RunOptions& options) {
  const OnStream on(options.stream);  // also for copies that lowering makes
  if (op.evaluate != nullptr) {
    Results results;
    GARNER_TRY(perform(op, arguments, options, results));
    return results.close(options);
  }
  GARNER_ASSIGN(const Jobs jobs, lower(op, arguments));
  std::vector<Tensor> results;
  for (const Job& job : jobs) {
    GARNER_ASSIGN(std::vector<Tensor> more, run(job, options));
    results.insert(results.end(), more.begin(), more.end());
  }
  return results;
}

Result<Operation> Operation::find(const std::string& dialect, const std::string& op) {
  Operation out;
  GARNER_ASSIGN(out.op_, find_op(dialect, op));
  GARNER_ASSIGN(out.parameters_, read_parameters(*out.op_));
  out.calls_ = std::make_shared<ReadyCalls>();
  out.dialect_ = dialect;
  out.name_ = dialect + "." + op;
  return out;
}

Result<std::vector<Tensor>> Operation::call(Values values, const RunOptions& options) const {
  const OnStream on(options.stream);
  if (const auto ready = is_plain(options) ? prepare(values) : nullptr) {
    GARNER_ASSIGN(Tensor result, cuda::empty(ready->dtype(), ready->shape(), ready->device(), options.stream));
    if (ready->run(values, result.mutable_data())) return std::vector<Tensor>{std::move(result)};
  }
  GARNER_ASSIGN(Arguments arguments, filled(*this, parameters_, std::move(values)));
  return evaluate(*op_, arguments, options);
}

Result<std::vector<Tensor>> Operation::into(Values values, std::span<const MutableView> out,
                                            const RunOptions& options) const {
  const OnStream on(options.stream);
  if (const auto ready = is_plain(options) && out.size() == 1 ? prepare(values) : nullptr) {
    if (takes(*ready, values, out[0]) && ready->run(values, out[0].mutable_data())) return std::vector<Tensor>{};
    if (updates_in_place(*ready, values, out[0])) {
      if (ready->run(values, out[0].mutable_data())) return std::vector<Tensor>{};
      if (!ready->device().is_cpu()) return whole_way_into(std::move(values), out, options);
      GARNER_ASSIGN(Arguments arguments, filled(*this, parameters_, std::move(values)));
      GARNER_ASSIGN(const Job job, only_job(*op_, arguments));
      GARNER_TRY(first_fault(job));
      return std::vector<Tensor>{};
    }
  }
  return whole_way_into(std::move(values), out, options);
}

Result<std::vector<Tensor>> Operation::whole_way_into(Values values, std::span<const MutableView> out,
                                                      const RunOptions& options) const {
  GARNER_ASSIGN(Arguments arguments, filled(*this, parameters_, std::move(values)));
  if (op_->evaluate != nullptr) {
    Results results(name_.c_str(), out);
    GARNER_TRY(perform(*op_, arguments, options, results));
    return results.close(options);
  }
  GARNER_ASSIGN(const Job job, only_job(*op_, arguments));
  if (out.size() == 1) return run_onto(job, out[0], options);
  return fail(Code::kInvalidArgument, "A6", "{}: 1 results, allowed {}", name_, out.size());
}

std::shared_ptr<const ReadyCall> Operation::prepare(const Values& values) const {
  if (op_->evaluate != nullptr && !is_plan_alone(*op_, values)) return nullptr;
  const auto lower_again = [&]() -> Result<Job> {
    GARNER_ASSIGN(Arguments arguments, filled(*this, parameters_, values));
    return only_job(*op_, arguments);
  };
  return calls_->find(values, lower_again);
}

Result<Values> Operation::vjp(Values values, const std::vector<Tensor>& cotangents) const {
  Call call{dialect_, op_->name, {}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i >= parameters_->size())
      return fail(Code::kType, "A2", "{}: {} arguments, allowed {}", name_, values.size(), parameters_->size());
    const Parameter& p = (*parameters_)[i];
    GARNER_ASSIGN(Value value, owned(values[i]));
    call.arguments.push_back({p.by_position ? "" : p.name, std::move(value)});
  }
  GARNER_ASSIGN(std::vector<CallArgument> gradients, garner::vjp(call, cotangents));
  Values out;
  for (CallArgument& gradient : gradients) out.push_back(std::move(gradient.value));
  return out;
}

}  // namespace garner
