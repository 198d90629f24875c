// Two ways from a position to its places: any plan's, and that of the plans most calls become, which takes a tenth of
// the instructions. Kernels are compiled for both.
#pragma once
#include <optional>

#include "kernel/common/locate.cuh"
#include "kernel/common/odometer.h"

namespace garner {

/// Any plan.
template <class Size>
struct AnyPlaces {
  DevicePlan<Size> plan;
  __device__ Spot at(Index position) const { return locate(plan, position); }
  __device__ Index positions() const { return plan.positions; }
  __device__ const void* fill() const { return plan.fill; }
};

/// One axis, one index tensor of i32 or i64, nothing else that moves the indexed side, no mask.
template <class I>
struct OneLookup {
  const I* index;
  Index count, index_stride, base, scale, dense_stride, fill_stride, number_stride;
  Index lo, wrap;
  std::uint64_t size;  // of the range; all there is where nothing is checked
  const void* fill_data;
  void* ledger;  // null: a bad index is no error
  std::uint64_t sequence;

  __device__ Spot at(Index position) const {
    const I raw = __ldg(index + position * index_stride);
    const Index value = raw < 0 ? raw + wrap : raw;
    Spot spot;
    spot.valid = is_inside(static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(lo), size);
    spot.indexed = base + value * scale;
    spot.dense = position * dense_stride;
    spot.fill = position * fill_stride;
    if (!spot.valid && ledger != nullptr)
      record_fault(ledger, sequence, static_cast<std::uint64_t>(position * number_stride),
                   static_cast<std::uint64_t>(static_cast<Index>(raw)));
    return spot;
  }
  __device__ Index positions() const { return count; }
  __device__ const void* fill() const { return fill_data; }
};

/// Is the index of the plan's only lookup compared with a range, or promised to be in it?
inline bool is_plain_lookup(const IndexPlan& plan) {
  if (lookups(plan) != 1 || plan.mask_stride || plan.fetch_stride) return false;
  const IndexTerm& term = plan.terms[0];
  const bool plain = is_checked(term.bounds.policy) || term.bounds.policy == OutOfRange::kPromise;
  return plain && term.bounds.scope == Scope::kTerm && (term.dtype == DType::kI32 || term.dtype == DType::kI64);
}

/// Of the first axis, where the others are the kernel's own business.
template <class I>
OneLookup<I> one_lookup(const Launch& l) {
  const IndexPlan& plan = l.plan;
  const IndexTerm& term = plan.terms[0];
  const bool checked = is_checked(term.bounds.policy);
  Index scale = 0;
  for (const AxisMap& map : plan.indexed)
    if (map.term >= 0) scale = map.stride;
  return {.index = static_cast<const I*>(l.buffers.indices[0]),
          .count = plan.domain[0],
          .index_stride = term.stride[0],
          .base = Affine(plan).base,
          .scale = scale,
          .dense_stride = plan.dense_stride[0],
          .fill_stride = plan.fill_stride ? (*plan.fill_stride)[0] : 0,
          .number_stride = l.cuda->number_stride[0],
          .lo = checked ? term.bounds.lo : 0,
          .wrap = term.bounds.wrap,
          .size = checked ? static_cast<std::uint64_t>(term.bounds.hi - term.bounds.lo) : UINT64_MAX,
          .fill_data = l.buffers.fill,
          .ledger = term.bounds.policy == OutOfRange::kTrap ? l.cuda->ledger : nullptr,
          .sequence = l.cuda->sequence};
}

/// f(places) for a launch of which `axes` axes are walked.
template <class F>
void with_places(const Launch& l, std::size_t axes, F&& f) {
  if (axes == 1 && is_plain_lookup(l.plan) && Affine(l.plan).step[0] == 0)
    return l.plan.terms[0].dtype == DType::kI32 ? f(one_lookup<std::int32_t>(l)) : f(one_lookup<Index>(l));
  with_plan_size(axes, lookups(l.plan), [&]<class Size>() { f(AnyPlaces<Size>{device_plan<Size>(l, axes)}); });
}

}  // namespace garner
