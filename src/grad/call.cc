// A dialect call on variables: run the job, and send what its rule gives back to the inputs whose memory it looked at.
#include "grad/call.h"
#include "base/fail.h"
#include "grad/place.h"
#include "grad/rules.h"
#include "grad/state.h"
#include "run/check.h"

namespace garner::grad {
namespace {

/// How the job sees one of the inputs: whole, or through a view of its memory.
struct Part {
  std::size_t input = 0;
  Axes shape;
  SharedPlaces view;  // null: the whole input in another shape
};

Index offset_of(const View& view, const Tensor& memory) {
  const auto* first = static_cast<const std::byte*>(memory.data());
  return (static_cast<const std::byte*>(view.data()) - first) / width(view.dtype());
}

bool lies_in(const View& view, const Tensor& memory) {
  const auto at = reinterpret_cast<std::uintptr_t>(view.data());
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
  return memory.elements() > 0 && at >= begin && at < begin + static_cast<std::uintptr_t>(memory.bytes());
}

bool is_whole(const View& view, const Tensor& memory) {
  if (view.data() != memory.data() || view.elements() != memory.elements()) return false;
  const Axes dense = row_major(view.shape());
  for (std::size_t a = 0; a < dense.size(); ++a)
    if (view.shape()[a] > 1 && view.stride()[a] != dense[a]) return false;
  return true;
}

std::optional<Part> part_of(const std::optional<View>& view, const std::vector<Var>& inputs) {
  for (std::size_t i = 0; view && i < inputs.size(); ++i) {
    const Tensor& memory = inputs[i].value();
    if (!lies_in(*view, memory) || view->dtype() != memory.dtype()) continue;
    if (is_whole(*view, memory)) return Part{i, view->shape(), nullptr};
    return Part{i, view->shape(), Places::of_view(*view, offset_of(*view, memory), memory.elements())};
  }
  return std::nullopt;
}

Var seen(const Part& part, const Var& input) {
  if (part.view == nullptr) return reshape(input, part.shape);
  return pull(part.view, reshape(input, {input.elements()}));
}

Var sent_back(const Part& part, const Var& gradient, const Axes& input_shape) {
  return reshape(part.view == nullptr ? gradient : push(part.view, gradient), input_shape);
}

struct Parts {
  std::optional<Part> operand, updates, fill;

  bool uses(std::size_t input) const {
    const auto is = [input](const std::optional<Part>& p) { return p && p->input == input; };
    return is(operand) || is(updates) || is(fill);
  }
};

Parts parts_of(const Job& job, const std::vector<Var>& inputs) {
  return {part_of(job.operand, inputs), part_of(job.updates, inputs), part_of(job.fill, inputs)};
}

/// Rule G11. An input without elements has nothing to be used.
void check_used(const Job& job, const std::vector<Var>& inputs) {
  const Parts parts = parts_of(job, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].requires_grad() && inputs[i].elements() > 0 && !parts.uses(i))
      throw_error(
          fail(Code::kUnsupported, "G11",
               "{}: input {} is not what the operation reads (it was converted, or is not used), allowed inputs "
               "of its dtype",
               job.op, i));
}

void add_to(Var& sum, const Var& more) { sum = sum ? sum + more : more; }

/// What a rule needs to be asked again later.
struct Recorded {
  Step step;
  Parts parts;
  std::vector<Axes> shapes;   // of the inputs
  std::vector<std::shared_ptr<Saved>> saved;  // null where no value is needed

  std::function<Var()> value_of(const std::optional<Part>& part) const {
    if (!part || saved.empty()) return {};
    return [part = *part, own = saved[part->input]] { return seen(part, own->get()); };
  }
};

std::vector<Var> input_gradients(const Recorded& r, const GradientRule& rule, const Var& cotangent, const Var& output) {
  Step step = r.step;
  step.result = [output] { return output; };
  const StepGradients g = rule.of(step, cotangent);
  std::vector<Var> out(r.shapes.size());
  const auto send = [&](const std::optional<Part>& part, const Var& gradient) {
    if (part && gradient) add_to(out[part->input], sent_back(*part, gradient, r.shapes[part->input]));
  };
  send(r.parts.operand, g.operand);
  send(r.parts.updates, g.updates);
  send(r.parts.fill, g.fill);
  return out;
}

/// A value that is no input: the job's own, copied.
std::function<Var()> constant_value(const Job& job, const std::optional<View>& view) {
  if (!view) return {};
  return [copy = value_or_throw(plain::packed_at(job.op, *view, device_of(job)))] { return Var(copy); };
}

Recorded recorded(const Job& job, const GradientRule& rule, const std::vector<Var>& inputs, Parts parts, Ties ties) {
  Recorded r;
  r.parts = std::move(parts);
  for (const Var& input : inputs) r.shapes.push_back(input.shape());
  if (rule.needs_values)
    for (const Var& input : inputs) r.saved.push_back(std::make_shared<Saved>(input));
  r.step.op = job.op;
  r.step.places = Places::kept(job);
  r.step.direction = job.plan.direction;
  r.step.combine = job.plan.combine;
  r.step.ties = ties;
  r.step.has_operand = job.operand.has_value();
  r.step.has_fill = r.parts.fill.has_value();
  r.step.operand_competes = r.parts.operand.has_value();
  if (!rule.needs_values) return r;
  r.step.operand = r.parts.operand ? r.value_of(r.parts.operand) : constant_value(job, job.operand);
  r.step.updates = r.parts.updates ? r.value_of(r.parts.updates) : constant_value(job, job.updates);
  return r;
}

bool any_requires(const std::vector<Var>& inputs) {
  for (const Var& input : inputs)
    if (input.requires_grad()) return true;
  return false;
}

}  // namespace

bool uses(const Job& job, const Var& input) { return parts_of(job, {input}).uses(0); }

Var run_recorded(const std::vector<Var>& inputs, const Job& job, Ties ties, const RunOptions& options) {
  const OnStream on(options.stream);
  const GradientRule* rule = find_rule(job.plan);
  const bool records = recording() && any_requires(inputs);
  if (records && rule == nullptr) throw_error(no_rule(job));
  Tensor result = value_or_throw(run_one(job, options));
  if (!records) return Var(std::move(result));
  auto r = std::make_shared<const Recorded>(recorded(job, *rule, inputs, parts_of(job, inputs), ties));
  return record(job.op, std::move(result), inputs, [r, rule](const Var& cotangent, const Var& output) {
    return input_gradients(*r, *rule, cotangent, output);
  });
}

Var call(const std::vector<Var>& inputs, const Lowering& lower, Ties ties, const RunOptions& options) {
  std::vector<View> views;
  for (const Var& input : inputs) views.emplace_back(input.value());
  const Job job = value_or_throw(lower(views));
  if (recording()) check_used(job, inputs);
  return run_recorded(inputs, job, ties, options);
}

}  // namespace garner::grad
