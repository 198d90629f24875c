// A plan as a kernel on a device is given it: plain numbers, by value, as a launch's parameter. No memory is needed for
// it, and a captured graph keeps it.
#pragma once
#include "kernel/kernel.h"

namespace garner {

/// How many axes and index tensors a kernel is compiled for: the smaller, the more stays in registers.
template <int kMostAxes, int kMostTerms>
struct PlanSize {
  static constexpr int kAxes = kMostAxes, kTerms = kMostTerms;
};
using LargestPlan = PlanSize<32, 32>;  // 20 KB of the 32 KB that parameters may have

template <int kAxes>
struct DeviceTerm {
  const void* index;
  Bounds bounds;
  Index scale;  // elements that one step of the index moves
  Index window;  // what the axis adds to the index, for bounds at position
  std::uint8_t log_bytes;  // of one index: 0 … 3
  bool is_signed;
  Index stride[kAxes], window_step[kAxes];
};

/// The first `axes` axes of a plan's domain.
template <class Size>
struct DevicePlan {
  int axes, terms;
  Index positions;  // of these axes
  Index base;  // element offset on the indexed side where all positions and indices are 0
  void *indexed, *dense, *fetched;
  const std::uint8_t* mask;
  const void* fill;
  void* ledger;
  std::uint64_t sequence;
  Index extent[Size::kAxes], step[Size::kAxes], dense_stride[Size::kAxes], mask_stride[Size::kAxes],
      fill_stride[Size::kAxes], fetch_stride[Size::kAxes], number_stride[Size::kAxes];
  DeviceTerm<Size::kAxes> term[Size::kTerms];  // in the order of the axes
};

/// Axes of the indexed side that look up an index: so many terms a device plan has.
std::size_t lookups(const IndexPlan& plan);

/// Does it fit the largest?
bool fits_device(const IndexPlan& plan);

template <class Size>
DevicePlan<Size> device_plan(const Launch& launch, std::size_t axes);

/// f.template operator()<Size>() with the smallest size that holds so many.
template <class F>
void with_plan_size(std::size_t axes, std::size_t terms, F&& f) {
  if (axes <= 1 && terms <= 1) return f.template operator()<PlanSize<1, 1>>();
  if (axes <= 2 && terms <= 1) return f.template operator()<PlanSize<2, 1>>();
  if (axes <= 4 && terms <= 2) return f.template operator()<PlanSize<4, 2>>();
  return f.template operator()<LargestPlan>();
}

}  // namespace garner
