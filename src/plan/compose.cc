// outer(inner(x)) as one gather on x.
//
// The inner domain position is affine in the outer domain, plus one index value per axis at most:
//   d1[k] = offset_k + sum step_k * d2 + v_k(d2)
// Substituting it into the inner axis maps keeps them affine when each inner axis meets one index value at most, with
// factor 1. An inner index tensor is read at d1: a strided view of it serves when d1 is affine on its axes, otherwise
// the tensor itself must first be gathered by the outer plan (ComposedTerm::Source::kGathered).
#include "base/fail.h"
#include "garner/plan.h"

namespace garner {
namespace {

Status refuse(const char* why) { return fail(Code::kUnsupported, "P20", "compose: {}", why); }

bool is_plain(const IndexPlan& plan) {
  return plan.direction == Direction::kGather && !plan.mask_stride && !plan.fill_stride;
}

/// Bounds on a position of the outer plan's operand say nothing about positions of the inner plan's.
bool bounds_positions(const IndexPlan& plan) {
  for (const IndexTerm& term : plan.terms)
    if (term.bounds.scope == Scope::kPosition) return true;
  return false;
}

/// A filled position of one plan would have to survive the other's arithmetic.
bool fills(const IndexPlan& plan) {
  for (const IndexTerm& term : plan.terms)
    if (term.bounds.policy == OutOfRange::kFill) return true;
  return false;
}

class Composer {
 public:
  Composer(const IndexPlan& outer, const IndexPlan& inner) : outer_(outer), inner_(inner) {}

  Result<Composition> run() {
    out_.plan = outer_;
    out_.plan.indexed.clear();
    out_.plan.indexed_base = inner_.indexed_base;
    out_.plan.terms.clear();
    outer_number_.assign(outer_.terms.size(), -1);
    for (const AxisMap& map : inner_.indexed) GARNER_TRY(add_axis(map));
    for (const int number : outer_number_)
      if (number < 0 && !moves_inner_term())
        return refuse("the inner gather does not depend on an axis the outer one looks up");
    return std::move(out_);
  }

 private:
  /// Does some inner index tensor change along an axis the outer plan looks up?
  bool moves_inner_term() const {
    for (const IndexTerm& term : inner_.terms)
      if (!affine_along(term.stride)) return true;
    return false;
  }

  /// Is d1 free of index values along the axes where `stride` moves?
  bool affine_along(const Axes& stride) const {
    for (std::size_t k = 0; k < stride.size(); ++k)
      if (stride[k] != 0 && outer_.indexed[k].term >= 0) return false;
    return true;
  }

  Status add_axis(const AxisMap& inner) {
    AxisMap map{.extent = inner.extent,
                .stride = inner.stride,
                .offset = inner.offset,
                .step = Axes(outer_.domain.size(), 0),
                .term = -1};
    for (std::size_t k = 0; k < inner.step.size(); ++k) {
      if (inner.step[k] == 0) continue;
      GARNER_TRY(substitute(outer_.indexed[k], inner.step[k], map));
    }
    if (inner.term >= 0) {
      if (map.term >= 0) return refuse("an axis would need two index values");
      map.term = inner_term(static_cast<std::size_t>(inner.term));
    }
    out_.plan.indexed.push_back(std::move(map));
    return {};
  }

  /// Adds factor * d1[k], where d1[k] is `outer`'s position.
  Status substitute(const AxisMap& outer, Index factor, AxisMap& map) {
    map.offset += factor * outer.offset;
    for (std::size_t k = 0; k < outer.step.size(); ++k) map.step[k] += factor * outer.step[k];
    if (outer.term < 0) return {};
    if (factor != 1) return refuse("an index value would need a factor");
    if (map.term >= 0) return refuse("an axis would need two index values");
    map.term = outer_term(static_cast<std::size_t>(outer.term));
    return {};
  }

  int add_term(IndexTerm term, ComposedTerm source) {
    out_.plan.terms.push_back(std::move(term));
    out_.terms.push_back(std::move(source));
    return static_cast<int>(out_.terms.size()) - 1;
  }

  int outer_term(std::size_t t) {
    if (outer_number_[t] < 0)
      outer_number_[t] = add_term(outer_.terms[t], {ComposedTerm::Source::kOuter, static_cast<int>(t), 0, {}});
    return outer_number_[t];
  }

  int inner_term(std::size_t t) {
    const IndexTerm& term = inner_.terms[t];
    return affine_along(term.stride) ? viewed_term(t, term) : gathered_term(t, term);
  }

  /// The same tensor, walked along the outer domain.
  int viewed_term(std::size_t t, const IndexTerm& term) {
    IndexTerm seen{term.dtype, Axes(outer_.domain.size(), 0), term.bounds};
    ComposedTerm source{ComposedTerm::Source::kInner, static_cast<int>(t), 0, {}};
    for (std::size_t k = 0; k < term.stride.size(); ++k) {
      const AxisMap& d1 = outer_.indexed[k];
      source.shift += term.stride[k] * d1.offset;
      for (std::size_t j = 0; j < d1.step.size(); ++j) seen.stride[j] += term.stride[k] * d1.step[j];
    }
    return add_term(std::move(seen), std::move(source));
  }

  /// The outer gather applied to the index tensor, which lies along the inner domain.
  int gathered_term(std::size_t t, const IndexTerm& term) {
    IndexPlan through = outer_;
    through.dtype = term.dtype;
    through.indexed_base = 0;  // the index tensor has its own memory
    through.dense_stride = dense_over_outer();
    for (std::size_t k = 0; k < through.indexed.size(); ++k) through.indexed[k].stride = term.stride[k];
    IndexTerm read{term.dtype, through.dense_stride, term.bounds};
    return add_term(std::move(read), {ComposedTerm::Source::kGathered, static_cast<int>(t), 0, std::move(through)});
  }

  Axes dense_over_outer() const {
    Axes stride(outer_.domain.size(), 1);
    for (std::size_t k = stride.size(); k-- > 1;) stride[k - 1] = stride[k] * outer_.domain[k];
    return stride;
  }

  const IndexPlan& outer_;
  const IndexPlan& inner_;
  Composition out_;
  std::vector<int> outer_number_;  // the composed number of each outer term, -1 while unused
};

}  // namespace

Result<Composition> compose(const IndexPlan& outer, const IndexPlan& inner) {
  GARNER_TRY(verify(outer));
  GARNER_TRY(verify(inner));
  if (!is_plain(outer) || !is_plain(inner)) return refuse("both must be gathers without mask and fill tensor");
  if (fills(outer) || fills(inner)) return refuse("a filled position of one gather is not an index of the other");
  if (bounds_positions(outer)) return refuse("the outer gather's bounds speak of positions");
  if (outer.dtype != inner.dtype) return refuse("the gathers have different dtypes");
  Axes extents;
  for (const AxisMap& map : outer.indexed) extents.push_back(map.extent);
  if (extents != inner.domain) return refuse("the outer gather's operand has not the inner one's result shape");
  return Composer(outer, inner).run();
}

}  // namespace garner
