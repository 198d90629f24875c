// The gradient of a job for people with their own autograd: the same rules, nothing recorded.
#include "base/fail.h"
#include "grad/place.h"
#include "grad/rules.h"
#include "run/check.h"

namespace garner::grad {
namespace {

Status check_cotangent(const Job& job, const View& cotangent) {
  if (cotangent.shape() != job.result_shape)
    return fail(Code::kInvalidArgument, "G3", "{}: the cotangent has shape {}, allowed {}", job.op,
                list(cotangent.shape()), list(job.result_shape));
  if (cotangent.dtype() != job.plan.dtype)
    return fail(Code::kType, "G3", "{}: the cotangent is {}, allowed {}", job.op, name(cotangent.dtype()),
                name(job.plan.dtype));
  return {};
}

std::function<Var()> value_of(const Job& job, const std::optional<View>& view) {
  return [&job, view] { return Var(value_or_throw(plain::packed_at(job.op, *view, device_of(job)))); };
}

std::optional<Tensor> tensor_of(const Var& gradient) {
  return gradient ? std::optional(gradient.value()) : std::nullopt;
}

}  // namespace

JobGradients vjp(const Job& job, const View& cotangent, Ties ties, const RunOptions& options) {
  const NoGrad quiet;
  const OnStream on(options.stream);
  const GradientRule* rule = find_rule(job.plan);
  if (rule == nullptr) throw_error(no_rule(job));
  value_or_throw(check_cotangent(job, cotangent));
  Step step;
  step.op = job.op;
  step.places = std::make_shared<const Places>(job);
  step.direction = job.plan.direction;
  step.combine = job.plan.combine;
  step.ties = ties;
  step.has_operand = job.operand.has_value();
  step.has_fill = job.fill.has_value();
  step.operand = value_of(job, job.operand);
  step.updates = value_of(job, job.updates);
  step.result = [&] { return Var(value_or_throw(run_one(job, options))); };
  const StepGradients g = rule->of(step, Var(value_or_throw(plain::packed_at(job.op, cotangent, device_of(job)))));
  return {tensor_of(g.operand), tensor_of(g.updates), tensor_of(g.fill)};
}

}  // namespace garner::grad
