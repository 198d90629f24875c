// Matrix products of variables, and their rule.
#include "grad/matmul.h"
#include "grad/ops.h"

namespace garner::grad {
namespace {

using plain::Turn;

struct Side {
  Var matrix;
  Turn turn = Turn::kNone;
};

Turn other(Turn turn) { return turn == Turn::kNone ? Turn::kTransposed : Turn::kNone; }

/// (…, m, k) · (…, k, n), each side as it is or transposed, so that a gradient is one product and no copy:
///   for C = A B: A' = G Bᵀ, B' = Aᵀ G; where A is taken transposed, its gradient is the transpose of that, B Gᵀ.
Var product(const Side& a, const Side& b) {
  const Wants x(a.matrix), y(b.matrix);
  const Turn s = a.turn, t = b.turn;
  Tensor value = value_or_throw(plain::matmul({a.matrix.value(), s}, {b.matrix.value(), t}));
  return record("matmul", std::move(value), {a.matrix, b.matrix},
                [x, y, s, t, keep_a = saved_if(y.gradient, a.matrix),
                 keep_b = saved_if(x.gradient, b.matrix)](const Var& g) -> std::vector<Var> {
    const auto for_a = [&] {
      const Var b_conj = conj(keep_b.get());
      return s == Turn::kNone ? product({g}, {b_conj, other(t)}) : product({b_conj, t}, {g, Turn::kTransposed});
    };
    const auto for_b = [&] {
      const Var a_conj = conj(keep_a.get());
      return t == Turn::kNone ? product({a_conj, other(s)}, {g}) : product({g, Turn::kTransposed}, {a_conj, s});
    };
    return {x.of(for_a), y.of(for_b)};
  });
}

/// A vector as the matrix it stands for.
Var as_matrix(const Var& v, const Axes& shape) { return v.rank() == 1 ? reshape(v, shape) : v; }

Axes result_shape(const Var& a, const Var& b, const Axes& full) {
  Axes shape = full;
  if (b.rank() == 1) shape.pop_back();
  if (a.rank() == 1) shape.erase(shape.end() - (b.rank() == 1 ? 1 : 2));
  return shape;
}

void require_axes(const Var& a, const Var& b) {
  if (a.rank() > 0 && b.rank() > 0) return;
  throw_error(fail(Code::kInvalidArgument, "G5", "matmul: ranks are {} and {}, allowed [1, 2^63)", a.rank(), b.rank()));
}

/// Many matrices by one are one tall matrix by it; the one matrix's gradient is then one product too.
bool is_tall(const Var& a, const Var& b) { return a.rank() > 2 && b.rank() == 2; }

Var tall_product(const Var& a, const Var& b) {
  Axes full = a.shape();
  const Index columns = full.back();
  full.pop_back();
  Index rows = 1;
  for (const Index n : full) rows *= n;
  full.push_back(b.shape().back());
  return reshape(product({reshape(a, {rows, columns})}, {b}), full);
}

}  // namespace

Var matmul(const Var& a, const Var& b) {
  require_axes(a, b);
  const Var left = as_matrix(a, {1, a.elements()}), right = as_matrix(b, {b.elements(), 1});
  const bool fits = left.shape().back() == right.shape()[right.shape().size() - 2];
  const Var full = fits && is_tall(left, right) ? tall_product(left, right) : product({left}, {right});
  return reshape(full, result_shape(a, b, full.shape()));
}

}  // namespace garner::grad
