#include "kernel/common/device_plan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernel/common/odometer.h"

namespace garner {
namespace {

void put(const Axes& from, std::size_t count, Index* to) { std::copy_n(from.begin(), count, to); }
void put(const std::optional<Axes>& from, std::size_t count, Index* to) {
  if (from) put(*from, count, to);
}

}  // namespace

std::size_t lookups(const IndexPlan& plan) {
  return static_cast<std::size_t>(
      std::ranges::count_if(plan.indexed, [](const AxisMap& map) { return map.term >= 0; }));
}

bool fits_device(const IndexPlan& plan) {
  return plan.domain.size() <= LargestPlan::kAxes && lookups(plan) <= LargestPlan::kTerms;
}

template <class Size>
DevicePlan<Size> device_plan(const Launch& launch, std::size_t axes) {
  const IndexPlan& plan = launch.plan;
  const Buffers& buffers = launch.buffers;
  DevicePlan<Size> out;
  std::memset(static_cast<void*>(&out), 0, sizeof out);
  const Affine affine(plan);
  out.axes = static_cast<int>(axes);
  out.base = affine.base;
  out.positions = 1;
  for (std::size_t k = 0; k < axes; ++k) out.positions *= plan.domain[k];
  out.indexed = buffers.indexed[0];
  out.dense = buffers.dense[0];
  out.fetched = buffers.fetched;
  out.mask = static_cast<const std::uint8_t*>(buffers.mask);
  out.fill = buffers.fill;
  out.ledger = launch.cuda->ledger;
  out.sequence = launch.cuda->sequence;
  put(plan.domain, axes, out.extent);
  put(affine.step, axes, out.step);
  put(plan.dense_stride, axes, out.dense_stride);
  put(plan.mask_stride, axes, out.mask_stride);
  put(plan.fill_stride, axes, out.fill_stride);
  put(plan.fetch_stride, axes, out.fetch_stride);
  put(launch.cuda->number_stride, axes, out.number_stride);
  for (const AxisMap& map : plan.indexed) {
    if (map.term < 0) continue;
    const auto t = static_cast<std::size_t>(map.term);
    const IndexTerm& term = plan.terms[t];
    DeviceTerm<Size::kAxes>& to = out.term[out.terms++];
    to.index = buffers.indices[t];
    to.bounds = term.bounds;
    to.scale = map.stride;
    to.window = map.offset;
    to.log_bytes = static_cast<std::uint8_t>(std::countr_zero(static_cast<unsigned>(width(term.dtype))));
    to.is_signed = kind(term.dtype) == Kind::kInt;
    put(term.stride, axes, to.stride);
    put(map.step, axes, to.window_step);
  }
  return out;
}

template DevicePlan<PlanSize<1, 1>> device_plan(const Launch&, std::size_t);
template DevicePlan<PlanSize<2, 1>> device_plan(const Launch&, std::size_t);
template DevicePlan<PlanSize<4, 2>> device_plan(const Launch&, std::size_t);
template DevicePlan<LargestPlan> device_plan(const Launch&, std::size_t);

}  // namespace garner
