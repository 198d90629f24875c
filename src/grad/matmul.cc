#include "grad/matmul.h"

#include <Eigen/Dense>

#include "grad/cuda/matmul.h"
#include "grad/elementwise.h"
#include "grad/offers.h"
#include "grad/place.h"
#include "index/memory.h"
#include "index/runs.h"

namespace garner::grad::plain {
namespace {

constexpr const char* kOp = "matmul";

/// What T is multiplied in: unsigned integers wrap, also where a product of small ones would overflow an int.
template <class T>
using Work =
    std::conditional_t<is_index_v<T>, std::conditional_t<(sizeof(T) < 8), std::uint32_t, std::uint64_t>, Compute<T>>;

template <class T>
Work<T> work_of(T value) {
  if constexpr (is_index_v<T>) return static_cast<Work<T>>(static_cast<std::int64_t>(value));  // with its sign
  else return to_compute(value);
}

/// Can the memory of T be read as Work<T>?
template <class T> inline constexpr bool in_place_v = sizeof(T) == sizeof(Work<T>);

/// Matrices behind one another; row i of one begins at data + i * columns.
template <class W>
struct Matrices {
  const W* data;
  Index rows, columns;
  Turn turn;
};

template <class W> using Matrix = Eigen::Matrix<W, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class W> using Input = Eigen::Map<const Matrix<W>, 0, Eigen::OuterStride<>>;
template <class W> using Output = Eigen::Map<Matrix<W>>;

/// Rows are given out in blocks of this many, whatever the number of threads, so that Eigen sees the same products and
/// adds in the same order.
constexpr Index kBlockRows = 128;

struct Extents {
  Index m, k, n;
};

/// A block of rows of one product. Both transposed does not come here: it would be a fourth product to compile.
template <class W>
void multiply(const Matrices<W>& a, const Matrices<W>& b, const Extents& x, Index first, W* out) {
  const Index rows = std::min(kBlockRows, x.m - first);
  Output<W> to(out + first * x.n, rows, x.n);
  const Input<W> right(b.data, b.rows, b.columns, Eigen::OuterStride<>(b.columns));
  if (a.turn == Turn::kTransposed) {
    const Input<W> left(a.data + first, x.k, rows, Eigen::OuterStride<>(a.columns));
    to.noalias() = left.transpose() * right;
    return;
  }
  const Input<W> left(a.data + first * a.columns, rows, x.k, Eigen::OuterStride<>(a.columns));
  if (b.turn == Turn::kTransposed) to.noalias() = left * right.transpose();
  else to.noalias() = left * right;
}

template <class W>
struct Batch {
  Matrices<W> a, b;
  Extents extents;
  Axes shape, a_step, b_step;  // leading axes, and how far each step along them goes in elements

  Index count() const {
    Index products = 1;
    for (const Index n : shape) products *= n;
    return products;
  }
  Index offset(Index product, const Axes& step) const {
    Index at = 0;
    for (std::size_t d = shape.size(); d-- > 0; product /= shape[d]) at += product % shape[d] * step[d];
    return at;
  }
  void run(W* out) const {
    const Index blocks = (extents.m + kBlockRows - 1) / kBlockRows, units = blocks * count();
    const Index work = extents.m * extents.n * std::max<Index>(extents.k, 1) * count();
    const Index grain = std::max<Index>(1, units * kBytesPerThread / std::max<Index>(work, 1));
    parallel_ranges(thread_count(0, work), units, grain, [&](Index begin, Index end) {
      for (Index u = begin; u < end; ++u) block(u / blocks, u % blocks * kBlockRows, out);
    });
  }
  void block(Index product, Index first, W* out) const {
    Matrices<W> left = a, right = b;
    left.data += offset(product, a_step), right.data += offset(product, b_step);
    multiply(left, right, extents, first, out + product * extents.m * extents.n);
  }
};

Axes leading(const Axes& shape) { return {shape.begin(), shape.end() - 2}; }
Index rows(const Tensor& t) { return t.shape()[t.shape().size() - 2]; }
Index columns(const Tensor& t) { return t.shape().back(); }

Extents extents_of(const Factor& a, const Factor& b) {
  const bool turn_a = a.turn == Turn::kTransposed, turn_b = b.turn == Turn::kTransposed;
  return {turn_a ? columns(a.tensor) : rows(a.tensor), turn_a ? rows(a.tensor) : columns(a.tensor),
          turn_b ? rows(b.tensor) : columns(b.tensor)};
}

/// Steps along the broadcast leading axes: 0 where a factor is stretched.
Axes steps(const Tensor& t, const Axes& shape) {
  Axes lead = leading(t.shape()), stride = row_major(t.shape());
  stride.resize(lead.size());
  const auto wide = broadcast_to(View(t.dtype(), t.data(), lead, stride), shape);
  return wide->stride();
}

template <class W, class T>
Result<Tensor> as_work(const Tensor& t) {
  if constexpr (in_place_v<T>) return t;
  GARNER_ASSIGN(Tensor out, Tensor::empty(dtype_of<W>, t.shape()));
  for (Index i = 0; i < t.elements(); ++i) out.as<W>()[i] = work_of(t.as<T>()[i]);
  return out;
}

template <class W, class T>
Result<Tensor> from_work(const Tensor& t, DType dtype) {
  if constexpr (in_place_v<T>) return t;
  GARNER_ASSIGN(Tensor out, Tensor::empty(dtype, t.shape()));
  for (Index i = 0; i < t.elements(); ++i) out.as<T>()[i] = static_cast<T>(t.as<W>()[i]);
  return out;
}

/// With the last two axes exchanged in memory.
Result<Tensor> turned(const Tensor& t) {
  Axes shape = t.shape(), stride = row_major(shape);
  const std::size_t last = shape.size() - 1;
  std::swap(shape[last], shape[last - 1]);
  std::swap(stride[last], stride[last - 1]);
  GARNER_ASSIGN(Tensor out, Tensor::empty(t.dtype(), shape));
  index::copy_elements(View(t.dtype(), t.data(), shape, stride), out.view(), {});
  return out;
}

template <class T>
Result<Tensor> multiply_all(const Factor& a, const Factor& b, const Axes& lead) {
  using W = Work<T>;
  const Extents x = extents_of(a, b);
  Axes shape = lead;
  shape.insert(shape.end(), {x.m, x.n});
  GARNER_ASSIGN(const Tensor left, (as_work<W, T>(a.tensor)));
  GARNER_ASSIGN(const Tensor right, (as_work<W, T>(b.tensor)));
  const DType work_dtype = in_place_v<T> ? a.tensor.dtype() : dtype_of<W>;
  GARNER_ASSIGN(Tensor out, Tensor::empty(work_dtype, shape));
  const auto* from_a = static_cast<const W*>(left.data());
  const auto* from_b = static_cast<const W*>(right.data());
  if (out.elements() > 0)
    Batch<W>{{from_a, rows(left), columns(left), a.turn},
             {from_b, rows(right), columns(right), b.turn},
             x,
             lead,
             steps(left, lead),
             steps(right, lead)}
        .run(static_cast<W*>(out.mutable_data()));
  return from_work<W, T>(out, a.tensor.dtype());
}

on_device::Matrix matrix_of(const Factor& f) {
  const Index wide = columns(f.tensor);
  const bool turned = f.turn == Turn::kTransposed;
  return {f.tensor.data(), turned ? 1 : wide, turned ? wide : 1};
}

Result<Tensor> multiply_there(const Factor& a, const Factor& b, const Axes& lead) {
  const Device device = place_of({a.tensor, b.tensor});
  const Extents x = extents_of(a, b);
  Axes shape = lead;
  shape.insert(shape.end(), {x.m, x.n});
  GARNER_ASSIGN(const Tensor left, brought(kOp, a.tensor, device));
  GARNER_ASSIGN(const Tensor right, brought(kOp, b.tensor, device));
  GARNER_ASSIGN(Tensor out, empty_at(device, a.tensor.dtype(), shape));
  const on_device::Products products{x.m, x.k, x.n, lead, steps(left, lead), steps(right, lead)};
  GARNER_TRY(on_device::multiply(products, matrix_of({left, a.turn}), matrix_of({right, b.turn}), out.view()));
  return out;
}

Status check(const Factor& a, const Factor& b) {
  GARNER_TRY(check_same_dtype(kOp, a.tensor.dtype(), b.tensor.dtype()));
  const bool matrices = a.tensor.rank() >= 2 && b.tensor.rank() >= 2;
  if (matrices) {
    const Index inner = b.turn == Turn::kTransposed ? columns(b.tensor) : rows(b.tensor);
    if (extents_of(a, b).k == inner) return {};
  }
  return fail(Code::kInvalidArgument, "G5", "{}: shapes are {} and {}, allowed [...,m,k] and [...,k,n]", kOp,
              list(a.tensor.shape()), list(b.tensor.shape()));
}

}  // namespace

Result<Tensor> matmul(const Factor& a, const Factor& b) {
  GARNER_TRY(check(a, b));
  GARNER_ASSIGN(const Axes lead, common_shape(kOp, leading(a.tensor.shape()), leading(b.tensor.shape())));
  if (!place_of({a.tensor, b.tensor}).is_cpu())
    return dispatch_offered<Numbers>(kOp, a.tensor.dtype(), [&]<class>() { return multiply_there(a, b, lead); });
  if (a.turn == Turn::kTransposed && b.turn == Turn::kTransposed) {
    GARNER_ASSIGN(const Tensor other, turned(a.tensor));
    return matmul({other, Turn::kNone}, b);
  }
  return dispatch_offered<Numbers>(kOp, a.tensor.dtype(), [&]<class T>() { return multiply_all<T>(a, b, lead); });
}

}  // namespace garner::grad::plain
