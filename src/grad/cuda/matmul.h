// Matrix products on a device, on the thread's default stream.
#pragma once
#include "garner/tensor.h"

namespace garner::grad::plain::on_device {

/// One side: where a matrix of it begins, and how far its rows and columns lie apart.
struct Matrix {
  const void* data;
  Index row, column;
};
/// As many products as `batch` has places; `a_step` and `b_step` are the strides of both sides along it.
struct Products {
  Index m, k, n;
  Axes batch, a_step, b_step;
};

/// out[p] = a[p] b[p], row-major: each element is added up in the order of k, in the type arithmetic is done in, and
/// rounded once.
Status multiply(const Products& products, const Matrix& a, const Matrix& b, const MutableView& out);

}  // namespace garner::grad::plain::on_device
