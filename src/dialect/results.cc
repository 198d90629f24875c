#include "dialect/results.h"

#include "garner/cuda.h"
#include "run/check.h"
#include "run/copy.h"
#include "run/job_builder.h"
#include "tensor/shape.h"

namespace garner {
namespace {

Status check_apart(const char* op, std::span<const MutableView> given) {
  for (std::size_t i = 0; i < given.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (may_overlap(given[i], given[j]))
        return fail(Code::kInvalidArgument, "P11", "{}: out {} overlaps out {}", op, i, j);
  return {};
}

/// May the job write there under its own shape? In row-major memory, and where nothing lies that it reads but what a
/// scatter starts from.
bool takes_flat(const Job& job, const View& out) {
  if (!is_row_major(out)) return false;
  const View flat = out.seen_as(job.result_shape);
  bool apart = true;
  const auto see = [&](const View& view) { apart = apart && !may_overlap(view, out); };
  for (const auto* part : {&job.updates, &job.mask, &job.fill})
    if (*part) see(**part);
  for (const View& index : job.indices) see(index);
  if (job.operand && !same_place(*job.operand, flat)) see(*job.operand);
  return apart;
}

}  // namespace

Status Results::check_count(std::size_t count) const {
  if (op_ == nullptr || given_.size() == count) return {};
  return fail(Code::kInvalidArgument, "A6", "{}: {} results, allowed {}", op_, count, given_.size());
}

Result<std::span<index::Output>> Results::room(std::size_t count) {
  GARNER_TRY(check_count(count));
  if (op_ == nullptr) outputs_.resize(count);
  for (const MutableView& out : given_) {
    GARNER_TRY(check_memory(op_, out, {}));
    outputs_.emplace_back(out, index::Refusal{op_, "A6"});
  }
  GARNER_TRY(check_apart(op_, given_));
  return std::span(outputs_);
}

Status Results::run_onto(const Job& job, const Axes& shape, const RunOptions& options) const {
  GARNER_TRY(check_count(1));
  const MutableView& out = given_.front();
  if (out.dtype() != job.plan.dtype || out.shape() != shape)
    return fail(Code::kInvalidArgument, "A6", "{}: out is {} {}, allowed {} {}", op_, name(out.dtype()),
                list(out.shape()), name(job.plan.dtype), list(shape));
  if (shape == job.result_shape) return run_into(job, out, options);
  if (takes_flat(job, out)) return run_into(job, out.seen_as(job.result_shape), options);
  GARNER_ASSIGN(const Tensor staged, run_as(job, shape, options));
  return copy_into(staged, out, options);
}

Status Results::run(const Job& job, const Axes& shape, const RunOptions& options) {
  if (op_ != nullptr) return run_onto(job, shape, options);
  GARNER_ASSIGN(made_, run_as(job, shape, options));
  return {};
}

Status Results::run(const Result<Job>& job, const RunOptions& options) {
  return job.ok() ? run(*job, job->result_shape, options) : job.status();
}

Result<std::vector<Tensor>> Results::close(const RunOptions& options) {
  std::vector<Tensor> fresh;
  for (index::Output& out : outputs_) {
    GARNER_TRY(out.close(options));
    if (op_ == nullptr) fresh.push_back(out.take());
  }
  if (made_) fresh.push_back(*std::move(made_));
  return fresh;
}

Result<Tensor> run_as(const Job& job, const Axes& shape, const RunOptions& options) {
  GARNER_ASSIGN(Tensor result, cuda::empty(job.plan.dtype, shape, device_of(job), options.stream));
  GARNER_TRY(run_into(job, result.view().seen_as(job.result_shape), options));
  return result;
}

Result<Tensor> run_as(const Result<Job>& job, const Axes& shape, const RunOptions& options) {
  return job.ok() ? run_as(*job, shape, options) : job.status();
}

}  // namespace garner
