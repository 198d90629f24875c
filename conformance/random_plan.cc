#include "conformance/random_plan.h"

#include <algorithm>
#include <cstring>

#include "dtype/convert.h"
#include "plan/range.h"

namespace garner::conformance {
namespace {

Index number(Index lo, Index hi) { return *rc::gen::inRange<Index>(lo, hi + 1); }
bool coin() { return number(0, 1) == 1; }
template <class T>
T pick(const std::vector<T>& from) {
  return from[static_cast<std::size_t>(number(0, static_cast<Index>(from.size()) - 1))];
}

/// Extents round the places where loops go wrong: empty, one, odd.
Index extent() { return pick<Index>({0, 1, 1, 2, 3, 4, 5, 7, 8, 9}); }

DType element_dtype() { return kDTypes[static_cast<std::size_t>(number(0, std::size(kDTypes) - 1))].dtype; }
DType index_dtype() {
  return pick<DType>(
      {DType::kI8, DType::kI16, DType::kI32, DType::kI64, DType::kU8, DType::kU16, DType::kU32, DType::kU64});
}

/// Small whole numbers, which every dtype holds and adds exactly often enough to be interesting, and often inexactly.
void fill_numbers(Tensor& t) {
  dispatch(t.dtype(), [&]<class T>() {
    for (Index i = 0; i < t.elements(); ++i) t.as<T>()[i] = convert<T>(static_cast<double>(number(0, 9)));
  });
}

/// Memory with a random layout for the given shape: axes in any order, gaps, reversed. Repeats (stride 0) if allowed.
View random_layout(DType dtype, const Axes& shape, bool may_repeat, Job& job) {
  Axes stride(shape.size(), 0);
  std::vector<std::size_t> order(shape.size());
  for (std::size_t a = 0; a < order.size(); ++a) order[a] = a;
  for (std::size_t a = order.size(); a > 1; --a)
    std::swap(order[a - 1], order[static_cast<std::size_t>(number(0, static_cast<Index>(a) - 1))]);
  Index step = 1, lowest = 0;
  for (const std::size_t a : order) {
    if (may_repeat && number(0, 4) == 0) continue;
    step *= number(1, 2);
    stride[a] = coin() ? step : -step;
    const Index reach = std::max<Index>(shape[a] - 1, 0) * step;
    if (stride[a] < 0) lowest += reach;
    step += reach;
  }
  Tensor memory = *Tensor::zeros(dtype, {step + 1});
  fill_numbers(memory);
  job.kept.push_back(memory);
  return {dtype, static_cast<const std::byte*>(memory.data()) + lowest * width(dtype), shape, stride};
}

template <class T>
void put_index(void* at, Index value) {
  // Values a dtype cannot hold would turn into others; the nearest it can is as good a test.
  const __int128 lo = std::numeric_limits<T>::min(), hi = std::numeric_limits<T>::max();
  const __int128 v = value;
  *static_cast<T*>(at) = static_cast<T>(v < lo ? lo : v > hi ? hi : v);
}

/// Mostly in range, some just outside at both ends, a few extreme.
Index index_value(const Bounds& b, bool stay_inside) {
  const Index kind = stay_inside ? 0 : number(0, 19);
  if (kind == 18)
    return pick<Index>({INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1, -1, 127, 128, 255, 256, -129});
  if (kind == 19) return pick<Index>({b.lo - 1, b.hi, b.lo - b.wrap - 1, b.hi + 1, -b.wrap, -b.wrap - 1});
  if (kind == 17 && b.wrap > 0) return b.hi > b.lo ? number(b.lo, b.hi - 1) - b.wrap : -1;
  return b.hi > b.lo ? number(b.lo, b.hi - 1) : 0;
}

void fill_indices(const IndexTerm& term, bool stay_inside, Tensor& memory) {
  dispatch_index(term.dtype, [&]<class T>() {
    for (Index i = 0; i < memory.elements(); ++i)
      put_index<T>(memory.as<T>() + i, index_value(term.bounds, stay_inside));
  }, [] {});
}

OutOfRange policy(Direction direction) {
  const OutOfRange skip = direction == Direction::kGather ? OutOfRange::kFill : OutOfRange::kDrop;
  return pick<OutOfRange>(
      {OutOfRange::kTrap, OutOfRange::kClamp, OutOfRange::kModulo, skip, skip, OutOfRange::kPromise});
}

/// An axis that adds up to `window` positions behind an index value.
void add_term_axis(Job& job, AxisMap& map, Index window) {
  IndexPlan& plan = job.plan;
  IndexTerm term;
  term.dtype = index_dtype();
  term.bounds.policy = policy(plan.direction);
  const bool skips = term.bounds.policy == OutOfRange::kFill || term.bounds.policy == OutOfRange::kDrop ||
                     term.bounds.policy == OutOfRange::kTrap;
  term.bounds.scope = skips && coin() ? Scope::kPosition : Scope::kTerm;
  map.extent = std::max<Index>(extent(), 1) + window;
  // Base 1, as R counts, now and then.
  const Index base = number(0, 3) == 0 ? 1 : 0;
  map.offset = -base;
  const bool whole = term.bounds.scope == Scope::kTerm;
  term.bounds.lo = whole ? base : 0;
  term.bounds.hi = map.extent - (whole ? window : 0) + (whole ? base : 0);
  if (coin() && base == 0) term.bounds.wrap = map.extent;
  const View view = random_layout(term.dtype, plan.domain, true, job);
  fill_indices(term, term.bounds.policy == OutOfRange::kPromise, job.kept.back());
  term.stride = view.stride();
  map.term = static_cast<int>(plan.terms.size());
  plan.terms.push_back(term);
  job.indices.push_back(view);
}

void add_axis(Job& job) {
  const IndexPlan& plan = job.plan;
  AxisMap map{.step = Axes(plan.domain.size(), 0)};
  if (!plan.domain.empty() && number(0, 3) != 0) {
    const auto k = static_cast<std::size_t>(number(0, static_cast<Index>(plan.domain.size()) - 1));
    map.step[k] = pick<Index>({1, 1, 1, 2, -1});
  }
  Range window{0, 0};
  if (!any_zero(plan.domain)) window = *affine_range(0, plan.domain, map.step);
  if (number(0, 2) != 0) {
    add_term_axis(job, map, window.hi - window.lo);
    map.offset -= window.lo;
  } else {
    map.offset = number(0, 2) - window.lo;
    map.extent = map.offset + window.hi + 1 + number(0, 1);
  }
  job.plan.indexed.push_back(std::move(map));
}

Combine combine_for(DType dtype) {
  std::vector<Combine> all = {Combine::kAssign, Combine::kAdd, Combine::kMul};
  if (kind(dtype) != Kind::kComplex) all.insert(all.end(), {Combine::kMin, Combine::kMax});
  if (is_integer(dtype) || dtype == DType::kBool) all.insert(all.end(), {Combine::kAnd, Combine::kOr, Combine::kXor});
  all.push_back(Combine::kCompareExchange);
  return pick(all);
}

Axes indexed_shape(const IndexPlan& plan) {
  Axes shape;
  for (const AxisMap& map : plan.indexed) shape.push_back(map.extent);
  return shape;
}

void add_operand(Job& job) {
  const View operand =
      random_layout(job.plan.dtype, indexed_shape(job.plan), job.plan.direction == Direction::kGather, job);
  job.operand = operand;
  for (std::size_t a = 0; a < job.plan.indexed.size(); ++a) job.plan.indexed[a].stride = operand.stride()[a];
}

void add_extras(Job& job) {
  IndexPlan& plan = job.plan;
  if (number(0, 3) == 0) {
    job.mask = random_layout(DType::kBool, plan.domain, true, job);
    plan.mask_stride = job.mask->stride();
  }
  if (number(0, 3) == 0 || plan.combine == Combine::kCompareExchange) {
    job.fill = random_layout(plan.dtype, plan.domain, true, job);
    plan.fill_stride = job.fill->stride();
  }
}

Job make_job() {
  Job job;
  job.op = "random";
  IndexPlan& plan = job.plan;
  plan.direction = coin() ? Direction::kGather : Direction::kScatter;
  plan.dtype = element_dtype();
  const Index rank = number(0, 4);
  for (Index k = 0; k < rank; ++k) plan.domain.push_back(extent());
  const Index axes = number(0, 4);
  for (Index a = 0; a < axes; ++a) add_axis(job);
  add_operand(job);
  if (plan.direction == Direction::kScatter) {
    plan.combine = combine_for(plan.dtype);
    job.updates = random_layout(plan.dtype, plan.domain, true, job);
    plan.dense_stride = job.updates->stride();
    if (number(0, 5) == 0) plan.fetch_stride = row_major(plan.domain);
  } else {
    plan.dense_stride = row_major(plan.domain);
  }
  add_extras(job);
  job.result_shape = plan.direction == Direction::kGather ? plan.domain : indexed_shape(plan);
  return job;
}

}  // namespace

rc::Gen<Job> random_job() {
  return rc::gen::exec([] { return make_job(); });
}

}  // namespace garner::conformance
