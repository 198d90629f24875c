// result = flat operand at sum stride * position; where the mask or an index says so, the fill. Where the plan is a
// slice, a take along an axis or one element along an axis, that is what is written.
#include <algorithm>

#include "tensor/walk.h"
#include "translate/views.h"
#include "translate/work.h"

namespace garner::translate_detail {
namespace {

/// What is read, and how it lies.
struct Operand {
  int array;
  Axes stride;
  Index base;
};

/// A constant is copied out of the memory it lies in.
Operand operand_of(Work& w) {
  const Source& source = *w.placed->operand;
  const IndexPlan& plan = w.plan();
  if (!source.is(Source::Kind::kConstant))
    return {w.data(w.array_of(source)), w.indexed_stride(), source.offset + plan.indexed_base};
  const auto* first = static_cast<const std::byte*>(source.view.data()) + plan.indexed_base * width(plan.dtype);
  const int copy = w.constant(View(plan.dtype, first, w.indexed_shape(), w.indexed_stride()));
  return {w.data(copy), row_major(w.indexed_shape()), 0};
}

int fill_of(Work& w) {
  if (w.placed->fill) return w.data(w.along(*w.placed->fill, w.plan().domain, *w.plan().fill_stride));
  return w.b.zeros(w.dtype, {});
}

/// No index: slices say it.
Walk affine_walk(const IndexPlan& plan, const Operand& from) {
  Walk walk{from.base, plan.domain, Axes(plan.domain.size(), 0)};
  for (std::size_t a = 0; a < from.stride.size(); ++a) {
    walk.offset += plan.indexed[a].offset * from.stride[a];
    for (std::size_t k = 0; k < walk.stride.size(); ++k) walk.stride[k] += plan.indexed[a].step[k] * from.stride[a];
  }
  return walk;
}

// ---- families ----

bool stands_still(const AxisMap& map) {
  return map.offset == 0 && std::ranges::all_of(map.step, [](Index s) { return s == 0; });
}

/// Follows domain axis k, and nothing else.
bool follows(const AxisMap& map, std::size_t k) {
  Axes unit(map.step.size(), 0);
  unit[k] = 1;
  return map.term < 0 && map.step == unit;
}

/// The one axis that is looked up, and by nothing but its index.
std::optional<std::size_t> only_term_axis(const IndexPlan& plan) {
  std::optional<std::size_t> axis;
  for (std::size_t a = 0; a < plan.indexed.size(); ++a) {
    if (plan.indexed[a].term < 0) continue;
    if (axis || !stands_still(plan.indexed[a])) return std::nullopt;
    axis = a;
  }
  return axis;
}

/// operand[:, …, index, …, :]: the axis that is looked up, when all the others are whole.
std::optional<std::size_t> slices_axis(const IndexPlan& plan) {
  const auto axis = only_term_axis(plan);
  const std::size_t rank = plan.indexed.size(), domain = plan.domain.size();
  if (!axis || domain + 1 < rank) return std::nullopt;
  for (std::size_t a = 0; a < rank; ++a) {
    if (a == *axis) continue;
    const AxisMap& map = plan.indexed[a];
    const std::size_t k = a < *axis ? a : a + domain - rank;
    const bool whole = follows(map, k) && map.offset == 0 && plan.domain[k] == map.extent;
    if (!whole || plan.terms[0].stride[k] != 0) return std::nullopt;
  }
  return axis;
}

/// One index per element, along one axis; the others follow the domain's axis of the same number.
std::optional<std::size_t> elements_axis(const IndexPlan& plan) {
  const auto axis = only_term_axis(plan);
  if (!axis || plan.domain.size() != plan.indexed.size()) return std::nullopt;
  for (std::size_t a = 0; a < plan.indexed.size(); ++a)
    if (a != *axis && !follows(plan.indexed[a], a)) return std::nullopt;
  return axis;
}

/// In range also where nothing is read.
int safe_index(Work& w, const Places& places, std::size_t axis) {
  const int v = places.value[0];
  return places.valid ? w.b.clamp(v, 0, w.plan().indexed[axis].extent - 1) : v;
}

int take_slices(Work& w, int operand, const Places& places, std::size_t axis) {
  const IndexPlan& plan = w.plan();
  const auto first = plan.domain.begin() + static_cast<Index>(axis);
  const Axes own(first, first + static_cast<Index>(plan.domain.size() + 1 - plan.indexed.size()));
  Axes shape(plan.domain.size(), 1);
  std::ranges::copy(own, shape.begin() + static_cast<Index>(axis));
  const int index = w.b.reshape(w.b.broadcast(safe_index(w, places, axis), shape), own);
  return w.b.take_axis(operand, index, static_cast<Index>(axis));
}

int take_elements(Work& w, int operand, const Places& places, std::size_t axis) {
  const IndexPlan& plan = w.plan();
  Axes starts, extents = plan.domain;
  for (const AxisMap& map : plan.indexed) starts.push_back(map.offset);
  extents[axis] = plan.indexed[axis].extent;
  const int index = w.b.broadcast(safe_index(w, places, axis), plan.domain);
  const int part = w.b.slice(operand, starts, extents, Axes(starts.size(), 1));
  return w.b.take_elements(part, index, static_cast<Index>(axis));
}

int take_flat(Work& w, const Operand& from, const Places& places) {
  const Axes& domain = w.plan().domain;
  int position = flat_position(w, places, from.stride, from.base);
  if (places.valid) position = w.b.select(*places.valid, position, w.b.number(0));
  w.b.call_it(position, "position");
  return w.b.reshape(w.b.take(w.b.flat(from.array), w.b.flat(w.b.broadcast(position, domain))), domain);
}

int take(Work& w, const Operand& from, const Places& places) {
  const Axes shape = w.indexed_shape();
  if (w.plan().terms.empty()) return walk_over(w.b, from.array, affine_walk(w.plan(), from));
  const bool whole = from.base == 0 && w.b[from.array].shape == shape && from.stride == row_major(shape);
  if (!whole) return take_flat(w, from, places);
  if (const auto axis = slices_axis(w.plan())) return take_slices(w, from.array, places, *axis);
  const auto axis = w.target.take_elements ? elements_axis(w.plan()) : std::nullopt;
  return axis ? take_elements(w, from.array, places, *axis) : take_flat(w, from, places);
}

}  // namespace

int lower_gather(Work& w) {
  const Axes& domain = w.plan().domain;
  if (any_zero(domain)) return w.b.zeros(w.dtype, domain);
  // Where there is nothing to read, only the fill is left.
  if (any_zero(w.placed->operand->view.shape()) || any_zero(w.indexed_shape()))
    return w.b.broadcast(fill_of(w), domain);
  const Operand from = operand_of(w);
  const Places places = places_of(w);
  int out = take(w, from, places);
  if (places.valid) out = w.choose(*places.valid, out, fill_of(w));
  return w.b.broadcast(out, domain);
}

}  // namespace garner::translate_detail
