#include "kernel/scatter_combine/sort_pairs.h"

#include <cub/device/device_radix_sort.cuh>

namespace garner {
namespace {

template <class K>
cudaError_t sort(const SortRoom& room, const Pairs<K>& p, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortPairs(room.memory, room.bytes, p.key, p.sorted_key, p.along, p.sorted_along, p.count,
                                         p.first_bit, p.end_bit, stream);
}

}  // namespace

cudaError_t sort_pairs(const SortRoom& room, const Pairs<std::uint32_t>& pairs, cudaStream_t stream) {
  return sort(room, pairs, stream);
}
cudaError_t sort_pairs(const SortRoom& room, const Pairs<std::uint64_t>& pairs, cudaStream_t stream) {
  return sort(room, pairs, stream);
}

}  // namespace garner
