#include "grad/cuda/softmax.h"

#include "garner/cuda.h"
#include "grad/cuda/walk.cuh"
#include "grad/rounding.h"

namespace garner::grad::plain::on_device {
namespace {

constexpr int kChunk = 1024;  // elements of a lane that a block holds at a time

template <class T>
struct Lane {
  const typename T::Storage* data;
  Index count, step;
  __device__ double at(Index i) const { return static_cast<double>(T::load(data[i * step])); }
};

__device__ inline double larger(double a, double b) { return b > a || b != b ? b : a; }

/// The largest element, or NaN if there is one: every thread gets it.
template <class T>
__device__ double largest(const Lane<T>& lane, double* shared) {
  double best = -INFINITY;
  for (Index i = threadIdx.x; i < lane.count; i += kThreads) best = larger(best, lane.at(i));
  shared[threadIdx.x] = best;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half)
      shared[threadIdx.x] = larger(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  best = shared[0];
  __syncthreads();
  return best;
}

/// f(0) + f(1) + …, added by one thread in that order: every thread gets it.
template <class F>
__device__ double sum_in_order(Index count, double* shared, const F& f) {
  __shared__ double total;
  double sum = 0;
  for (Index first = 0; first < count; first += kChunk) {
    const int some = static_cast<int>(count - first < kChunk ? count - first : kChunk);
    for (int i = static_cast<int>(threadIdx.x); i < some; i += kThreads) shared[i] = f(first + i);
    __syncthreads();
    if (threadIdx.x == 0)
      for (int i = 0; i < some; ++i) sum += shared[i];
    __syncthreads();
  }
  if (threadIdx.x == 0) total = sum;
  __syncthreads();
  sum = total;
  __syncthreads();
  return sum;
}

/// A float element from a double, rounded once.
template <class T>
__device__ inline typename T::Storage rounded(double value) {
  using C = typename T::Compute;
  if constexpr (!std::is_floating_point_v<C>) return {};
  else if constexpr (std::is_same_v<C, typename T::Storage>) return static_cast<C>(value);
  else return T::store(for_rounding(value));
}

template <class T>
__global__ void softmax_lanes(LaneFunction function, const typename T::Storage* a, LaneShape shape,
                              typename T::Storage* out) {
  __shared__ double shared[kChunk];
  for (Index l = blockIdx.x; l < shape.outer * shape.inner; l += gridDim.x) {
    const Index first = l / shape.inner * shape.count * shape.inner + l % shape.inner;
    const Lane<T> lane{a + first, shape.count, shape.inner};
    const double best = largest(lane, shared);
    const double sum = sum_in_order(shape.count, shared, [&](Index i) { return exp(lane.at(i) - best); });
    const double shift = log(sum);
    for (Index i = threadIdx.x; i < shape.count; i += kThreads) {
      const double v = lane.at(i) - best;
      out[first + i * shape.inner] = rounded<T>(function == LaneFunction::kSoftmax ? exp(v) / sum : v - shift);
    }
  }
}

template <class T>
__global__ void row_losses(const typename T::Storage* logits, const Index* target, Index rows, Index classes,
                           double* losses) {
  __shared__ double shared[kChunk];
  for (Index r = blockIdx.x; r < rows; r += gridDim.x) {
    const Lane<T> row{logits + r * classes, classes, 1};
    const double best = largest(row, shared);
    const double sum = sum_in_order(classes, shared, [&](Index i) { return exp(row.at(i) - best); });
    if (threadIdx.x == 0) losses[r] = log(sum) - (row.at(target[r]) - best);
  }
}

template <class T>
__global__ void mean_loss(const double* losses, Index rows, typename T::Storage* out) {
  __shared__ double shared[kChunk];
  const double sum = sum_in_order(rows, shared, [&](Index i) { return losses[i]; });
  if (threadIdx.x == 0) *out = rounded<T>(sum / static_cast<double>(rows));
}

template <class T>
__global__ void mark_rows(const Index* target, Index rows, Index classes, typename T::Storage* out) {
  for_each_element(rows, [&](Index r) { out[r * classes + target[r]] = rounded<T>(1); });
}

/// f.operator()<Element>() for floats.
template <class F>
void with_float_element(DType dtype, F&& f) {
  with_device_element(dtype, [&]<class T>() {
    if constexpr (std::is_floating_point_v<typename T::Compute>) f.template operator()<T>();
  });
}

unsigned blocks_of(Index lanes) { return static_cast<unsigned>(lanes < 1 ? 1 : lanes < 1 << 20 ? lanes : 1 << 20); }

template <class T> const T* from(const Tensor& tensor) { return static_cast<const T*>(tensor.data()); }

}  // namespace

Status softmax(LaneFunction function, const Tensor& a, const LaneShape& lanes, const MutableView& out) {
  const OnDevice on(a.device().number);
  with_float_element(a.dtype(), [&]<class T>() {
    using S = typename T::Storage;
    softmax_lanes<T><<<blocks_of(lanes.outer * lanes.inner), kThreads, 0, current_stream()>>>(
        function, from<S>(a), lanes, static_cast<S*>(out.mutable_data()));
  });
  return launched("softmax_lanes");
}

Status cross_entropy(const Tensor& logits, const Tensor& target, const MutableView& out) {
  const Index rows = logits.shape()[0], classes = logits.shape()[1];
  const OnDevice on(logits.device().number);
  auto losses = garner::cuda::empty(DType::kF64, {rows}, logits.device());
  if (!losses.ok()) return losses.status();
  auto* each = static_cast<double*>(losses->mutable_data());
  with_float_element(logits.dtype(), [&]<class T>() {
    using S = typename T::Storage;
    if (rows > 0)
      row_losses<T><<<blocks_of(rows), kThreads, 0, current_stream()>>>(from<S>(logits), from<Index>(target), rows,
                                                                        classes, each);
    mean_loss<T><<<1, kThreads, 0, current_stream()>>>(each, rows, static_cast<S*>(out.mutable_data()));
  });
  return launched("row_losses");
}

Status mark_targets(const Tensor& target, const MutableView& out) {
  if (out.elements() == 0) return {};
  const OnDevice on(out.device().number);
  with_float_element(out.dtype(), [&]<class T>() {
    mark_rows<T><<<grid_for(target.elements()), kThreads, 0, current_stream()>>>(
        from<Index>(target), target.elements(), out.shape()[1], static_cast<typename T::Storage*>(out.mutable_data()));
  });
  return launched("mark_rows");
}

}  // namespace garner::grad::plain::on_device
