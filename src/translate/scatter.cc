// The positions of a gather, written to. What is dropped goes to one more element at the end, which is cut off.
#include <algorithm>

#include "base/fail.h"
#include "tensor/walk.h"
#include "translate/views.h"
#include "translate/work.h"

namespace garner::translate_detail {
namespace {

const char* const kRounding =
    "sums and products of floats may be taken in another order: the same up to rounding, and to overflow on the way";
const char* const kZeroSign = "where 0.0 and -0.0 meet in a minimum or maximum, either may stay";

Status check_arithmetic(Work& w, Combine combine) {
  const DType t = w.plan().dtype;
  const bool extreme = combine == Combine::kMin || combine == Combine::kMax;
  // Widened to i64, the greatest u64 are negative.
  const bool out_of_order = t == DType::kU64 && extreme && !w.target.small_sums;
  if (!w.target.combines(combine) || is_float8(t) || out_of_order)
    return w.context.refuse("T6", "two indices that are the same", "{}: has no scatter that takes {} of {}",
                            w.target.name, name(combine), name(t));
  if (extreme && kind(t) == Kind::kFloat && !w.target.keeps_nan)
    return w.context.refuse("T7", "an update that is nan", "{}: does not say what the {} of a number and nan is",
                            w.target.name, name(combine));
  if (!is_integer(t) && !w.target.in_order) w.b.program().notes.emplace_back(extreme ? kZeroSign : kRounding);
  return {};
}

/// No two positions of the domain lead to one place: every index stands still, and each axis alone moves some axis.
/// (A drop sends several to the one element at the end, where it does not matter which stays.)
bool is_unique(const IndexPlan& plan) {
  const auto tells = [&](const AxisMap& map, std::size_t axis) {
    for (std::size_t k = 0; k < map.step.size(); ++k)
      if ((map.step[k] != 0) != (k == axis) && plan.domain[k] > 1) return false;
    return true;
  };
  for (std::size_t k = 0; k < plan.domain.size(); ++k)
    if (plan.domain[k] > 1 && std::ranges::none_of(plan.indexed, [&](const AxisMap& m) { return tells(m, k); }))
      return false;
  return std::ranges::all_of(plan.terms, [](const IndexTerm& term) {
    return std::ranges::all_of(term.stride, [](Index s) { return s == 0; });
  });
}

/// The vectors a scatter works on.
struct Vectors {
  int target, position, updates;
};

/// The last update of a place stays. Where the target does not say which one does, the greatest number of an update
/// that goes there is found first, which no order can change.
int assigned(Work& w, const Vectors& v) {
  const bool unique = is_unique(w.plan());
  if (w.target.in_order || unique) return w.b.scatter(v.target, v.position, v.updates, Combine::kAssign, !unique);
  const Index count = w.b[v.updates].shape[0];
  const Axes size = w.b[v.target].shape;
  const int nobody = w.b.broadcast(w.b.number(-1), size);
  const int last = w.b.scatter(nobody, v.position, w.b.iota(count), Combine::kMax);
  w.b.call_it(last, "last");
  const int chosen = w.b.take(v.updates, w.b.clamp(last, 0, count - 1));
  return w.choose(w.b.less(last, w.b.number(0)), v.target, chosen);
}

/// true and false as 1 and 0: "or" is the greater, "and" the smaller, "xor" the parity of the sum.
int combined_truth(Work& w, const Vectors& v) {
  const Combine c = w.plan().combine;
  const bool parity = c == Combine::kXor, greater = c == Combine::kAdd || c == Combine::kOr || c == Combine::kMax;
  const Combine combine = parity ? Combine::kAdd : greater ? Combine::kMax : Combine::kMin;
  const int out =
      w.b.scatter(w.b.convert(v.target, DType::kI64), v.position, w.b.convert(v.updates, DType::kI64), combine);
  return w.b.lnot(w.b.less(parity ? w.b.mod(out, 2) : out, w.b.number(1)));
}

/// Sums and products of fewer bits are the low bits of those in i64; minima are the same numbers.
int combined_numbers(Work& w, const Vectors& v) {
  const DType own = w.plan().dtype, wide = is_integer(own) && !w.target.small_sums ? DType::kI64 : own;
  const auto read = [&](int a) { return w.b.convert(w.b.bitcast(a, own), wide); };
  const int out = w.b.scatter(read(v.target), v.position, read(v.updates), w.plan().combine);
  return w.b.bitcast(w.b.convert(out, own), w.dtype);
}

int combined(Work& w, const Vectors& v) {
  if (w.plan().combine == Combine::kAssign) return assigned(w, v);
  return w.plan().dtype == DType::kBool ? combined_truth(w, v) : combined_numbers(w, v);
}

/// What the result holds before the first update.
int start_of(Work& w) {
  const Axes& shape = w.placed->job.result_shape;
  if (!w.placed->operand || any_zero(shape)) return w.b.zeros(w.dtype, shape);
  const Source& source = *w.placed->operand;
  return w.b.broadcast(w.data(w.along(source, shape, source.view.stride())), shape);
}

}  // namespace

Status check_combine(Work& w) {
  const IndexPlan& plan = w.plan();
  if (plan.direction == Direction::kGather) return {};
  if (plan.combine == Combine::kUser || plan.combine == Combine::kCompareExchange || plan.fetch_stride)
    return w.context.refuse("T6", "two indices that are the same", "{}: each update of {} depends on the one before it",
                            w.target.name, w.subject.op);
  return plan.combine == Combine::kAssign || plan.dtype == DType::kBool ? Status{} : check_arithmetic(w, plan.combine);
}

int lower_scatter(Work& w) {
  const int before = start_of(w);
  const Axes &shape = w.placed->job.result_shape, &domain = w.plan().domain;
  if (any_zero(domain) || any_zero(shape)) return before;
  const Places places = places_of(w);
  int position = flat_position(w, places, row_major(shape), w.plan().indexed_base), target = w.b.flat(before);
  const Index size = w.b[target].shape[0];
  if (places.valid) {
    position = w.b.select(*places.valid, position, w.b.number(size));
    target = w.b.concat(target, w.b.zeros(w.dtype, {1}));
  }
  w.b.call_it(position, "position");
  const int updates = w.data(w.along(*w.placed->updates, domain, w.plan().dense_stride));
  int out = combined(w, {target, w.b.flat(w.b.broadcast(position, domain)), w.b.flat(w.b.broadcast(updates, domain))});
  if (places.valid) out = w.b.slice(out, {0}, {size}, {1});
  return w.b.reshape(out, shape);
}

}  // namespace garner::translate_detail
