// jax.scatter, scatter_add, scatter_mul, scatter_min, scatter_max: lax.scatter…
//   result = operand; result[start + batching + window] = join(result[…], updates[U]); a window that does not fit is
//   dropped whole, or moved inside
#include "base/fail.h"
#include "dialect/jax/lax.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::jax {
namespace {

using stablehlo::Addressing;
using stablehlo::Words;

Words words_of(const char* op) {
  return {.op = op,
          .base = 0,
          .operand = "operand",
          .indices = "scatter_indices",
          .window = {"update_window_dims", "JX7", "JX7", "JX8"},
          .removed = {"inserted_window_dims", "JX9", "JX10", "JX11"},
          .operand_batching = {"operand_batching_dims", "JX12", "JX10", "JX13"},
          .indices_batching = {"scatter_indices_batching_dims", nullptr, "JX14", "JX15"},
          .map = {"scatter_dims_to_operand_dims", nullptr, "JX20", "JX21"},
          .rank = "JX22",
          .vector_range = "JX6",
          .map_length = "JX19",
          .vector_not_batching = "JX16",
          .batching_lengths = "JX17",
          .paired_extents = "JX18",
          .integer = "JX5"};
}

Addressing addressing(const ScatterDimensionNumbers& d, const View& indices) {
  return {d.update_window_dims,           d.inserted_window_dims,
          d.operand_batching_dims,        d.scatter_indices_batching_dims,
          d.scatter_dims_to_operand_dims, indices.rank() - 1};
}

struct Updating {
  const char* op;
  Combine combine;
};

struct Operands {
  const View &operand, &indices, &updates;
};

Status check_dtype(const char* op, const Operands& o) {
  if (o.updates.dtype() == o.operand.dtype()) return {};
  return fail(Code::kType, "JX28", "{}: updates is {}, allowed {} (the dtype of operand)", op, name(o.updates.dtype()),
              name(o.operand.dtype()));
}

/// Sizes of the window along every operand axis; 1 where there is none.
Axes window_sizes(const Addressing& a, const Operands& o) {
  Axes out(o.operand.shape().size(), 1);
  const Axes dims = window_dims(a, o.operand.rank());
  for (std::size_t i = 0; i < dims.size(); ++i) out[static_cast<std::size_t>(dims[i])] = o.updates.extent(a.window[i]);
  return out;
}

Status check_updates_rank(const Words& w, const Addressing& a, const Operands& o) {
  const Index wanted = o.indices.rank() - 1 + static_cast<Index>(a.window.size());
  if (o.updates.rank() == wanted) return {};
  return fail(Code::kType, "JX27", "{}: updates has rank {}, allowed {}", w.op, o.updates.rank(), wanted);
}

Status check_window_sizes(const Words& w, const Addressing& a, const Operands& o) {
  const Axes sizes = window_sizes(a, o);
  for (const Index d : window_dims(a, o.operand.rank()))
    if (const Index n = stablehlo::at(sizes, d); n > o.operand.extent(d))
      return fail(Code::kType, "JX27", "{}: window of updates is {}, allowed [0, {}] on axis {}", w.op, n,
                  o.operand.extent(d), d);
  return {};
}

Status check_scatter_extents(const Words& w, const Addressing& a, const Operands& o) {
  const Axes batch = batch_extents(a, o.indices.shape()), axes = stablehlo::axes_without(o.updates.rank(), a.window);
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (o.updates.extent(axes[i]) != batch[i])
      return fail(Code::kType, "JX27", "{}: extent of updates is {}, allowed {} (that of scatter_indices) on axis {}",
                  w.op, o.updates.extent(axes[i]), batch[i], axes[i]);
  return {};
}

Status check(const Words& w, const Addressing& a, const Operands& o) {
  GARNER_TRY(check_indices(w.op, w.indices, o.indices));
  GARNER_TRY(check_dtype(w.op, o));
  GARNER_TRY(check_updates_rank(w, a, o));
  GARNER_TRY(as_type_error(check_addressing(w, a, o.operand.shape(), o.indices.shape(), o.updates.rank())));
  GARNER_TRY(check_window_sizes(w, a, o));
  return check_scatter_extents(w, a, o);
}

Result<Job> lower(const Updating& u, const Operands& o, const ScatterDimensionNumbers& dims,
                  const ScatterOptions& options) {
  const Words words = words_of(u.op);
  const Addressing a = addressing(dims, o.indices);
  GARNER_TRY(check(words, a, o));
  GARNER_ASSIGN(const Join join, join_of(u.op, u.combine, o.operand.dtype()));
  if (any_zero(o.operand.shape())) return untouched(u.op, o.operand);
  auto builder = JobBuilder::scatter(u.op, o.operand, o.updates, join.combine);
  address(builder, words, a, o.indices,
          fitting(words, a.map, o.operand.shape(), window_sizes(a, o), writing(options.mode)));
  Job job = std::move(builder).build();
  job.user = join.user;
  return job;
}

Result<Jobs> lower_call(const Updating& u, Arguments& a) {
  const View operand = a.tensor("operand"), indices = a.tensor("scatter_indices"), updates = a.tensor("updates");
  GARNER_TRY(a.status());
  ScatterOptions options;
  GARNER_ASSIGN(options.mode, read_mode(a));
  GARNER_ASSIGN(const std::vector<Axes> d, read_dimension_numbers(a));
  return one(lower(u, {operand, indices, updates}, {d[0], d[1], d[2], d[3], d[4]}, options));
}

constexpr const char* kSignature =
    "(operand, scatter_indices, updates, dimension_numbers, *, indices_are_sorted=false, unique_indices=false, "
    "mode=None)";

}  // namespace

// The same operation under five names, one for each way to join.
#define GARNER_JAX_SCATTER(op, how)                                                                            \
  Result<Job> lower_##op(const View& operand, const View& scatter_indices, const View& updates,                \
                         const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& options) {    \
    return lower({"jax." #op, Combine::how}, {operand, scatter_indices, updates}, dimension_numbers, options); \
  }                                                                                                            \
  Tensor op(const View& operand, const View& scatter_indices, const View& updates,                             \
            const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& options) {                 \
    return value_or_throw(                                                                                     \
        run_one(lower_##op(operand, scatter_indices, updates, dimension_numbers, options), options.run));      \
  }                                                                                                            \
  extern const Op op_##op;                                                                                     \
  const Op op_##op{#op, kSignature, [](Arguments& a) { return lower_call({"jax." #op, Combine::how}, a); }};

GARNER_JAX_SCATTER(scatter, kAssign)
GARNER_JAX_SCATTER(scatter_add, kAdd)
GARNER_JAX_SCATTER(scatter_mul, kMul)
GARNER_JAX_SCATTER(scatter_min, kMin)
GARNER_JAX_SCATTER(scatter_max, kMax)
#undef GARNER_JAX_SCATTER

}  // namespace garner::jax
