// One row per direction and combine. With P = pull and its adjoint push, out is
//   gather        P(x), and the fill where nothing was read
//   scatter add   x + push(u)
//   assign        x where nobody wrote, u of the last who did
//   mul           x · the product of all u that meet there
//   min, max      the smallest, largest of x and all u that meet there
// Each rule is made of operations on variables, so that it can be differentiated again.
#include "grad/rules.h"

#include "base/fail.h"
#include "grad/masks.h"
#include "grad/ops.h"
#include "grad/place.h"
#include "grad/state.h"

namespace garner::grad {
namespace {

Device device_of(const Var& variable) { return variable.value().device(); }

/// Domain positions that are read: not masked, not out of range.
Tensor was_read(const Places& places, Device device) {
  const Tensor yes = value_or_throw(plain::brought("vjp", scalar(true), device));
  return value_or_throw(places.pull(value_or_throw(broadcast_to(yes, places.shape()))));
}

StepGradients gather_rule(const Step& step, const Var& cotangent) {
  StepGradients g;
  g.operand = push(step.places, cotangent);
  if (step.has_fill) g.fill = keep(negated(was_read(*step.places, device_of(cotangent))), cotangent);
  return g;
}

StepGradients add_rule(const Step& step, const Var& cotangent) {
  return {step.has_operand ? cotangent : Var(), pull(step.places, cotangent), {}};
}

/// Everybody writes his number; whose number is still there has won.
StepGradients assign_rule(const Step& step, const Var& cotangent) {
  const Tensor mine = ids(step.places->domain(), device_of(cotangent));
  const Tensor left = value_or_throw(step.places->push(mine, Combine::kAssign, std::nullopt));
  const Tensor won = is_same(value_or_throw(step.places->pull(left)), mine);
  StepGradients g;
  if (step.has_operand) g.operand = keep(is_equal(left, 0), cotangent);
  g.updates = keep(won, pull(step.places, cotangent));
  return g;
}

// ---- mul ----

Var product(const Step& step, const Var& x, const Var& u);

Var ones_where(const Tensor& mask, DType dtype) { return Var(value_or_throw(plain::converted(mask, dtype))); }

/// A factor with 1 in place of its zeros, and which those are.
struct Factor {
  Tensor zero;
  Var safe;
};
Factor factor(const Var& v) {
  Factor f{is_zero(v.value()), {}};
  f.safe = keep(negated(f.zero), v) + ones_where(f.zero, v.dtype());
  return f;
}

/// The product of all factors but this one: by division, or, where this is the only zero, what the others give.
Var others(const Factor& own, const Var& product, const Tensor& zeros) {
  const Var without = keep(is_equal(zeros, 0), product / own.safe);
  return without + keep(both(own.zero, is_equal(zeros, 1)), product);
}

/// Division knows nothing of how a zero factor would move, so a second derivative there would be wrong.
void refuse_second(const Step& step, const Tensor& zeros) {
  if (!recording()) return;
  const Tensor here = value_or_throw(plain::fetched(zeros));
  const Index* count = here.as<Index>();
  for (Index i = 0; i < zeros.elements(); ++i)
    if (count[i] > 0)
      throw_error(fail(Code::kUnsupported, "G10", "{}: a product has {} zero factors, allowed 0 for second derivatives",
                       step.op, count[i]));
}

StepGradients mul_rule(const Step& step, const Var& cotangent) {
  const Places& places = *step.places;
  const Var u = step.updates();
  const Var x = step.has_operand ? step.operand() : zeros_like(u.value(), places.shape());
  const Factor fx = factor(x), fu = factor(u);
  const Tensor start = choose(fx.zero, 1, 0);
  const Tensor zeros = value_or_throw(places.push(choose(fu.zero, 1, 0), Combine::kAdd, View(start)));
  refuse_second(step, zeros);
  const Var all = product(step, fx.safe, fu.safe);
  StepGradients g;
  if (step.has_operand) g.operand = cotangent * conj(others(fx, all, zeros));
  const Var rest = others(fu, pull(step.places, all), value_or_throw(places.pull(zeros)));
  g.updates = keep(was_read(places, device_of(u)), pull(step.places, cotangent) * conj(rest));
  return g;
}

/// x times all u that meet there, as a variable.
Var product(const Step& step, const Var& x, const Var& u) {
  Tensor value = value_or_throw(step.places->push(u.value(), Combine::kMul, View(x.value())));
  const Saved own(x), other(u);
  return record("product", std::move(value), {x, u}, [step, own, other](const Var& cotangent, const Var&) {
    Step again = step;
    again.has_operand = true;
    again.operand = [own] { return own.get(); };
    again.updates = [other] { return other.get(); };
    const StepGradients g = mul_rule(again, cotangent);
    return std::vector<Var>{g.operand, g.updates};
  });
}

// ---- min and max ----

/// Who equals the result: on the indexed side, and in the domain.
struct Candidates {
  Tensor operand, updates;
};
Candidates candidates(const Step& step) {
  const Places& places = *step.places;
  const Tensor out = step.result().value();
  const Tensor there = value_or_throw(places.pull(out));
  const Tensor nobody = value_or_throw(plain::zeros_at(out.device(), DType::kBool, out.shape()));
  Candidates c{nobody, both(was_read(places, out.device()), is_same(step.updates().value(), there))};
  if (step.operand_competes) c.operand = step.has_operand ? is_same(step.operand().value(), out) : is_zero(out);
  return c;
}

/// The operand comes first, then the updates in row-major order.
StepGradients first_rule(const Step& step, const Candidates& who, const Var& cotangent) {
  const Tensor start = choose(who.operand, 0, INT64_MAX), mine = ids_where(who.updates, INT64_MAX);
  const Tensor first = value_or_throw(step.places->push(mine, Combine::kMin, View(start)));
  const Tensor won = both(who.updates, is_same(value_or_throw(step.places->pull(first)), mine));
  StepGradients g;
  if (step.has_operand) g.operand = keep(who.operand, cotangent);
  g.updates = keep(won, pull(step.places, cotangent));
  return g;
}

/// The gradient divided by the number of candidates.
StepGradients even_rule(const Step& step, const Candidates& who, const Var& cotangent) {
  const Tensor start = choose(who.operand, 1, 0);
  const Tensor count = value_or_throw(step.places->push(choose(who.updates, 1, 0), Combine::kAdd, View(start)));
  const Var divisor(value_or_throw(plain::converted(count, cotangent.dtype())));
  const Var share = keep(negated(is_zero(count)), cotangent / divisor);
  StepGradients g;
  if (step.has_operand) g.operand = keep(who.operand, share);
  g.updates = keep(who.updates, pull(step.places, share));
  return g;
}

StepGradients extreme_rule(const Step& step, const Var& cotangent) {
  const Candidates who = candidates(step);
  return step.ties == Ties::kFirst ? first_rule(step, who, cotangent) : even_rule(step, who, cotangent);
}

constexpr GradientRule kRules[] = {
    {Direction::kGather, Combine::kAssign, gather_rule, false},
    {Direction::kScatter, Combine::kAssign, assign_rule, false},
    {Direction::kScatter, Combine::kAdd, add_rule, false},
    {Direction::kScatter, Combine::kMul, mul_rule, true},
    {Direction::kScatter, Combine::kMin, extreme_rule, true},
    {Direction::kScatter, Combine::kMax, extreme_rule, true},
};

}  // namespace

const GradientRule* find_rule(const IndexPlan& plan) {
  if (plan.fetch_stride) return nullptr;
  for (const GradientRule& rule : kRules)
    if (rule.direction == plan.direction && rule.combine == plan.combine) return &rule;
  return nullptr;
}

Status no_rule(const Job& job) {
  return fail(Code::kUnsupported, "G10", "{}: combine is {}{}, allowed assign, add, mul, min, max without fetching",
              job.op, name(job.plan.combine), job.plan.fetch_stride ? " and fetches" : "");
}

}  // namespace garner::grad
