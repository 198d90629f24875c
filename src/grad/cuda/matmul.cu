// A tile of the result for every block, its factors in shared memory. Plain: no tensor cores, whose sums are not those
// of the dtype.
#include "grad/cuda/matmul.h"

#include "grad/cuda/walk.cuh"

namespace garner::grad::plain::on_device {
namespace {

constexpr int kTile = 16;

struct Shape {
  Walk<2> batch;
  Index m, k, n, a_row, a_column, b_row, b_column;
};

/// What is multiplied and added in: unsigned integers, which wrap; everything else as it is.
template <class C> using Work = typename combine_ops::Wrapping<C>::type;

template <class T, class W = Work<typename T::Compute>>
__device__ inline W loaded(const typename T::Storage* data, Index at, bool inside) {
  return inside ? static_cast<W>(T::load(data[at])) : W{};
}

template <class T, class S = typename T::Storage>
__global__ void multiply_tiles(const __grid_constant__ Shape s, const S* a, const S* b, S* out, Index tiles) {
  using C = typename T::Compute;
  using W = Work<C>;
  __shared__ alignas(16) unsigned char left_memory[kTile * kTile * sizeof(W)], right_memory[kTile * kTile * sizeof(W)];
  auto* left = reinterpret_cast<W(*)[kTile]>(left_memory);
  auto* right = reinterpret_cast<W(*)[kTile]>(right_memory);
  const Index across = (s.n + kTile - 1) / kTile, down = (s.m + kTile - 1) / kTile;
  const int y = static_cast<int>(threadIdx.y), x = static_cast<int>(threadIdx.x);
  for (Index t = blockIdx.x; t < tiles; t += gridDim.x) {
    const Index product = t / (across * down), row = t / across % down * kTile + y, column = t % across * kTile + x;
    Index at[2];
    s.batch.find(product, at);
    W sum{};
    for (Index first = 0; first < s.k; first += kTile) {
      left[y][x] = loaded<T>(a, at[0] + row * s.a_row + (first + x) * s.a_column, row < s.m && first + x < s.k);
      right[y][x] = loaded<T>(b, at[1] + (first + y) * s.b_row + column * s.b_column, column < s.n && first + y < s.k);
      __syncthreads();
      const int count = static_cast<int>(s.k - first < kTile ? s.k - first : kTile);
      for (int i = 0; i < count; ++i)
        sum = combine_ops::Add::apply(sum, combine_ops::Mul::apply(left[y][i], right[i][x]));
      __syncthreads();
    }
    if (row < s.m && column < s.n) out[(product * s.m + row) * s.n + column] = T::store(static_cast<C>(sum));
  }
}

}  // namespace

Status multiply(const Products& p, const Matrix& a, const Matrix& b, const MutableView& out) {
  if (out.elements() == 0) return {};
  Shape shape{{}, p.m, p.k, p.n, a.row, a.column, b.row, b.column};
  for (std::size_t axis = 0; axis < p.batch.size(); ++axis)
    if (!shape.batch.add(p.batch[axis], {p.a_step[axis], p.b_step[axis]})) return too_many_axes();
  const Index tiles = shape.batch.elements * ((p.m + kTile - 1) / kTile) * ((p.n + kTile - 1) / kTile);
  const OnDevice on(out.device().number);
  with_device_element(out.dtype(), [&]<class T>() {
    using S = typename T::Storage;
    const auto blocks = static_cast<unsigned>(tiles < INT32_MAX ? tiles : INT32_MAX);
    multiply_tiles<T><<<blocks, dim3(kTile, kTile), 0, current_stream()>>>(shape, static_cast<const S*>(a.data),
                                                                           static_cast<const S*>(b.data),
                                                                           static_cast<S*>(out.mutable_data()), tiles);
  });
  return launched("multiply_tiles");
}

}  // namespace garner::grad::plain::on_device
