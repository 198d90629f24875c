// Rows that are combined in floating point: the bags of an index tensor, and sums that become means. A thread has one
// column of one bag and takes its rows in the order of the indices, so that the bits are those of the CPU.
#include "device/cuda/runtime.h"
#include "index/cuda/keys.cuh"
#include "kernel/common/device_element.cuh"

namespace garner::index::on_cuda {
namespace {

template <class T>
inline constexpr bool is_float_v = std::is_floating_point_v<typename T::Compute> && sizeof(typename T::Storage) <= 8;

/// Any width; the same for all threads.
__device__ inline Index integer(const Integers& integers, Index at) {
  const auto read = [&]<class B>(B) {
    const B bits = static_cast<const B*>(integers.data)[at];
    return integers.is_signed ? static_cast<Index>(static_cast<std::make_signed_t<B>>(bits)) : static_cast<Index>(bits);
  };
  if (integers.width == 8) return read(std::uint64_t{});
  if (integers.width == 4) return read(std::uint32_t{});
  return integers.width == 2 ? read(std::uint16_t{}) : read(std::uint8_t{});
}

struct Stretch {
  Index begin, end;
};

__device__ inline Stretch stretch_of(const BagQuery& q, Index bag) {
  if (q.offsets.data == nullptr) return {bag * q.each, (bag + 1) * q.each};
  return {integer(q.offsets, bag), bag + 1 < q.offsets.count ? integer(q.offsets, bag + 1) : q.indices.count};
}

/// One column of a bag, in the type arithmetic is done in; rounded once.
template <class T>
__device__ inline typename T::Storage pooled(const BagQuery& q, Index bag, Index column) {
  using S = typename T::Storage;
  using C = typename T::Compute;
  const auto [begin, end] = stretch_of(q, bag);
  C result = 0;
  Index taken = 0;
  for (Index i = begin; i < end; ++i) {
    const Index row = integer(q.indices, i);
    if (q.pads && row == q.padding) continue;
    const C v = T::load(static_cast<const S*>(q.table)[row * q.columns + column]);
    if (q.pooling == Pooling::kMax) result = taken == 0 || v > result || v != v ? v : result;
    else if (q.weights != nullptr) result += v * T::load(static_cast<const S*>(q.weights)[i]);
    else result += v;
    ++taken;
  }
  return T::store(q.pooling == Pooling::kMean && taken > 0 ? result / static_cast<C>(taken) : result);
}

template <class T>
__global__ void __launch_bounds__(kThreads) pool(const BagQuery q, typename T::Storage* out) {
  for (Index i = grid_thread(); i < q.bags * q.columns; i += grid_threads())
    out[i] = pooled<T>(q, i / q.columns, i % q.columns);
}

template <class C>
__device__ inline C quotient(C sum, Index n) {
  if constexpr (std::is_floating_point_v<C>) return sum / static_cast<C>(n);
  else
    return C(sum.real() / static_cast<typename C::value_type>(n), sum.imag() / static_cast<typename C::value_type>(n));
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    divide(typename T::Storage* sums, const Index* counts, Index rows, Index columns) {
  for (Index i = grid_thread(); i < rows * columns; i += grid_threads())
    if (const Index n = counts[i / columns]; n > 1) sums[i] = T::store(quotient(T::load(sums[i]), n));
}

template <class T> inline constexpr bool is_complex_element_v = false;
template <class T> inline constexpr bool is_complex_element_v<SameElement<std::complex<T>>> = true;

}  // namespace

Status pool_bags(const Where& where, DType dtype, const BagQuery& query, void* out) {
  if (query.bags * query.columns == 0) return {};
  const OnDevice on(where.device);
  const unsigned blocks = loop_blocks(where, query.bags * query.columns);
  with_device_element(dtype, [&]<class T>() {
    if constexpr (is_float_v<T>)
      pool<T><<<blocks, kThreads, 0, stream_of(where)>>>(query, static_cast<typename T::Storage*>(out));
  });
  GARNER_CUDA_TRY(cudaGetLastError());
  return {};
}

Status divide_rows(const Where& where, DType dtype, void* sums, const Index* counts, Index rows, Index columns) {
  if (rows * columns == 0) return {};
  const OnDevice on(where.device);
  const unsigned blocks = loop_blocks(where, rows * columns);
  with_device_element(dtype, [&]<class T>() {
    if constexpr (is_float_v<T> || is_complex_element_v<T>)
      divide<T>
          <<<blocks, kThreads, 0, stream_of(where)>>>(static_cast<typename T::Storage*>(sums), counts, rows, columns);
  });
  GARNER_CUDA_TRY(cudaGetLastError());
  return {};
}

}  // namespace garner::index::on_cuda
