// Two ways from a position to its places: any plan's, and that of plans with one axis and a plain index. Kernels are
// compiled for both.
#pragma once
#include "kernel/common/odometer.h"
#include "kernel/common/plain_index.cuh"

namespace garner {

/// Any plan.
template <class Size>
struct AnyPlaces {
  DevicePlan<Size> plan;
  /// One of the threads that ask for a position reports a bad index.
  __device__ Spot at(Index position, bool reports = true) const { return locate(plan, position, reports); }
  __device__ Index positions() const { return plan.positions; }
  __device__ const void* fill() const { return plan.fill; }
};

/// One axis, of which nothing but the index moves the indexed side.
template <class I>
struct OneLookup {
  PlainIndex plain;
  const I* index;
  Index count, index_stride, base, scale, dense_stride, fill_stride, number_stride;
  const void* fill_data;

  __device__ Spot at(Index position, bool reports = true) const {
    const Index raw = __ldg(index + position * index_stride);
    Index above;
    Spot spot;
    spot.valid = plain.resolve(raw, above);
    spot.indexed = base + above * scale;
    spot.dense = position * dense_stride;
    spot.fill = position * fill_stride;
    if (!spot.valid && reports) plain.report(position * number_stride, raw);
    return spot;
  }
  __device__ Index positions() const { return count; }
  __device__ const void* fill() const { return fill_data; }
};

/// Of the first axis, where the others are the kernel's own business.
template <class I>
OneLookup<I> one_lookup(const Launch& l) {
  const IndexPlan& plan = l.plan;
  const PlainIndex plain = plain_index(l);
  const Index scale = looked_up(plan).stride;
  return {.plain = plain,
          .index = static_cast<const I*>(l.buffers.indices[0]),
          .count = plan.domain[0],
          .index_stride = plan.terms[0].stride[0],
          .base = Affine(plan).base + plain.lo * scale,
          .scale = scale,
          .dense_stride = plan.dense_stride[0],
          .fill_stride = plan.fill_stride ? (*plan.fill_stride)[0] : 0,
          .number_stride = l.cuda->number_stride[0],
          .fill_data = l.buffers.fill};
}

/// f(places) for a launch of which `axes` axes are walked.
template <class F>
void with_places(const Launch& l, std::size_t axes, F&& f) {
  if (axes == 1 && has_plain_index(l.plan) && Affine(l.plan).step[0] == 0)
    return with_index_type(l.plan, [&]<class I>() { f(one_lookup<I>(l)); });
  with_plan_size(axes, lookups(l.plan), [&]<class Size>() { f(AnyPlaces<Size>{device_plan<Size>(l, axes)}); });
}

}  // namespace garner
