// Looking at index tensors: their largest, the first that is outside a range, and between positions and coordinates.
#include <limits>

#include "device/cuda/runtime.h"
#include "index/cuda/keys.cuh"

namespace garner::index::on_cuda {
namespace {

constexpr Index kNowhere = std::numeric_limits<Index>::max();

template <class B>
__device__ inline Index integer(const Integers& integers, Index at) {
  const B bits = static_cast<const B*>(integers.data)[at];
  if (integers.is_signed) return static_cast<Index>(static_cast<std::make_signed_t<B>>(bits));
  if constexpr (sizeof(B) == 8) return bits > static_cast<B>(kNowhere) ? kNowhere : static_cast<Index>(bits);
  else return static_cast<Index>(bits);
}

/// f(bits) for the widths that integers have.
template <class F>
Status with_integer_bits(int width, F&& f) {
  if (width == 8) return f(std::uint64_t{});
  if (width == 4) return f(std::uint32_t{});
  return width == 2 ? f(std::uint16_t{}) : f(std::uint8_t{});
}

__device__ inline long long* wide(Index* at) { return reinterpret_cast<long long*>(at); }

__global__ void begin_look(IntegersSeen* seen) { *seen = {-1, kNowhere, kNowhere}; }

template <class B>
__global__ void __launch_bounds__(kThreads) look(const Integers integers, Index lo, Index hi, IntegersSeen* seen) {
  Index largest = -1, outside = kNowhere, falls = kNowhere;
  for (Index i = grid_thread(); i < integers.count; i += grid_threads()) {
    const Index v = integer<B>(integers, i);
    largest = v > largest ? v : largest;
    if ((v < lo || v >= hi) && i < outside) outside = i;
    if (i > 0 && v < integer<B>(integers, i - 1) && i < falls) falls = i;
  }
  for (int o = 16; o > 0; o /= 2) {
    const Index other = __shfl_xor_sync(0xffffffffU, largest, o);
    largest = other > largest ? other : largest;
  }
  if (threadIdx.x % 32 == 0) atomicMax(wide(&seen->largest), static_cast<long long>(largest));
  if (outside != kNowhere) atomicMin(wide(&seen->outside), static_cast<long long>(outside));
  if (falls != kNowhere) atomicMin(wide(&seen->falls), static_cast<long long>(falls));
}

template <class T>
Result<T> read(const Where& where, const void* from) {
  T value{};
  GARNER_CUDA_TRY(cudaMemcpyAsync(&value, from, sizeof value, cudaMemcpyDeviceToHost, stream_of(where)));
  GARNER_CUDA_TRY(cudaStreamSynchronize(stream_of(where)));
  return value;
}

Index found(Index at) { return at == kNowhere ? -1 : at; }

/// The number of the first bad coordinate, position * rank + axis.
template <class B>
__global__ void __launch_bounds__(kThreads)
    look_at_coordinates(const Integers c, const CoordinateTable t, const Shape shape, IntegersSeen* seen) {
  for (Index k = grid_thread(); k < t.positions; k += grid_threads())
    for (int a = 0; a < shape.rank; ++a)
      if (const Index v = integer<B>(c, k * t.step + a * t.axis_step); v < 0 || v >= shape.extent[a])
        atomicMin(wide(&seen->outside), static_cast<long long>(k * shape.rank + a));
}

template <class B>
__global__ void __launch_bounds__(kThreads)
    to_positions(const Integers c, const CoordinateTable t, const Shape shape, Index* out) {
  for (Index k = grid_thread(); k < t.positions; k += grid_threads()) {
    Index position = 0;
    for (int a = 0; a < shape.rank; ++a)
      position = position * shape.extent[a] + integer<B>(c, k * t.step + a * t.axis_step);
    out[k] = position;
  }
}

template <class B>
__global__ void __launch_bounds__(kThreads)
    to_coordinates(const Integers p, const CoordinateTable t, const Shape shape, Index* out) {
  for (Index k = grid_thread(); k < t.positions; k += grid_threads()) {
    Index rest = integer<B>(p, k);
    for (int a = shape.rank - 1; a >= 0; --a) {
      out[k * t.step + a * t.axis_step] = rest % shape.extent[a];
      rest /= shape.extent[a];
    }
  }
}

/// Room for what is seen, nothing seen yet.
Result<std::shared_ptr<void>> room_to_see(const Where& where) {
  auto memory = cuda_memory(where.device, where.stream, sizeof(IntegersSeen));
  if (!memory.ok()) return memory;
  begin_look<<<1, 1, 0, stream_of(where)>>>(static_cast<IntegersSeen*>(memory->get()));
  GARNER_CUDA_TRY(cudaGetLastError());
  return memory;
}

}  // namespace

Result<IntegersSeen> look_at(const Where& where, const Integers& integers, Index lo, Index hi) {
  if (integers.count == 0) return IntegersSeen{};
  const OnDevice on(where.device);
  auto memory = room_to_see(where);
  if (!memory.ok()) return memory.status();
  auto* const seen = static_cast<IntegersSeen*>(memory->get());
  const Status status = with_integer_bits(integers.width, [&]<class B>(B) -> Status {
    look<B><<<loop_blocks(where, integers.count), kThreads, 0, stream_of(where)>>>(integers, lo, hi, seen);
    GARNER_CUDA_TRY(cudaGetLastError());
    return {};
  });
  if (!status.ok()) return status;
  auto read_back = read<IntegersSeen>(where, seen);
  if (!read_back.ok()) return read_back.status();
  return IntegersSeen{read_back->largest, found(read_back->outside), found(read_back->falls)};
}

Result<Index> integer_at(const Where& where, const Integers& integers, Index at) {
  const OnDevice on(where.device);
  std::uint64_t bits = 0;
  const auto* from = static_cast<const unsigned char*>(integers.data) + at * integers.width;
  GARNER_CUDA_TRY(
      cudaMemcpyAsync(&bits, from, static_cast<std::size_t>(integers.width), cudaMemcpyDeviceToHost, stream_of(where)));
  GARNER_CUDA_TRY(cudaStreamSynchronize(stream_of(where)));
  const int unused = 64 - 8 * integers.width;
  if (integers.is_signed) return static_cast<Index>(bits << unused) >> unused;
  return bits > static_cast<std::uint64_t>(kNowhere) ? kNowhere : static_cast<Index>(bits);
}

Result<Index> first_outside(const Where& where, const Integers& coordinates, const CoordinateTable& table,
                            const Axes& shape) {
  if (table.positions == 0 || shape.empty()) return Index{-1};
  const OnDevice on(where.device);
  auto memory = room_to_see(where);
  if (!memory.ok()) return memory.status();
  auto* const seen = static_cast<IntegersSeen*>(memory->get());
  const Status status = with_integer_bits(coordinates.width, [&]<class B>(B) -> Status {
    look_at_coordinates<B><<<loop_blocks(where, table.positions), kThreads, 0, stream_of(where)>>>(coordinates, table,
                                                                                                   Shape(shape), seen);
    GARNER_CUDA_TRY(cudaGetLastError());
    return {};
  });
  if (!status.ok()) return status;
  auto read_back = read<IntegersSeen>(where, seen);
  if (!read_back.ok()) return read_back.status();
  return found(read_back->outside);
}

Status ravel(const Where& where, const Integers& coordinates, const CoordinateTable& table, const Axes& shape,
             Index* out) {
  if (table.positions == 0) return {};
  const OnDevice on(where.device);
  return with_integer_bits(coordinates.width, [&]<class B>(B) -> Status {
    to_positions<B>
        <<<loop_blocks(where, table.positions), kThreads, 0, stream_of(where)>>>(coordinates, table, Shape(shape), out);
    GARNER_CUDA_TRY(cudaGetLastError());
    return {};
  });
}

Status unravel(const Where& where, const Integers& positions, const CoordinateTable& table, const Axes& shape,
               Index* out) {
  if (table.positions == 0 || shape.empty()) return {};
  const OnDevice on(where.device);
  return with_integer_bits(positions.width, [&]<class B>(B) -> Status {
    to_coordinates<B>
        <<<loop_blocks(where, table.positions), kThreads, 0, stream_of(where)>>>(positions, table, Shape(shape), out);
    GARNER_CUDA_TRY(cudaGetLastError());
    return {};
  });
}

}  // namespace garner::index::on_cuda
