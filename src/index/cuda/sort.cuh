// All elements in the order of their keys, lane by lane: the numbers of the elements, sorted.
#pragma once
#include "index/cuda/keys.cuh"

namespace garner::index::on_cuda {

/// Elements are numbered lane after lane, each along its axis.
struct Numbering {
  Index outer, count, inner;
  explicit Numbering(const Lanes& lanes) : outer(lanes.outer), count(lanes.count), inner(lanes.inner) {}
  __host__ __device__ Index lanes() const { return outer * inner; }
  __host__ __device__ Index elements() const { return lanes() * count; }
  /// Where entry i of a lane lies in an array that has `length` entries along the axis.
  __host__ __device__ Index offset(Index lane, Index i, Index length) const {
    return (lane / inner * length + i) * inner + lane % inner;
  }
};

/// Numbers of 4 bytes where they suffice, else of 8.
struct SortedNumbers {
  std::shared_ptr<void> memory;
  bool wide = false;
};

/// Equal elements keep their order.
Result<SortedNumbers> sorted_numbers(const Where& where, const Lanes& lanes, const void* data, const KeyCode& code);

/// f(numbers) with a pointer to them.
template <class F>
Status with_numbers(const SortedNumbers& sorted, F&& f) {
  if (sorted.wide) return f(static_cast<const std::uint64_t*>(sorted.memory.get()));
  return f(static_cast<const std::uint32_t*>(sorted.memory.get()));
}

}  // namespace garner::index::on_cuda
