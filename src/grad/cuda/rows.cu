#include "grad/cuda/rows.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>

#include "device/cuda/runtime.h"
#include "garner/cuda.h"
#include "grad/cuda/walk.cuh"
#include "grad/step_formula.h"

namespace garner::on_device {
namespace {

using grad::plain::on_device::current_stream;
using grad::plain::on_device::for_each_element;
using grad::plain::on_device::grid_for;
using grad::plain::on_device::kThreads;
using grad::plain::on_device::launched;

using Key = unsigned long long;

/// What the host has to know: how many rows there are, and the first bad position.
struct Found {
  Index rows, bad;
};

__global__ void begin(Found* found, Index none) { *found = {0, none}; }

/// What is no row sorts behind all rows.
__global__ void make_keys(const Index* indices, Index elements, Index rows, bool has_padding, Index padding, Key* keys,
                          Index* positions, Found* found) {
  for_each_element(elements, [&](Index i) {
    const Index row = indices[i];
    const bool inside = row >= 0 && row < rows, skipped = has_padding && row == padding;
    keys[i] = static_cast<Key>(inside && !skipped ? row : rows);
    positions[i] = i;
    if (!inside && !skipped) atomicMin(reinterpret_cast<Key*>(&found->bad), static_cast<Key>(i));
  });
}

__global__ void count_rows(const Key* rows, const Index* runs, Index table_rows, Found* found) {
  const Index n = *runs;
  found->rows = n > 0 && rows[n - 1] == static_cast<Key>(table_rows) ? n - 1 : n;
}

template <class T>
__global__ void sum_positions(const Index* positions, const Index* begins, const typename T::Storage* of,
                              typename T::Storage* values, Index rows, Index columns) {
  for_each_element(rows * columns, [&](Index i) {
    const Index row = i / columns, column = i - row * columns;
    typename T::Compute sum{};
    for (Index p = begins[row]; p < begins[row + 1]; ++p) sum += T::load(of[positions[p] * columns + column]);
    values[i] = T::store(sum);
  });
}

template <class T>
__global__ void step_pieces(Formula formula, StepNumbers<typename T::Compute> n, Pieces pieces,
                            typename T::Storage* table, const typename T::Storage* gradient, typename T::Compute* first,
                            typename T::Compute* second) {
  using C = typename T::Compute;
  for_each_element(pieces.total, [&](Index i) {
    const Index piece = i / pieces.length, at = i - piece * pieces.length;
    const Index row = pieces.rows == nullptr ? piece : pieces.rows[piece], state = row * pieces.length + at;
    C w = T::load(table[row * pieces.table_step + at]), g = T::load(gradient[i]);
    if (n.decay != 0) g += n.decay * w;
    with_step(formula, [&]<class Step>() {
      if constexpr (Step::kStates == 0) Step::apply(n, w, g);
      else if constexpr (Step::kStates == 1) Step::apply(n, w, g, first[state]);
      else Step::apply(n, w, g, first[state], second[state]);
    });
    table[row * pieces.table_step + at] = T::store(w);
  });
}

/// f.operator()<Element>() for the dtypes of tables: f16, bf16, f32, f64.
template <class F>
void with_table_element(DType dtype, F&& f) {
  with_device_element(dtype, [&]<class T>() {
    if constexpr (std::is_floating_point_v<typename T::Compute> && sizeof(typename T::Storage) > 1)
      f.template operator()<T>();
  });
}

int bits_of(Index value) {
  int bits = 1;
  while (bits < 64 && value >> bits != 0) ++bits;
  return bits;
}

/// Memory of the thread's stream: given back when it has come that far.
Result<Tensor> scratch(DType dtype, Index elements, Device device) {
  return garner::cuda::empty(dtype, {elements}, device);
}

/// Calls one of CUB's functions twice: for how much memory it needs, and with that.
template <class F>
Status with_workspace(Device device, const F& call) {
  std::size_t bytes = 0;
  GARNER_CUDA_TRY(call(nullptr, bytes));
  const auto memory = scratch(DType::kU8, static_cast<Index>(bytes), device);
  if (!memory.ok()) return memory.status();
  Tensor workspace = *memory;
  GARNER_CUDA_TRY(call(workspace.mutable_data(), bytes));
  return {};
}

template <class T> T* at(Tensor& tensor) { return static_cast<T*>(tensor.mutable_data()); }

/// All that is made on the way, at the size of the batch.
struct Room {
  Tensor keys, order, sorted, positions, unique, counts, begins, runs, found;
};

Result<Room> room_for(Index n, Device device) {
  Room room;
  Tensor* tensors[] = {&room.keys,   &room.order,  &room.sorted, &room.positions, &room.unique,
                       &room.counts, &room.begins, &room.runs,   &room.found};
  for (Tensor* tensor : tensors) {
    auto memory = scratch(DType::kI64, n + 2, device);
    if (!memory.ok()) return memory.status();
    *tensor = *memory;
  }
  return room;
}

Status sort_rows(Room& r, const Tensor& indices, Index table_rows, std::optional<Index> padding) {
  const Index n = indices.elements();
  const Device device = indices.device();
  const cudaStream_t stream = current_stream();
  begin<<<1, 1, 0, stream>>>(at<Found>(r.found), n);
  make_keys<<<grid_for(n), kThreads, 0, stream>>>(static_cast<const Index*>(indices.data()), n, table_rows,
                                                  padding.has_value(), padding.value_or(0), at<Key>(r.keys),
                                                  at<Index>(r.order), at<Found>(r.found));
  GARNER_CUDA_TRY(cudaGetLastError());
  if (Status s = with_workspace(device,
                                [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, at<Key>(r.keys), at<Key>(r.sorted), at<Index>(r.order),
                                           at<Index>(r.positions), n, 0, bits_of(table_rows), stream);
  });
      !s.ok())
    return s;
  if (Status s = with_workspace(device,
                                [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(memory, bytes, at<Key>(r.sorted), at<Key>(r.unique), at<Index>(r.counts),
                                              at<Index>(r.runs), n, stream);
  });
      !s.ok())
    return s;
  return with_workspace(device, [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, at<Index>(r.counts), at<Index>(r.begins), n + 1, stream);
  });
}

/// The first elements, as a tensor of their own number.
Result<Tensor> first_of(const Tensor& tensor, Index count, Device device) {
  auto memory = scratch(DType::kI64, count, device);
  if (!memory.ok()) return memory.status();
  Tensor out = *memory;
  if (count > 0)
    if (Status s = cuda_copy(device.number, default_stream(), out.mutable_data(), tensor.data(), out.bytes()); !s.ok())
      return s;
  return out;
}

}  // namespace

Result<ReadRows> read_rows(const Tensor& indices, Index table_rows, std::optional<Index> padding) {
  const Device device = indices.device();
  const OnDevice on(device.number);
  const Index n = indices.elements();
  auto room = room_for(n, device);
  if (!room.ok()) return room.status();
  Found found{0, n};
  if (n > 0) {
    GARNER_CUDA_TRY(cudaMemsetAsync(room->counts.mutable_data(), 0, static_cast<std::size_t>(room->counts.bytes()),
                                    current_stream()));
    if (Status s = sort_rows(*room, indices, table_rows, padding); !s.ok()) return s;
    count_rows<<<1, 1, 0, current_stream()>>>(at<Key>(room->unique), at<Index>(room->runs), table_rows,
                                              at<Found>(room->found));
    GARNER_CUDA_TRY(
        cudaMemcpyAsync(&found, room->found.data(), sizeof found, cudaMemcpyDeviceToHost, current_stream()));
    GARNER_CUDA_TRY(cudaStreamSynchronize(current_stream()));
  }
  ReadRows read;
  if (found.bad < n) {
    read.bad = found.bad;
    return read;
  }
  auto rows = first_of(room->unique, found.rows, device);
  if (!rows.ok()) return rows.status();
  read.rows = *rows, read.positions = room->positions, read.begins = room->begins;
  return read;
}

Status sum_rows(const ReadRows& read, const void* of, const Tensor& values) {
  const Index rows = read.rows.elements();
  if (values.elements() == 0) return {};
  const OnDevice on(values.device().number);
  with_table_element(values.dtype(), [&]<class T>() {
    using S = typename T::Storage;
    sum_positions<T><<<grid_for(values.elements()), kThreads, 0, current_stream()>>>(
        static_cast<const Index*>(read.positions.data()), static_cast<const Index*>(read.begins.data()),
        static_cast<const S*>(of), static_cast<S*>(values.view().mutable_data()), rows, values.elements() / rows);
  });
  return launched("sum_positions");
}

Status update(const StepRule& rule, const Pieces& pieces, const UpdateMemory& memory, int device) {
  const OnDevice on(device);
  with_table_element(memory.dtype, [&]<class T>() {
    using S = typename T::Storage;
    using C = typename T::Compute;
    step_pieces<T><<<grid_for(pieces.total), kThreads, 0, current_stream()>>>(
        rule.formula, StepNumbers<C>(rule), pieces, static_cast<S*>(memory.table),
        static_cast<const S*>(memory.gradient), static_cast<C*>(memory.state[0]), static_cast<C*>(memory.state[1]));
  });
  return launched("step_pieces");
}

}  // namespace garner::on_device
