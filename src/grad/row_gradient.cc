// Rows that were read several times become one: a stable sort brings them together, and each is summed.
#include "garner/row_gradient.h"

#include <algorithm>

#include "base/fail.h"
#include "garner/cuda.h"
#include "garner/index.h"
#include "grad/cuda/rows.h"
#include "grad/place.h"
#include "grad/row_check.h"
#include "grad/shape.h"
#include "index/bags.h"
#include "index/engine.h"
#include "run/job_builder.h"

namespace garner {
namespace {

constexpr const char* kOp = "row_gradient";

Status check_shapes(const View& indices, const View& cotangent, const Axes& table) {
  if (table.empty()) return fail(Code::kInvalidArgument, "R2", "{}: table has rank 0, allowed 1 or more", kOp);
  if (table[0] < 0)
    return fail(Code::kInvalidArgument, "R2", "{}: extent 0 of table is {}, allowed [0, 2^63)", kOp, table[0]);
  Axes wanted = indices.shape();
  wanted.insert(wanted.end(), table.begin() + 1, table.end());
  if (cotangent.shape() == wanted) return {};
  return fail(Code::kInvalidArgument, "R2", "{}: cotangent has shape {}, allowed {}", kOp, list(cotangent.shape()),
              list(wanted));
}

Status check_dtypes(const View& indices, const View& cotangent) {
  if (!is_integer(indices.dtype()))
    return fail(Code::kType, "R3", "{}: indices is {}, allowed an integer dtype", kOp, name(indices.dtype()));
  return check_dtype(kOp, "cotangent", cotangent.dtype());
}

/// The last position is the fastest.
Axes coordinates(Index flat, const Axes& shape) {
  Axes out(shape.size());
  for (std::size_t a = shape.size(); a-- > 0; flat /= shape[a]) out[a] = flat % shape[a];
  return out;
}

Status no_row(Index value, Index at, const Axes& shape, const Axes& table) {
  return fail(Code::kIndex, "R1", "{}: indices{} is {}, allowed [0, {}) on axis 0 of table {}", kOp,
              list(coordinates(at, shape)), value, table[0], list(table));
}

Status check_indices(std::span<const Index> values, const View& indices, const Axes& table,
                     std::optional<Index> padding) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if ((values[i] < 0 || values[i] >= table[0]) && values[i] != padding)
      return no_row(values[i], static_cast<Index>(i), indices.shape(), table);
  return {};
}

/// A matrix with this many rows over row-major memory.
template <class V, class Data>
V matrix(DType dtype, Data* data, Index rows, const Axes& row) {
  return V(dtype, data, {rows, elements_of(row)});
}

/// `of`: one row per position, row-major.
Result<RowGradient> sum_bags(const index::Bags& bags, const View& of, const Axes& table, const RunOptions& run) {
  const Axes row(table.begin() + 1, table.end());
  const auto n = static_cast<Index>(bags.rows.size());
  Axes shape = table;
  shape[0] = n;
  RowGradient out{{}, {}, table};
  GARNER_ASSIGN(out.rows, contiguous(bags.rows));
  GARNER_ASSIGN(out.values, Tensor::empty(of.dtype(), shape));
  const BagOptions options{.mode = BagMode::kSum, .offsets = View(bags.begins)};
  const auto sums = matrix<MutableView>(of.dtype(), out.values.mutable_data(), n, row);
  GARNER_TRY(index::embedding_bag_into(of, bags.positions, sums, options, run));
  return out;
}

Status check_same_table(const RowGradient& a, const RowGradient& b) {
  if (a.shape != b.shape)
    return fail(Code::kInvalidArgument, "R2", "merge: tables have shapes {} and {}, allowed one", list(a.shape),
                list(b.shape));
  if (a.values.dtype() != b.values.dtype())
    return fail(Code::kType, "R3", "merge: values are {} and {}, allowed one dtype", name(a.values.dtype()),
                name(b.values.dtype()));
  return {};
}

// ---- on a device ----

Status bad_index(const View& indices, const Tensor& values, Index at, const Axes& table, const RunOptions& run) {
  const View one = View(values).seen_as({1}, {1}, at);
  GARNER_ASSIGN(const Tensor value, cuda::copy_to(one, {}, run.stream));
  return no_row(*value.as<Index>(), at, indices.shape(), table);
}

Result<RowGradient> sum_there(const View& indices, const View& cotangent, const Axes& table,
                              std::optional<Index> padding, const RunOptions& run) {
  const OnStream on(run.stream);
  const Device device = grad::plain::place_of({indices, cotangent});
  GARNER_ASSIGN(const Tensor given, grad::plain::packed_at(kOp, indices, device));
  GARNER_ASSIGN(const Tensor of, grad::plain::packed_at(kOp, cotangent, device));
  GARNER_ASSIGN(const Tensor values, grad::plain::converted(given, DType::kI64));
  GARNER_ASSIGN(const on_device::ReadRows read, on_device::read_rows(values, table[0], padding));
  if (read.bad >= 0) return bad_index(indices, values.reshaped({values.elements()}), read.bad, table, run);
  Axes shape = table;
  shape[0] = read.rows.elements();
  GARNER_ASSIGN(const Tensor sums, grad::plain::empty_at(device, of.dtype(), shape));
  GARNER_TRY(on_device::sum_rows(read, of.data(), sums));
  return RowGradient{read.rows, sums, table};
}

}  // namespace

namespace rows {

Result<RowGradient> row_gradient(const View& indices, const View& cotangent, const Axes& table_shape,
                                 const RowGradientOptions& options, const RunOptions& run) {
  GARNER_TRY(check_shapes(indices, cotangent, table_shape));
  GARNER_TRY(check_dtypes(indices, cotangent));
  if (!grad::plain::place_of({indices, cotangent}).is_cpu())
    return sum_there(indices, cotangent, table_shape, options.padding, run);
  GARNER_ASSIGN(const index::IndexList values, index::integers_of(indices, kOp, "indices", run));
  GARNER_TRY(check_indices(values, indices, table_shape, options.padding));
  GARNER_ASSIGN(const index::Packed packed, index::pack(cotangent, kOp, run));
  GARNER_ASSIGN(const index::Bags bags, index::bags_of(values, table_shape[0], options.padding, run));
  const Axes row(table_shape.begin() + 1, table_shape.end());
  const auto of = matrix<View>(cotangent.dtype(), packed.data(), indices.elements(), row);
  return sum_bags(bags, of, table_shape, run);
}

Result<RowGradient> merge(const RowGradient& a, const RowGradient& b, const RunOptions& run) {
  const OnStream on(run.stream);
  GARNER_TRY(check_gradient("merge", a, run));
  GARNER_TRY(check_gradient("merge", b, run));
  GARNER_TRY(check_same_table(a, b));
  GARNER_ASSIGN(const Tensor indices, grad::plain::concatenate({a.rows, b.rows}, 0));
  GARNER_ASSIGN(const Tensor values, grad::plain::concatenate({a.values, b.values}, 0));
  return rows::row_gradient(indices, values, a.shape, {}, run);
}

Result<Tensor> dense(const RowGradient& gradient, const RunOptions& run) {
  GARNER_TRY(check_gradient("dense", gradient, run));
  auto job = JobBuilder::scatter_zeros("dense", gradient.shape, gradient.values, Combine::kAssign);
  job.look_up(0, job.term(gradient.rows, {0}, {.hi = gradient.shape[0]}, "rows", "R1"));
  for (Index a = 1; a < gradient.values.rank(); ++a) job.follow(a, a);
  return run_one(std::move(job).build(), run);
}

}  // namespace rows
}  // namespace garner
