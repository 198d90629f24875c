// Sorting by the whole device: CUB's, compiled once for each kind of keys.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

#include "garner/axes.h"

namespace garner {

/// Memory of the sort's own.
struct SortRoom {
  void* memory;  // null: only its size is wanted
  std::size_t& bytes;
};

template <class K>
struct Pairs {
  const K *key, *along;
  K *sorted_key, *sorted_along;
  Index count;
  int first_bit, end_bit;  // of the keys; others do not count
};

/// Stable.
cudaError_t sort_pairs(const SortRoom& room, const Pairs<std::uint32_t>& pairs, cudaStream_t stream);
cudaError_t sort_pairs(const SortRoom& room, const Pairs<std::uint64_t>& pairs, cudaStream_t stream);

}  // namespace garner
