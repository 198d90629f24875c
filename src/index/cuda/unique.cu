// Equal elements stand behind one another once all are sorted; a running sum over the beginnings numbers their groups.
#include <cub/device/device_scan.cuh>

#include "device/cuda/runtime.h"
#include "index/cuda/sort.cuh"

namespace garner::index::on_cuda {
namespace {

template <class Keys, class Id>
__global__ void __launch_bounds__(kThreads)
    mark_begins(const Keys keys, const typename Keys::Bits* data, const Id* sorted, Index n, Index* begins) {
  for (Index i = grid_thread(); i < n; i += grid_threads())
    begins[i] = i == 0 || keys(data[sorted[i]]) != keys(data[sorted[i - 1]]) ? 1 : 0;
}

Status add_up(const Where& where, Index* values, Index n) {
  std::size_t bytes = 0;
  GARNER_CUDA_TRY(cub::DeviceScan::InclusiveSum(nullptr, bytes, values, values, n, stream_of(where)));
  auto space = cuda_memory(where.device, where.stream, static_cast<Index>(bytes));
  if (!space.ok()) return space.status();
  GARNER_CUDA_TRY(cub::DeviceScan::InclusiveSum(space->get(), bytes, values, values, n, stream_of(where)));
  return {};
}

/// group[i] counts the groups that have begun at sorted entry i or before.
template <class Bits, class Id>
__global__ void __launch_bounds__(kThreads)
    put_groups(const Id* sorted, const Index* group, Index n, const Bits* data, const GroupsOut out, Index* begins) {
  for (Index i = grid_thread(); i < n; i += grid_threads()) {
    const Index g = group[i] - 1, place = static_cast<Index>(sorted[i]);
    out.inverse[place] = g;
    if (i > 0 && group[i - 1] == group[i]) continue;
    begins[g] = i;
    if (g >= out.capacity) continue;
    out.index[g] = place;
    static_cast<Bits*>(out.values)[g] = data[place];
  }
}

__global__ void __launch_bounds__(kThreads)
    write_counts(const Index* begins, Index groups, Index n, const GroupsOut out) {
  for (Index g = grid_thread(); g < groups && g < out.capacity; g += grid_threads())
    out.counts[g] = (g + 1 < groups ? begins[g + 1] : n) - begins[g];
}

Status clear(const Where& where, void* memory, Index bytes) {
  if (bytes > 0) GARNER_CUDA_TRY(cudaMemsetAsync(memory, 0, static_cast<std::size_t>(bytes), stream_of(where)));
  return {};
}

Status clear(const Where& where, const GroupsOut& out, int width) {
  if (Status status = clear(where, out.values, out.capacity * width); !status.ok()) return status;
  if (Status status = clear(where, out.index, out.capacity * 8); !status.ok()) return status;
  return clear(where, out.counts, out.capacity * 8);
}

}  // namespace

Result<Groups> group_equal(const Where& where, const SortQuery& query, Index n) {
  Groups groups{.elements = n};
  if (n == 0) return groups;
  const OnDevice on(where.device);
  auto sorted = sorted_numbers(where, {1, n, 1}, query.data, query.code);
  if (!sorted.ok()) return sorted.status();
  groups.sorted = std::make_shared<SortedNumbers>(*std::move(sorted));
  auto numbers = cuda_memory(where.device, where.stream, n * 8);
  if (!numbers.ok()) return numbers.status();
  groups.number = *std::move(numbers);
  auto* const begins = static_cast<Index*>(groups.number.get());
  const Status status = with_keys(query.code, [&](const auto& keys) {
    return with_numbers(*groups.sorted, [&](const auto* order) -> Status {
      const auto* data = static_cast<const typename std::remove_cvref_t<decltype(keys)>::Bits*>(query.data);
      mark_begins<<<loop_blocks(where, n), kThreads, 0, stream_of(where)>>>(keys, data, order, n, begins);
      GARNER_CUDA_TRY(cudaGetLastError());
      return add_up(where, begins, n);
    });
  });
  if (!status.ok()) return status;
  auto count = read_index(where, begins + n - 1);
  if (!count.ok()) return count.status();
  groups.count = *count;
  return groups;
}

Status write_groups(const Where& where, const Groups& groups, const SortQuery& query, const GroupsOut& out) {
  const OnDevice on(where.device);
  if (Status status = clear(where, out, query.code.width); !status.ok() || groups.elements == 0) return status;
  auto memory = cuda_memory(where.device, where.stream, groups.count * 8);
  if (!memory.ok()) return memory.status();
  auto* const begins = static_cast<Index*>(memory->get());
  const auto* number = static_cast<const Index*>(groups.number.get());
  const Index n = groups.elements;
  const Status status = with_numbers(*groups.sorted, [&](const auto* order) {
    return with_bits(query.code.width, [&]<class Bits>(Bits) -> Status {
      const auto* data = static_cast<const Bits*>(query.data);
      put_groups<<<loop_blocks(where, n), kThreads, 0, stream_of(where)>>>(order, number, n, data, out, begins);
      GARNER_CUDA_TRY(cudaGetLastError());
      return {};
    });
  });
  if (!status.ok()) return status;
  write_counts<<<loop_blocks(where, groups.count), kThreads, 0, stream_of(where)>>>(begins, groups.count, n, out);
  GARNER_CUDA_TRY(cudaGetLastError());
  return {};
}

}  // namespace garner::index::on_cuda
