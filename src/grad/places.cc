#include "grad/places.h"

#include "grad/state.h"

namespace garner::grad {
namespace {

/// A place that a write would drop reads as zero, and a read that is filled writes nothing.
void set_outside(IndexPlan& plan, OutOfRange from, OutOfRange to) {
  for (IndexTerm& term : plan.terms)
    if (term.bounds.policy == from) term.bounds.policy = to;
}

/// What a tensor shows along the domain, in its own memory, without the axes along which it does not change.
Tensor compact(const View& tensor, const Axes& domain, Axes& stride) {
  Axes shape = domain;
  for (std::size_t a = 0; a < shape.size(); ++a)
    if (stride[a] == 0) shape[a] = std::min<Index>(shape[a], 1);
  Tensor copy = value_or_throw(contiguous(View(tensor).seen_as(shape, stride)));
  const Axes dense = row_major(shape);
  for (std::size_t a = 0; a < shape.size(); ++a) stride[a] = stride[a] == 0 ? 0 : dense[a];
  return copy;
}

}  // namespace

Places::Places(const Job& job) {
  skeleton_.op = job.op;
  skeleton_.plan = job.plan;
  skeleton_.indices = job.indices;
  skeleton_.labels = job.labels;
  skeleton_.mask = job.mask;
  skeleton_.plan.direction = Direction::kGather;
  skeleton_.plan.combine = Combine::kAssign;
  skeleton_.plan.fill_stride.reset();
  skeleton_.plan.fetch_stride.reset();
  skeleton_.plan.indexed_base = 0;
  set_outside(skeleton_.plan, OutOfRange::kDrop, OutOfRange::kFill);
}

SharedPlaces Places::kept(const Job& job) {
  auto places = std::make_shared<Places>(job);
  Job& own = places->skeleton_;
  for (std::size_t t = 0; t < own.indices.size(); ++t) {
    own.kept.push_back(compact(own.indices[t], own.plan.domain, own.plan.terms[t].stride));
    own.indices[t] = own.kept.back();
  }
  if (own.mask) {
    own.kept.push_back(compact(*own.mask, own.plan.domain, *own.plan.mask_stride));
    const Tensor& mask = own.kept.back();
    own.mask = View(mask).seen_as(own.plan.domain, *own.plan.mask_stride);
  }
  return places;
}

SharedPlaces Places::of_view(const View& view, Index offset, Index elements) {
  std::shared_ptr<Places> places(new Places);
  IndexPlan& plan = places->skeleton_.plan;
  places->skeleton_.op = "view";
  plan.domain = view.shape();
  plan.indexed = {{.extent = elements, .stride = 1, .offset = offset, .step = view.stride(), .term = -1}};
  return places;
}

Axes Places::shape() const {
  Axes shape;
  for (const AxisMap& map : skeleton_.plan.indexed) shape.push_back(map.extent);
  return shape;
}

Result<Tensor> Places::pull(const View& x, const RunOptions& options) const {
  Job job = skeleton_;
  job.plan.dtype = x.dtype();
  job.plan.dense_stride = row_major(domain());
  for (std::size_t a = 0; a < job.plan.indexed.size(); ++a) job.plan.indexed[a].stride = x.stride()[a];
  job.operand = x;
  job.result_shape = domain();
  return run_one(job, options);
}

Result<Tensor> Places::push(const View& u, Combine combine, const std::optional<View>& base,
                            const RunOptions& options) const {
  Job job = skeleton_;
  job.plan.direction = Direction::kScatter;
  job.plan.combine = combine;
  job.plan.dtype = u.dtype();
  job.plan.dense_stride = u.stride();
  set_outside(job.plan, OutOfRange::kFill, OutOfRange::kDrop);
  job.updates = u;
  job.operand = base;
  job.result_shape = shape();
  return run_one(job, options);
}

Var pull(const SharedPlaces& places, const Var& x) {
  return record("pull", value_or_throw(places->pull(x.value())), {x},
                [places](const Var& cotangent, const Var&) { return std::vector<Var>{push(places, cotangent)}; });
}

Var push(const SharedPlaces& places, const Var& u) {
  return record("push", value_or_throw(places->push(u.value(), Combine::kAdd, std::nullopt)), {u},
                [places](const Var& cotangent, const Var&) { return std::vector<Var>{pull(places, cotangent)}; });
}

}  // namespace garner::grad
